import { createHash } from 'node:crypto';
import type { Key } from '#platform/table/batch-get.ts';
import { placeIn } from '#platform/table/keys.ts';

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
export const duePlace = (key: Key, time: string) => placeIn.due(shardOf(key), time);

/** Always the same shard for the same key. */
const shardOf = ({ pk, sk }: Key) => createHash('sha256').update(`${pk} ${sk}`).digest()[0]! % dueShards;
