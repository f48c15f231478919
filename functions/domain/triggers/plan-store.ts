import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { chunks } from '#platform/chunks.ts';
import { table, tableName } from '#platform/table/client.ts';
import { ConditionLost, write } from '#platform/table/conditional-writes.ts';
import { duePartition, dueTriggersOf } from '#platform/table/keys.ts';
import { queryAll } from '#platform/table/query.ts';
import type { KnownPlan, PlanChange } from './plan.ts';
import type { TriggerDueItem } from './trigger-due.ts';

/** What is planned, or has fired, for one shipment of an order or for all of them. */
export function knownPlans(slug: string, orderId: string, shipmentId?: string): Promise<KnownPlan[]> {
  return queryAll<KnownPlan>({
    KeyConditionExpression: 'pk = :order AND begins_with(sk, :plans)',
    ExpressionAttributeValues: { ':order': duePartition(slug, orderId), ':plans': dueTriggersOf(shipmentId) },
    ConsistentRead: true,
  });
}

const writesAtOnce = 10;

/** What has fired stays, and an older version of the shipment does not undo what a newer one said. */
export async function writePlans({ put, remove }: PlanChange): Promise<void> {
  const writes = [
    ...put.map((item) => () => unlessNewer(() => table.send(putPlan(item)))),
    ...remove.map((item) => () => unlessNewer(() => table.send(removePlan(item)))),
  ];
  for (const part of chunks(writes, writesAtOnce)) await Promise.all(part.map((send) => send()));
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
    if (!(error instanceof ConditionLost) || error.positions.length === 0) throw error;
  }
}
