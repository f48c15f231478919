import type { DynamoDBRecord } from 'aws-lambda';
import { isConcerned } from '#domain/triggers/plan.ts';
import { askToReplan, loadTriggers, planShipments } from '#domain/triggers/plan-store.ts';
import { loadOnce } from '#platform/batches.ts';
import { slugIn } from '#platform/table/keys.ts';
import { changeOf, shipmentsOf } from './stream-records.ts';

/** Whether internal triggers must be planned after the change of a record. */
export const leadsToPlanning = (record: DynamoDBRecord) => changeOf(record) !== undefined;

export type Plan = (record: DynamoDBRecord) => Promise<void>;

/**
 * Plans when the internal triggers of a shop fire, after each change of a shipment in a batch. A shop without triggers
 * costs one read for each batch. A shipment that no trigger matches or matched before costs nothing more.
 */
export function startPlanning(now: Date): Plan {
  const triggersOf = loadOnce(loadTriggers);
  return async (record) => {
    if (changeOf(record) === 'triggers_change') return askToReplan(slugIn(record.dynamodb!.NewImage!.pk!.S!), now);
    const shipments = shipmentsOf(record);
    const triggers = await triggersOf(shipments[0]!.slug);
    const concerned = shipments.filter((planned) => isConcerned(planned, triggers));
    await planShipments(concerned, triggers, now);
  };
}
