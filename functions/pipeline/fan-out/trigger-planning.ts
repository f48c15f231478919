import { type Draft, slotOf } from '#domain/orders/model.ts';
import { unpack } from '#domain/orders/order-items.ts';
import { draftShipment } from '#domain/orders/shipment-rules.ts';
import { isConcerned, type PlannedShipment, plannableShipments } from '#domain/triggers/plan.ts';
import { loadTriggers, planShipments } from '#domain/triggers/plan-store.ts';
import type { OwnedTrigger } from '#domain/triggers/trigger-rules.ts';
import { chunks } from '#platform/batches.ts';
import { fanOutLimits } from '#schemas/catalogues/limits.ts';
import type { Change } from './stream-records.ts';

/** New drafts of an order whose triggers are planned later, because there are many. */
export interface DraftsPart {
  shop_slug: string;
  order_id: string;
  drafts: Draft[];
}

/** Returns what is left to plan. */
export type Plan = (change: Change) => Promise<DraftsPart[]>;

/**
 * Plans when the internal triggers of a shop fire, after each change of a shipment in a batch. A shop without triggers
 * costs nothing, nor does a shipment that no trigger matches or matched before.
 */
export function startPlanning(now: Date, triggersOf: (slug: string) => Promise<readonly OwnedTrigger[]>): Plan {
  return async (change) => {
    const triggers = await triggersOf(change.slug);
    if (triggers.length === 0) return [];
    const concerned = plannedBy(change).filter((planned) => isConcerned(planned, triggers));
    if (concerned.length > fanOutLimits.unitsAtOnce) return partsOf(concerned);
    await planShipments(concerned, triggers, now);
    return [];
  };
}

function plannedBy({ slug, shipments, version, before }: Change): PlannedShipment[] {
  const old = before ? plannableShipments(unpack(before.document)) : [];
  const byId = new Map(old.map((shipment) => [shipment.uuid, shipment]));
  return shipments.map((shipment) => ({ slug, shipment, version, before: byId.get(shipment.uuid) }));
}

/** Only a change of an order concerns more than one shipment: its drafts. */
function partsOf(planned: readonly PlannedShipment[]): DraftsPart[] {
  return chunks(planned, fanOutLimits.unitsOfPart).map((part) => {
    const [{ slug: shop_slug, shipment }] = part as [PlannedShipment];
    const drafts = part.map(({ shipment: { uuid, created_at } }) => ({ slot: slotOf(uuid), created_at }));
    return { shop_slug, order_id: shipment.order_id, drafts };
  });
}

/** A draft that has changed since is planned by its own record, which has a higher version. */
export async function planDrafts({ shop_slug: slug, order_id, drafts }: DraftsPart, now: Date): Promise<void> {
  const order = { uuid: order_id, order_number: '' };
  const planned = drafts.map((draft) => ({ slug, shipment: draftShipment(order, draft), version: 0 }));
  await planShipments(planned, await loadTriggers(slug), now);
}
