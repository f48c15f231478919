import type { DynamoDBRecord } from 'aws-lambda';
import type { Draft } from '#domain/orders/model.ts';
import { slotOf } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { loadOrder, versionAfter } from '#domain/orders/order-store.ts';
import { draftShipment } from '#domain/orders/shipment-rules.ts';
import { isConcerned, type PlannedShipment } from '#domain/triggers/plan.ts';
import { askToReplan, loadTriggers, planShipments } from '#domain/triggers/plan-store.ts';
import { chunks, loadOnce } from '#platform/batches.ts';
import { slugIn } from '#platform/table/keys.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { fanOutLimits } from '#schemas/catalogues/limits.ts';
import { changeOf, hasOtherDrafts, shipmentsOf } from './stream-records.ts';

/** Whether internal triggers must be planned after the change of a record. */
export function leadsToPlanning(record: DynamoDBRecord): boolean {
  const change = changeOf(record);
  if (change === 'heartbeat') return false;
  return change === 'order_change' ? hasOtherDrafts(record) : change !== undefined;
}

/** New drafts of an order whose triggers are planned later, because there are many. */
export interface DraftsPart {
  shop_slug: string;
  order_id: string;
  drafts: Draft[];
}

/** Shipments of an order whose triggers could not be planned with their events. */
export interface PlanPart {
  shop_slug: string;
  order_id: string;
  /** The ids of the shipments. */
  plans: string[];
}

/** Returns what is left to plan. */
export type Plan = (record: DynamoDBRecord) => Promise<DraftsPart[]>;

/**
 * Plans when the internal triggers of a shop fire, after each change of a shipment in a batch. A shop without triggers
 * costs one read for each batch. A shipment that no trigger matches or matched before costs nothing more.
 */
export function startPlanning(now: Date): Plan {
  const triggersOf = loadOnce(loadTriggers);
  return async (record) => {
    if (changeOf(record) === 'triggers_change') {
      await askToReplan(slugIn(record.dynamodb!.NewImage!.pk!.S!), now);
      return [];
    }
    // The clock of a simulation decides when its triggers fire.
    const shipments = shipmentsOf(record).filter(({ shipment }) => shipment.simulation_id === undefined);
    if (shipments.length === 0) return [];
    const triggers = await triggersOf(shipments[0]!.slug);
    const concerned = shipments.filter((planned) => isConcerned(planned, triggers));
    if (concerned.length > fanOutLimits.unitsAtOnce) return partsOf(concerned);
    await planShipments(concerned, triggers, now);
    return [];
  };
}

/** Only a change of an order concerns more than one shipment: its drafts. */
function partsOf(planned: readonly PlannedShipment[]): DraftsPart[] {
  return chunks(planned, fanOutLimits.unitsOfPart).map((part) => {
    const [{ slug: shop_slug, shipment }] = part as [PlannedShipment];
    const drafts = part.map(({ shipment: { uuid, created_at } }) => ({ slot: slotOf(uuid), created_at }));
    return { shop_slug, order_id: shipment.order_id, drafts };
  });
}

/** As they are now: a later change is planned by this, or by its own record. */
export async function planAgain({ shop_slug: slug, order_id, plans }: PlanPart, now: Date): Promise<void> {
  const loaded = await retryOnConflict(() => loadOrder(slug, order_id));
  if (!loaded) return;
  const versionOf = versionAfter(loaded, []);
  const shipments = allShipments(loaded).filter(({ uuid }) => plans.includes(uuid));
  const planned = shipments.map((shipment) => ({ slug, shipment, version: versionOf(shipment.uuid) }));
  await planShipments(planned, await loadTriggers(slug), now);
}

/** A draft that has changed since is planned by its own record, which has a higher version. */
export async function planDrafts({ shop_slug: slug, order_id, drafts }: DraftsPart, now: Date): Promise<void> {
  const order = { uuid: order_id, order_number: '' };
  const planned = drafts.map((draft) => ({ slug, shipment: draftShipment(order, draft), version: 0 }));
  await planShipments(planned, await loadTriggers(slug), now);
}
