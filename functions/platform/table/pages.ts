import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from './batch-get.ts';
import { table, tableName } from './client.ts';
import { keyOf } from './keys.ts';

/**
 * Where a page of a list begins. Who reads page after page gets each where the one before ended: nothing is skipped or
 * repeated while new entries come in, and a page far back costs what the first one costs. Kept for each API key and
 * list for a quarter of an hour; without it a page is found by counting from the beginning.
 */
const keptFor = 15 * 60;

export type Position = Record<string, unknown>;

interface PagePlace {
  tokenId: string;
  /** What distinguishes one list from another: its name and its filters. */
  list: string;
  page: number;
}

export async function startOfPage({ tokenId, list, page }: PagePlace, now: Date): Promise<Position | undefined> {
  if (page === 1) return undefined;
  const [kept] = await batchGet([keyOf.page(tokenId, list, page)]);
  const { position, expires_at } = (kept ?? {}) as { position?: Position; expires_at?: number };
  return expires_at !== undefined && expires_at * 1000 > now.getTime() ? position : undefined;
}

export async function keepStartOfPage(place: PagePlace, position: Position, now: Date): Promise<void> {
  const expires_at = Math.floor(now.getTime() / 1000) + keptFor;
  const Item = { ...keyOf.page(place.tokenId, place.list, place.page), position, expires_at };
  await table.send(new PutCommand({ TableName: tableName(), Item }));
}

/** The same filters name the same list, in whatever order they are given. */
export function listName(name: string, filters: Record<string, unknown>): string {
  const { page: _page, ...rest } = filters;
  const text = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${name}#${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}
