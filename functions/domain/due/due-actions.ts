import type { Key } from '#platform/table/batch-get.ts';
import { tableName } from '#platform/table/client.ts';
import { type Action, remove } from '#platform/table/write-actions.ts';
import { type DueItem, duePlace } from './due-item.ts';

/**
 * How an item leaves the list or moves in it: parts of a transaction. Each holds only while the item stands where it
 * was read. So of two functions that work off the same item one loses, and with it everything in its transaction.
 */

/** It has been done, or need not be done any more. */
export const removeDue = (item: DueItem): Action => remove(keyOnly(item), condition, { ':read': item.due_at });

/** It is due at another time. */
export const moveDue = (item: DueItem, time: string, attempts = 0) => ({
  Update: {
    TableName: tableName(),
    Key: keyOnly(item),
    UpdateExpression: 'SET due_at = :time, list_sk = :place, attempts = :attempts',
    ConditionExpression: condition,
    ExpressionAttributeValues: {
      ':read': item.due_at,
      ':time': time,
      ':place': duePlace(item, time).list_sk,
      ':attempts': attempts,
    },
  },
});

/** It stays, so that it cannot be planned again, but not in the list. `mark` names when that was. */
export const retireDue = (item: DueItem, mark: 'fired_at' | 'given_up_at', now: Date, keptForDays: number) => ({
  Update: {
    TableName: tableName(),
    Key: keyOnly(item),
    UpdateExpression: `SET ${mark} = :now, expires_at = :expiry REMOVE list_pk, list_sk, due_at`,
    ConditionExpression: condition,
    ExpressionAttributeValues: {
      ':read': item.due_at,
      ':now': now.toISOString(),
      ':expiry': Math.floor(now.getTime() / 1000) + keptForDays * 24 * 3600,
    },
  },
});

/** An item that is gone or retired has no due_at: it does not hold either. */
const condition = 'due_at = :read';
const keyOnly = ({ pk, sk }: Key) => ({ pk, sk });
