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

/** Plans the triggers of shipments of one order: what they are, compared with what is planned. */
export async function planShipments(
  shipments: readonly PlannedShipment[],
  triggers: readonly OwnedTrigger[],
  now: Date,
): Promise<void> {
  const [first] = shipments;
  if (!first) return;
  // Of one shipment only its own plans are read: an order may have many.
  const only = shipments.length === 1 ? first.shipment.uuid : undefined;
  const plans = await knownPlans(first.slug, first.shipment.order_id, only);
  const known = Map.groupBy(plans, ({ shipment_id }) => shipment_id);
  for (const planned of shipments) {
    await writePlans(planChange(planned, triggers, known.get(planned.shipment.uuid) ?? [], now));
  }
}

/** What is planned, or has fired, for one shipment of an order or for all of them. */
function knownPlans(slug: string, orderId: string, shipmentId?: string): Promise<KnownPlan[]> {
  return queryAll<KnownPlan>({
    KeyConditionExpression: 'pk = :order AND begins_with(sk, :plans)',
    ExpressionAttributeValues: { ':order': duePartition(slug, orderId), ':plans': dueTriggersOf(shipmentId) },
    ConsistentRead: true,
  });
}

const maxConcurrentWrites = 10;

/** What has fired stays, and an older version of the shipment does not undo what a newer one said. */
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

/** As it was read: a plan that has been made anew, or has fired, is another one. */
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

/** Every internal trigger of a shop. Whether its owner is switched on is decided when it fires, not before. */
export async function loadTriggers(slug: string): Promise<OwnedTrigger[]> {
  const settings = await loadTriggerSettings(slug);
  return thirdParties.flatMap((third_party) =>
    settings[third_party].internal_triggers.map((trigger) => ({ third_party, trigger })),
  );
}

export type Cursor = Key & { activity_pk: string; activity_sk: string };

/** A shop's triggers have changed: its shipments are planned anew, some at a time. */
export interface Replan extends Due {
  kind: 'trigger_replan';
  /** When the triggers changed: what was due before does not fire. */
  since: string;
  /** The next shipments stand behind this place of their list; absent at first. */
  cursor?: Cursor | undefined;
}

export type ReplanItem = Replan & DueItem;

export const replanItem = (replan: Omit<Replan, 'kind'>): ReplanItem =>
  dueItem(keyOf.dueReplan(replan.shop_slug), { kind: 'trigger_replan', ...replan });

/** Begins from the newest shipment again where it is under way. */
export function askToReplan(slug: string, now: Date): Promise<void> {
  const at = now.toISOString();
  const Item = replanItem({ shop_slug: slug, due_at: at, since: at });
  return write(() => table.send(new PutCommand({ TableName: tableName(), Item })));
}
