import { keyOf } from '#platform/table/keys.ts';
import { type Action, update } from '#platform/table/writes.ts';
import { nextNight } from './retention-rules.ts';
import { dueAt, type Work } from './work.ts';

/** The parts of a night, in their order. */
export const nightParts = ['later', 'orders', 'erasure', 'images', 'claims', 'deliveries'] as const;
export type NightPart = (typeof nightParts)[number];

/** How far a night is. */
export interface Night {
  part: NightPart;
  /** The erasure that is asked for when the orders of the night are collected. */
  request: string;
  /** Orders that were looked at. */
  visited: number;
  /** Orders that are to be erased. */
  collected: number;
  /** The last target whose deliveries are done. */
  target?: string;
}

/** What a shop has erased by itself, a bounded part each night. */
export interface RetentionWork extends Work {
  work: 'retention';
  night?: Night;
  /** The last order that the walk over all orders has come to, and when the walk began. */
  orders_at?: string;
  walk_began?: string;
  /** The last claim that has lost its images, by its creation. */
  claims_at?: string;
  /** The last claim whose messages have lost theirs, by its last change. */
  messages_at?: string;
}

/** Makes the retention of a shop due in the next night. Part of every transaction that changes how long it keeps data. */
export function retentionDue(slug: string, now: Date): Action {
  const key = keyOf.retention(slug);
  const { list_pk, list_sk } = dueAt(slug, key.sk, nextNight(slug, now));
  return update(key, {
    UpdateExpression:
      'SET #work = :work, shop_slug = :slug, #version = if_not_exists(#version, :first), list_pk = :pk, list_sk = :sk',
    ExpressionAttributeNames: { '#work': 'work', '#version': 'version' },
    ExpressionAttributeValues: { ':work': 'retention', ':slug': slug, ':first': 1, ':pk': list_pk, ':sk': list_sk },
  });
}
