import { tableName } from '#platform/table/client.ts';
import { indexKeyOf } from '#platform/table/keys.ts';
import type { Key } from '#platform/table/reads.ts';
import { shardIn } from '#platform/table/shards.ts';
import { type Action, remove } from '#platform/table/writes.ts';
import { secondsOfDays } from '#schemas/catalogues/limits.ts';

/** The kinds of work that happens at a later time. `functions/pipeline/due` maps each kind to its function. */
export type DueKind = 'internal_trigger' | 'trigger_replan' | 'automation_run';

/** The content of a due item besides its keys. */
export interface Due {
  kind: DueKind;
  shop_slug: string;
  /** UTC with milliseconds, so texts sort as times do. */
  due_at: string;
}

/** A due item as the index returns it, with the further fields of its kind. Such an item has at most about 10 KB. */
export interface DueItem extends Due, Key {
  /** How often it has failed by its own fault. */
  attempts?: number;
  /** When it was due first, if it has failed since. */
  waiting_since?: string;
}

export function dueItem<Content extends Due>(key: Key, content: Content) {
  return { ...key, ...content, ...duePlace(key, content.due_at) };
}

const shardOf = ({ pk, sk }: Key) => shardIn('due', `${pk} ${sk}`);
/** Where an item stands in the list. */
export const duePlace = (key: Key, time: string) => indexKeyOf.due(shardOf(key), time);

/**
 * The following functions remove an item from the list or move it, as parts of a transaction. Each has the condition
 * that the item did not change after it was read. If two functions process the same item, one of them fails with its
 * whole transaction.
 */

/** The work is done, or is not needed any more. */
export const removeDue = (item: DueItem): Action => remove(keyOnly(item), condition, { ':read': item.due_at });

export const moveDue = (item: DueItem, time: string, attempts: number) => ({
  Update: {
    TableName: tableName(),
    Key: keyOnly(item),
    UpdateExpression:
      'SET due_at = :time, list_sk = :place, attempts = :attempts, waiting_since = if_not_exists(waiting_since, :read)',
    ConditionExpression: condition,
    ExpressionAttributeValues: {
      ':read': item.due_at,
      ':time': time,
      ':place': duePlace(item, time).list_sk,
      ':attempts': attempts,
    },
  },
});

/**
 * How long an item is kept after it has left the list, with what it remembers. An order that is older than this is no
 * longer fulfilled, so nothing asks for it.
 */
const markTtlDays = 400;
export const markExpiry = (time: number) => Math.floor(time / 1000) + secondsOfDays(markTtlDays);

/** Moves the item to the list of those that an operator may put back. */
export function giveUpDue(item: DueItem, reason: string, now: Date) {
  const { list_pk, list_sk } = indexKeyOf.givenUpDue(shardOf(item), now.toISOString());
  return {
    Update: {
      TableName: tableName(),
      Key: keyOnly(item),
      UpdateExpression:
        'SET given_up_at = :now, reason = :reason, expires_at = :expiry, list_pk = :list, list_sk = :now REMOVE due_at',
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ':read': item.due_at,
        ':now': list_sk,
        ':list': list_pk,
        ':reason': reason,
        ':expiry': markExpiry(now.getTime()),
      },
    },
  };
}

/** Also fails for an item that is deleted or not in the list any more, because it has no due_at. */
const condition = 'due_at = :read';
const keyOnly = ({ pk, sk }: Key) => ({ pk, sk });

/**
 * The result of an item: `done`, `moved` to another time, `dropped` because it is not needed any more, or `lost` to
 * another function that processes the list at the same time.
 */
export type DueItemResult = 'done' | 'moved' | 'dropped' | 'lost';

/**
 * Does the work of an item. It must remove the item from the list or move it in the same transaction. An item that stays
 * in the list is processed again. If it throws, the item is tried again later. An item for several things has a result
 * for each of them.
 */
export type ProcessDueItem = (item: DueItem) => Promise<DueItemResult | readonly DueItemResult[]>;

/** Called once for each round. The processor may cache what it reads about a shop during the round. */
export type StartRound = (now: Date) => ProcessDueItem;
