import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Due, type DueItem, dueItem } from '#domain/due/due-item.ts';
import { loadTriggerSettings } from '#domain/settings/trigger-settings.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { table, tableName } from '#platform/table/client.ts';
import { duePartition, dueTriggersOf, keyOf } from '#platform/table/keys.ts';
import { type Key, queryAll } from '#platform/table/reads.ts';
import { WriteConflict, write } from '#platform/table/writes.ts';
import { thirdParties } from '#schemas/catalogues/integrations.ts';
import { type KnownPlan, type PlanChange, type PlannedShipment, planChange } from './plan.ts';
import type { OwnedTrigger, TriggerDueItem } from './trigger-rules.ts';

/** Plans the triggers for shipments of one order: compares what should be planned with what is planned. */
export async function planShipments(
  shipments: readonly PlannedShipment[],
  triggers: readonly OwnedTrigger[],
  now: Date,
): Promise<void> {
  const [first] = shipments;
  if (!first) return;
  // For a single shipment only its own plans are read, because an order may have many.
  const only = shipments.length === 1 ? first.shipment.uuid : undefined;
  const plans = await knownPlans(first.slug, first.shipment.order_id, only);
  const known = Map.groupBy(plans, ({ shipment_id }) => shipment_id);
  for (const planned of shipments) {
    await writePlans(planChange(planned, triggers, known.get(planned.shipment.uuid) ?? [], now));
  }
}

/** The plans for one shipment of an order or for all of them, including those that have fired. */
function knownPlans(slug: string, orderId: string, shipmentId?: string): Promise<KnownPlan[]> {
  return queryAll<KnownPlan>({
    KeyConditionExpression: 'pk = :order AND begins_with(sk, :plans)',
    ExpressionAttributeValues: { ':order': duePartition(slug, orderId), ':plans': dueTriggersOf(shipmentId) },
    ConsistentRead: true,
  });
}

const maxConcurrentWrites = 10;

/** A plan that has fired stays, and an older version of a shipment does not change what a newer version planned. */
async function writePlans({ put, remove }: PlanChange): Promise<void> {
  const writes = [
    ...put.map((item) => () => unlessNewer(() => table.send(putPlan(item)))),
    ...remove.map((item) => () => unlessNewer(() => table.send(removePlan(item)))),
  ];
  await mapConcurrently(writes, (send) => send(), maxConcurrentWrites);
}

const putPlan = (item: TriggerDueItem) =>
  new PutCommand({
    TableName: tableName(),
    Item: item,
    ConditionExpression: 'attribute_not_exists(pk) OR (attribute_not_exists(fired_at) AND version <= :version)',
    ExpressionAttributeValues: { ':version': item.version },
  });

/** Removes the plan only as it was read: it may have been planned again, or it may have fired. */
const removePlan = ({ pk, sk, due_at, version }: TriggerDueItem) =>
  new DeleteCommand({
    TableName: tableName(),
    Key: { pk, sk },
    ConditionExpression: 'due_at = :due AND version = :version',
    ExpressionAttributeValues: { ':due': due_at, ':version': version },
  });

async function unlessNewer(send: () => Promise<unknown>): Promise<void> {
  try {
    await write(send);
  } catch (error) {
    if (!(error instanceof WriteConflict) || error.positions.length === 0) throw error;
  }
}

/** Every internal trigger of a shop. Whether its owner is enabled is checked only when it fires. */
export async function loadTriggers(slug: string): Promise<OwnedTrigger[]> {
  const settings = await loadTriggerSettings(slug);
  return thirdParties.flatMap((third_party) =>
    settings[third_party].internal_triggers.map((trigger) => ({ third_party, trigger })),
  );
}

export type Cursor = Key & { activity_pk: string; activity_sk: string };

/** The triggers of a shop have changed, so its shipments are planned again in parts. */
export interface Replan extends Due {
  kind: 'trigger_replan';
  /** When the triggers changed. A trigger that was due before this time does not fire. */
  since: string;
  /** The position in the list of shipments after which to continue. Absent at first. */
  cursor?: Cursor | undefined;
}

export type ReplanItem = Replan & DueItem;

export const replanItem = (replan: Omit<Replan, 'kind'>): ReplanItem =>
  dueItem(keyOf.dueReplan(replan.shop_slug), { kind: 'trigger_replan', ...replan });

/** If a replan is already running, it starts again from the newest shipment. */
export function askToReplan(slug: string, now: Date): Promise<void> {
  const at = now.toISOString();
  const Item = replanItem({ shop_slug: slug, due_at: at, since: at });
  return write(() => table.send(new PutCommand({ TableName: tableName(), Item })));
}
