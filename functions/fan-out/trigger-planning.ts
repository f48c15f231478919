import type { DynamoDBRecord } from 'aws-lambda';
import { planShipments } from '#shared/internal-triggers/plan-shipments.ts';
import { askToReplan } from '#shared/internal-triggers/replan.ts';
import { loadTriggers } from '#shared/internal-triggers/shop-triggers.ts';
import { slugIn } from '#shared/keys.ts';
import { remembered } from '#shared/remembered.ts';
import { changedItem, isShipmentChange, isTriggersChange, shipmentsOf } from './shipment-record.ts';

/** Not every record is one to plan by; the others are left alone. */
export interface Planning {
  isAbout(record: DynamoDBRecord): boolean;
  plan(record: DynamoDBRecord): Promise<void>;
}

/**
 * Plans when the internal triggers of a shop fire, for each change of a shipment in a batch. Of several changes of one
 * item only the last counts. A shop without triggers costs one read for each batch.
 */
export function startPlanning(records: readonly DynamoDBRecord[], now: Date): Planning {
  const triggersOf = remembered(loadTriggers);
  const isAbout = (record: DynamoDBRecord) => isShipmentChange(record) || isTriggersChange(record);
  const last = new Map(records.filter(isAbout).map((record) => [changedItem(record), record]));
  return {
    isAbout,
    plan: async (record) => {
      if (last.get(changedItem(record)) !== record) return;
      if (isTriggersChange(record)) return askToReplan(slugIn(record.dynamodb!.NewImage!.pk!.S!), now);
      const shipments = shipmentsOf(record);
      const triggers = await triggersOf(shipments[0]!.slug);
      if (triggers.length > 0) await planShipments(shipments, triggers, now);
    },
  };
}
