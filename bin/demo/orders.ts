import { mapConcurrently } from '#platform/batches.ts';
import { type Chance, chanceOf } from './chance.ts';
import { type Journey, journeys } from './journeys.ts';
import { newBasket, newCustomer } from './people.ts';
import { detailsOf } from './places.ts';
import type { Service } from './service.ts';

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;
const carriers = ['dhl', 'dhl', 'dhl', 'dpd', 'gls', 'ups', 'hrs'];

/** The stack serves about this many requests side by side. */
const atOnce = 6;

interface PlannedOrder {
  number: string;
  placedAt: number;
  tracking: string | undefined;
  carrier: string;
  journey: Journey;
  customer: ReturnType<typeof newCustomer>;
  chance: Chance;
}

export interface MadeOrders {
  orders: number;
  events: number;
  /** The tracking numbers of parcels that have arrived. */
  delivered: string[];
}

/** Makes the orders and lets their parcels travel, up to now. @param pictures of products, by sku */
export async function makeOrders(
  shop: Service,
  count: number,
  pictures: Record<string, string>,
  now: Date,
): Promise<MadeOrders> {
  const planned = plan(count, now);
  // One call takes up to 500 orders.
  for (let from = 0; from < planned.length; from += 100) {
    await shop.call(
      'PUT',
      '/orders/bulk',
      planned.slice(from, from + 100).map((order) => toUpsert(order, pictures)),
    );
  }
  const events = await mapConcurrently(planned, (order) => travel(shop, order, now), atOnce);
  const delivered = planned.filter(({ journey }) => journey.steps.at(-1)?.[0].startsWith('SUCCESSFULLY'));
  return {
    orders: planned.length,
    events: events.reduce((sum, one) => sum + one, 0),
    delivered: delivered.map(({ tracking }) => tracking!),
  };
}

/** Every journey at least once, as far as there are orders; the rest by weight. */
function plan(count: number, now: Date): PlannedOrder[] {
  const chance = chanceOf(2026);
  return Array.from({ length: count }, (_, i) => {
    const journey = journeys[i] ?? chance.of(likely);
    const placedAt = now.getTime() - Math.max(ageOf(journey, chance), 20 * 60_000);
    const number = String(10_001 + i);
    const tracking =
      journey.hasParcel === false ? undefined : `0034043416${String(1_000_000 + i)}${chance.between(100, 999)}`;
    return { number, placedAt, tracking, carrier: chance.of(carriers), journey, customer: newCustomer(chance), chance };
  });
}

function ageOf({ age, steps }: Journey, chance: Chance): number {
  if (age === 'now') return steps.reduce((sum, [, hours]) => sum + hours, 0.5 + chance.next()) * hourMs;
  const [youngest, oldest] = age;
  return (youngest + chance.next() * (oldest - youngest)) * dayMs;
}

const secondOf = (tracking: string) => `${tracking}2`;

/** Each journey as often as its weight says. */
const likely = journeys.flatMap((journey) => Array.from({ length: journey.weight }, () => journey));

function toUpsert(order: PlannedOrder, pictures: Record<string, string>) {
  const { number, placedAt, tracking, carrier, journey, customer, chance } = order;
  const products = newBasket(chance, pictures);
  const numbers = tracking ? [tracking, ...(journey.also ? [secondOf(tracking)] : [])] : [];
  const total = products.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const order_placed_at = new Date(placedAt).toISOString();
  const tracking_placed_at = new Date(placedAt + 15 * 60_000).toISOString();
  return {
    id: number,
    order: {
      ...customer,
      ...(numbers.length > 1 && { expected_number_of_shipments: numbers.length }),
      order_name: `#${number}`,
      order_placed_at,
      products,
      currency: 'EUR',
      sub_total_price: round(total),
      shipping_price: 4.9,
      total_order_price: round(total + 4.9),
      financial_status: 'paid',
    },
    trackings: numbers.map((tracking_number) => ({ tracking_number, tracking_placed_at, carrier_reference: carrier })),
  };
}

const round = (price: number) => Math.round(price * 100) / 100;

/** The last event notifies whoever listens; the earlier ones only fill the history. */
async function travel(shop: Service, order: PlannedOrder, now: Date): Promise<number> {
  const { tracking, journey, placedAt, number, customer } = order;
  if (tracking === undefined) return 0;
  let at = placedAt + 15 * 60_000;
  const home = customer.address;
  const send = async (id: string, steps: Journey['steps'], isReturn = false) => {
    for (const [i, [event_name, hours]] of steps.entries()) {
      at = Math.min(at + hours * hourMs, now.getTime() - (steps.length - i) * 60_000);
      const details = detailsOf({ event: event_name, at, home, isReturn }, now);
      const body = { id, event_name, event_time: new Date(at).toISOString(), ...details };
      await shop.call('POST', `/shipment-events?notify=${i === steps.length - 1}`, body);
    }
  };
  await send(tracking, journey.steps);
  if (journey.also) {
    at = placedAt + 24 * hourMs;
    await send(secondOf(tracking), journey.also);
  }
  const sent = journey.steps.length + (journey.also?.length ?? 0);
  if (!journey.back) return sent;
  const back = `${tracking}R`;
  await shop.call('POST', '/shipments', {
    order_id: number,
    order_id_type: 'order_number',
    tracking_number: back,
    carrier_reference: 'dhl',
    tracking_placed_at: new Date(at + 2 * hourMs).toISOString(),
  });
  await send(back, journey.back, true);
  return sent + journey.back.length;
}
