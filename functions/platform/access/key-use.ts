import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { remember } from '#platform/recently-used.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { Key } from '#platform/table/reads.ts';
import { dayAt } from '#platform/time.ts';
import type { Caller } from './caller.ts';

/**
 * When the API keys of shops were last used, to the day. An environment notes a key once a day, and the first of them
 * writes it. It is not part of the key's own item, because every function would then have the right to change keys.
 */

export interface KeyUse {
  sk: string;
  /** A day in UTC. */
  used_on: string;
}

/** Bounds the memory that callers can fill. */
const maxRemembered = 1000;

/** A repeatable run of tests forgets them. */
export const notedOn = new Map<string, string>();

/** The note is written while the request is handled, and no request fails with it. Undefined if there is nothing to write. */
export function noteKeyUse({ username, tokenId, superAdmin }: Caller, now: Date): Promise<void> | undefined {
  const day = dayAt(now);
  if (superAdmin || notedOn.get(tokenId) === day) return undefined;
  remember(notedOn, tokenId, day, maxRemembered);
  return write(keyOf.keyUse(username, tokenId), day);
}

async function write(key: Key, day: string): Promise<void> {
  try {
    await table.send(
      new PutCommand({
        TableName: tableName(),
        Item: { ...key, used_on: day },
        ConditionExpression: 'attribute_not_exists(pk) OR used_on < :day',
        ExpressionAttributeValues: { ':day': day },
      }),
    );
  } catch {
    // Another environment wrote the day, or it is missing until tomorrow.
  }
}
