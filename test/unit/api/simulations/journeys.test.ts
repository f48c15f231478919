import { beforeEach, describe, expect, test } from 'vitest';
import type { ShipmentOutboxEvent } from '#domain/orders/outbox.ts';
import { type Journey, type JourneyId, journeys } from '#schemas/catalogues/journeys.ts';
import { simulationLimits } from '#schemas/catalogues/limits.ts';
import { type Phase, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';
import {
  advanceSimulation,
  factsAt,
  holdsSimulations,
  outgoing,
  pageAt,
  startSimulation,
} from '#test/kit/simulations.ts';

beforeEach(() => holdsSimulations());

/** The phases of the parcels at the end, as the page lists them. */
const ends: Record<JourneyId, Phase[]> = {
  delivered: ['delivered'],
  neighbour: ['delivered'],
  parcel_shop: ['delivered'],
  not_collected: ['return_received'],
  second_attempt: ['delivered'],
  delayed: ['delivered'],
  lost: ['delivery_failed'],
  damaged: ['delivered'],
  customs: ['delivered'],
  split: ['delivered', 'delivered', 'delivered'],
  cancelled: ['order_cancelled'],
  customer_return: ['delivered', 'delivered'],
};

describe.each(journeys as readonly Journey[])('the journey $id', ({ id, steps }) => {
  test('plays to its end: its events in their order, its groups, and what the page says', async () => {
    const { uuid, tracking_page_url } = await startSimulation({ journey: id, start_at: '2026-11-02T08:00:00Z' });
    const { status, happened, complete } = await advanceSimulation(uuid, { steps: simulationLimits.steps });
    expect({ status, complete }).toEqual({ status: 'ended', complete: true });
    expect(happened).toHaveLength(steps.length);
    expect(happened).toEqual(
      happened.toSorted((a: { at: string }, b: { at: string }) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    );
    const { parcels } = await factsAt(tracking_page_url);
    expect(parcels.map(({ phase }: { phase: Phase }) => phase)).toEqual(ends[id as JourneyId]);
    const sent = outgoing() as ShipmentOutboxEvent[];
    const scripted = steps.map(({ event_name }) => event_name).filter((name) => name !== 'ORDER_CREATED');
    expect(sent.map(({ event_name }) => event_name).filter((name) => name !== 'ORDER_CREATED')).toHaveLength(
      scripted.length,
    );
    const groups = new Set(sent.map(({ event_group }) => event_group));
    for (const { event_name, is_return } of steps) {
      const { towardsCustomer, towardsMerchant } = shipmentEvents[event_name];
      expect(groups).toContain(is_return ? towardsMerchant : towardsCustomer);
    }
    expect(await pageAt(tracking_page_url)).toContain('SIM-');
  });

  test('has steps that a carrier could report in this order', () => {
    const byParcel = Map.groupBy(steps, ({ parcel = 1 }) => parcel);
    for (const own of byParcel.values()) {
      const times = own.map(({ after_minutes }) => after_minutes);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(new Set(times).size).toBe(times.length);
    }
  });
});

test('a pick-up point and an estimated arrival are on the page while they matter, by the clock', async () => {
  const { uuid, tracking_page_url } = await startSimulation({
    journey: 'parcel_shop',
    start_at: '2026-11-02T08:00:00Z',
  });
  await advanceSimulation(uuid, { steps: 7 });
  const [onItsWay] = (await factsAt(tracking_page_url)).parcels;
  expect(onItsWay).toMatchObject({
    phase: 'in_delivery',
    estimated_arrival: { from: '2026-11-04T11:00:00+01:00', to: '2026-11-04T13:00:00+01:00' },
  });
  expect(await pageAt(tracking_page_url)).toMatch(/tomorrow|today/i);
  await advanceSimulation(uuid, { steps: 2 });
  const [waiting] = (await factsAt(tracking_page_url)).parcels;
  expect(waiting).toMatchObject({ phase: 'collect', pickup: { name: 'Kiosk am Hafen', type: 'parcel_shop' } });
});
