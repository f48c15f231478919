import type { DynamoDBRecord } from 'aws-lambda';
import { planChange } from '#shared/internal-triggers/plan.ts';
import { loadTriggers } from '#shared/internal-triggers/shop-triggers.ts';
import { shipmentPrefix } from '#shared/keys.ts';
import { remembered } from '#shared/remembered.ts';
import { knownPlans, writePlans } from './plan-store.ts';
import { changedItem, isShipmentChange, shipmentsOf } from './shipment-record.ts';

export type Plan = (change: DynamoDBRecord) => Promise<void>;

/**
 * Plans when the internal triggers of a shop fire, for each change of a shipment in a batch. Of several changes of one
 * shipment only the last counts. A shop without triggers costs one read for each batch.
 */
export function startPlanning(records: readonly DynamoDBRecord[]): Plan {
  const triggersOf = remembered(loadTriggers);
  const changes = records.filter(isShipmentChange);
  const last = new Map(changes.map((change) => [changedItem(change), change]));
  return async (change) => {
    if (last.get(changedItem(change)) !== change) return;
    const shipments = shipmentsOf(change);
    const { slug, shipment } = shipments[0]!;
    const triggers = await triggersOf(slug);
    if (triggers.length === 0) return;
    const one = change.dynamodb!.NewImage!.sk!.S!.startsWith(shipmentPrefix) ? shipment.uuid : undefined;
    const known = Map.groupBy(await knownPlans(slug, shipment.order_id, one), ({ shipment_id }) => shipment_id);
    for (const planned of shipments) {
      await writePlans(planChange(planned, triggers, known.get(planned.shipment.uuid) ?? []));
    }
  };
}
