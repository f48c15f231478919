import { v7 as uuidv7 } from 'uuid';
import { newOrderId, type ShopIdentity } from '#domain/orders/model.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { readReferences, saveOrder } from '#domain/orders/order-store.ts';
import { outboxEvents } from '#domain/orders/outbox.ts';
import { withPage } from '#domain/orders/tracking-page.ts';
import { newDrafts } from '#domain/orders/upsert.ts';
import { loadTriggers } from '#domain/triggers/plan-store.ts';
import { ServiceError } from '#platform/errors.ts';
import { insert, retryOnConflict } from '#platform/table/writes.ts';
import type { SimulationStart } from '#schemas/families/simulations.ts';
import { withChange } from './plans.ts';
import { clockMarkOf, type Simulation, simulationItem } from './simulation.ts';
import { parcelsOf, scriptOf, simulatedOrder, startOf } from './simulation-rules.ts';
import { countStarted } from './simulation-store.ts';

/** Makes the order and the simulation in one transaction. Nothing of the script happens yet. */
export async function startSimulation(shop: ShopIdentity, wanted: SimulationStart, now: Date): Promise<Simulation> {
  const { slug } = shop;
  const steps = scriptOf(wanted);
  const parcels = parcelsOf(steps);
  const start = startOf(wanted, now);
  const uuid = uuidv7({ msecs: now.getTime() });
  const input = simulatedOrder(wanted, uuid, start);
  const at = new Date(start);
  const order = withPage({
    ...newOrder(newOrderId(now), { ...input, expected_number_of_shipments: parcels.length }, at),
    simulation_id: uuid,
    ...(wanted.integrations && { simulation_integrations: true as const }),
    ...(wanted.emails && { simulation_emails: true as const }),
  });
  const events = outboxEvents('ORDER_CREATED', newDrafts(undefined, order), start).map((event) => ({
    ...event,
    simulation: clockMarkOf({ uuid, integrations: wanted.integrations }),
  }));
  const bare: Simulation = {
    uuid,
    shop_slug: slug,
    journey: wanted.journey ?? null,
    order_id: order.uuid,
    order_number: order.order_number,
    page_token: order.page_token!,
    integrations: wanted.integrations,
    ...(wanted.emails && { emails: true as const }),
    start_at: start,
    clock: start,
    steps,
    done: 0,
    slots: Object.fromEntries(order.drafts.map(({ slot }, i) => [parcels[i]!, slot])),
    plans: {},
    unstarted: events.map((event) => ({ ...event, shop_slug: slug })),
    runs: [],
    created_at: now.toISOString(),
    version: 1,
  };
  const triggers = await loadTriggers(slug);
  const drafts = newDrafts(undefined, order);
  const plans = drafts.reduce(
    (all, draft) => withChange({ ...bare, plans: all }, draft, undefined, triggers, start),
    {},
  );
  const simulation = { ...bare, plans };
  await retryOnConflict(async () => {
    await refuseTaken(slug, input);
    const also = [insert(simulationItem(simulation)), await countStarted(slug)];
    await saveOrder({ shop, before: undefined, order, events, also, now: start });
  });
  return simulation;
}

async function refuseTaken(slug: string, input: ReturnType<typeof simulatedOrder>): Promise<void> {
  const { order_number } = input;
  const known = await readReferences(slug, { id: order_number, id_type: 'order_number' }, input, []);
  if (known.numberOwner !== undefined || known.externalOwner !== undefined) throw new ServiceError('order_exists');
}
