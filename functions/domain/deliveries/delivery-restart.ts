import { tableName } from '#platform/table/client.ts';
import { transact } from '#platform/table/conditional-writes.ts';
import { keyOf } from '#platform/table/keys.ts';
import { newRun, type Run, wakeItem } from './delivery-items.ts';
import type { Delivery } from './model.ts';

/**
 * Sends a delivery again: a new run on the same item, and in the same transaction the word that it is to be queued, which
 * fan-out reads from the stream. `probe`: its target is tried even while it is held to be down. Throws ConditionLost where
 * the delivery has changed since it was read.
 */
export async function restart(delivery: Delivery, now: Date, { probe = true } = {}): Promise<Delivery> {
  const run = newRun(delivery.attempts, now);
  const after = { ...delivery, ...run };
  await transact([
    { Update: { TableName: tableName(), ...runUpdate(delivery, run) } },
    { Put: { TableName: tableName(), Item: wakeItem(after, now, probe) } },
  ]);
  return after;
}

function runUpdate(before: Delivery, run: Run) {
  return {
    Key: keyOf.delivery(before.shop_slug, before.target, before.id),
    UpdateExpression:
      'SET #status = :status, attempt_count = :none, run_since = :since, attempts = :attempts, updated_at = :now ' +
      'REMOVE list_pk, list_sk',
    ConditionExpression: '#status = :before AND attempt_count = :count',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': run.status,
      ':none': run.attempt_count,
      ':since': run.run_since,
      ':attempts': run.attempts,
      ':now': run.updated_at,
      ':before': before.status,
      ':count': before.attempt_count,
    },
  };
}
