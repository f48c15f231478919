import { createHash } from 'node:crypto';
import { tableName } from '#platform/table/client.ts';
import { placeIn } from '#platform/table/keys.ts';
import type { Key } from '#platform/table/reads.ts';
import { type Action, remove } from '#platform/table/writes.ts';

/** What kinds of things happen at a later time. `functions/due/kinds.ts` says who does each of them. */
export type DueKind = 'internal_trigger' | 'trigger_replan' | 'automation_run';

/** Something that is to happen at a time: what an item of the table says besides its key and its place. */
export interface Due {
  kind: DueKind;
  shop_slug: string;
  /** UTC, to the millisecond: texts compare as times do. */
  due_at: string;
}

/** As the index gives it, with whatever else its kind keeps in it. */
export interface DueItem extends Due, Key {
  /** How often it was tried in vain. */
  attempts?: number;
}

/**
 * The list is one partition of the index for each shard: one alone would take 1,000 writes in a second at most, and
 * plans are made as fast as parcels are scanned.
 */
export const dueShards = 8;

export function dueItem<Content extends Due>(key: Key, content: Content) {
  return { ...key, ...content, ...duePlace(key, content.due_at) };
}

/** Where the item of this key stands in the list. */
const duePlace = (key: Key, time: string) => placeIn.due(shardOf(key), time);

/** Always the same shard for the same key. */
const shardOf = ({ pk, sk }: Key) => createHash('sha256').update(`${pk} ${sk}`).digest()[0]! % dueShards;

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
export const retireDue = (item: DueItem, mark: 'fired_at' | 'given_up_at', now: Date, ttlDays: number) => ({
  Update: {
    TableName: tableName(),
    Key: keyOnly(item),
    UpdateExpression: `SET ${mark} = :now, expires_at = :expiry REMOVE list_pk, list_sk, due_at`,
    ConditionExpression: condition,
    ExpressionAttributeValues: {
      ':read': item.due_at,
      ':now': now.toISOString(),
      ':expiry': Math.floor(now.getTime() / 1000) + ttlDays * 24 * 3600,
    },
  },
});

/** An item that is gone or retired has no due_at: it does not hold either. */
const condition = 'due_at = :read';
const keyOnly = ({ pk, sk }: Key) => ({ pk, sk });

/**
 * What came of an item: `done`, `moved` to another time, `dropped` because it need not happen any more, or `lost` to
 * another function that works off the list at the same time.
 */
export type DueItemResult = 'done' | 'moved' | 'dropped' | 'lost';

/**
 * Does what is due. It takes the item out of the list in the same transaction (see due-actions.ts); an item that stays
 * is done again. What it throws is tried again later.
 */
export type ProcessDueItem = (item: DueItem) => Promise<DueItemResult>;

/** Called once for each round: what it reads of a shop may be remembered for that long. */
export type StartRound = (now: Date) => ProcessDueItem;
