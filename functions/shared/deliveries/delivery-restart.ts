import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { chunks } from '#shared/chunks.ts';
import { ConditionLost, write } from '#shared/conditional-writes.ts';
import { keyOf } from '#shared/keys.ts';
import { table, tableName } from '#shared/table.ts';
import { deliveryItem, messageOf, newRun } from './delivery-items.ts';
import { enqueue, NotEnqueued } from './delivery-queue.ts';
import type { Delivery, DeliveryMessage } from './model.ts';

/**
 * Sends a delivery again: a new run on the same item. Throws ConditionLost where the delivery has changed since it was
 * read, and NotEnqueued, with the delivery as it was before, where the queue does not take it.
 */
export async function restart(delivery: Delivery, now: Date): Promise<Delivery> {
  const run = await beginRun(delivery, now);
  await enqueueOrTakeBack([run]);
  return run.after;
}

/** Sends many again and answers those; one that has changed since it was read is left as it is. */
export async function restartAll(deliveries: readonly Delivery[], now: Date): Promise<Delivery[]> {
  const runs: Run[] = [];
  for (const part of chunks(deliveries, writesAtOnce)) {
    runs.push(...(await Promise.all(part.map((delivery) => beginRunIfUnchanged(delivery, now)))).flat());
  }
  await enqueueOrTakeBack(runs);
  return runs.map(({ after }) => after);
}

const writesAtOnce = 25;

interface Run {
  before: Delivery;
  after: Delivery;
}

async function beginRunIfUnchanged(delivery: Delivery, now: Date): Promise<Run[]> {
  try {
    return [await beginRun(delivery, now)];
  } catch (error) {
    if (error instanceof ConditionLost) return [];
    throw error;
  }
}

async function beginRun(before: Delivery, now: Date): Promise<Run> {
  const after = { ...before, ...newRun(before.attempts, now) };
  await write(() => table.send(new UpdateCommand({ TableName: tableName(), ...runUpdate(before, after) })));
  return { before, after };
}

function runUpdate(before: Delivery, after: Delivery) {
  return {
    Key: keyOf.delivery(before.shop_slug, before.target, before.id),
    UpdateExpression:
      'SET #status = :status, attempt_count = :none, attempts = :attempts, updated_at = :now REMOVE list_pk, list_sk',
    ConditionExpression: '#status = :before AND attempt_count = :count',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': after.status,
      ':none': after.attempt_count,
      ':attempts': after.attempts,
      ':now': after.updated_at,
      ':before': before.status,
      ':count': before.attempt_count,
    },
  };
}

/** What is not on the queue must not look as if it were: it would wait for ever. */
async function enqueueOrTakeBack(runs: readonly Run[]): Promise<void> {
  const byMessage = new Map<DeliveryMessage, Run>(runs.map((run) => [messageOf(run.after), run]));
  try {
    await enqueue([...byMessage.keys()]);
  } catch (error) {
    if (!(error instanceof NotEnqueued)) throw error;
    const refused = error.messages.map((message) => byMessage.get(message)!);
    for (const part of chunks(refused, writesAtOnce)) await Promise.allSettled(part.map(takeBack));
    throw error;
  }
}

function takeBack({ before, after }: Run): Promise<void> {
  return write(() =>
    table.send(
      new PutCommand({
        TableName: tableName(),
        Item: deliveryItem(before),
        ConditionExpression: '#status = :status AND attempt_count = :none AND updated_at = :now',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':status': after.status,
          ':none': after.attempt_count,
          ':now': after.updated_at,
        },
      }),
    ),
  );
}
