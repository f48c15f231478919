import { randomInt } from 'node:crypto';
import { type Send, SmokeFault } from './client.ts';

/** What a run makes in its shop and deletes at the end, in the order in which it can be deleted. */
const deletable = [
  '/automations',
  '/campaigns',
  '/announcements',
  '/deals',
  '/discounts',
  '/claims',
  '/webhooks',
  '/simulations',
] as const;

/** A run takes a minute. What is older than this was left by one that was killed, and is none of a run at the same time. */
export const leftoverAgeMs = 10 * 60_000;

/** For so long the key of a run works, if nobody deletes it. */
const keyLifeSeconds = 3600;

/** No operation names a key, so a run recognises its own by this time, in which some chance is. */
export const keyExpiration = (): number => Math.floor(Date.now() / 1000) + keyLifeSeconds - randomInt(1, 300);

/**
 * Deletes what earlier runs left. What cannot be deleted now is left to the next run: the walk of its family tells what
 * is wrong with it.
 * @param shop requests below the shop
 * @returns how much it deleted
 */
export async function removeLeftovers(shop: Send, ageMs: number): Promise<number> {
  const before = Date.now() - ageMs;
  let count = 0;
  const attempt = async (remove: () => Promise<number>): Promise<void> => {
    count += await remove().catch(() => 0);
  };
  for (const path of deletable) {
    await attempt(() => removeListed(shop, path, ({ created_at }) => Date.parse(String(created_at)) < before));
  }
  const lastExpiration = before / 1000 + keyLifeSeconds;
  await attempt(() => removeKeys(shop, (expiration) => expiration > 0 && expiration < lastExpiration));
  return count;
}

export type Fields = Record<string, unknown>;

/** A list has at most this many pages of leftovers. */
const maxPages = 20;

/** Deletes the entries of a list that it is asked to. @param path may have a query */
export async function removeListed(shop: Send, path: string, isWanted: (entry: Fields) => boolean): Promise<number> {
  const removed = new Set<unknown>();
  for (let page = 0; page < maxPages; page++) {
    // A list may still show what was just deleted.
    const found = (await entriesOf(shop, path)).filter((entry) => isWanted(entry) && !removed.has(entry.uuid));
    if (found.length === 0) break;
    for (const { uuid } of found) {
      await remove(shop, `${path.split('?')[0]}/${uuid}`);
      removed.add(uuid);
    }
  }
  return removed.size;
}

export async function entriesOf(shop: Send, path: string): Promise<Fields[]> {
  const listed = await shop('GET', path);
  return (Array.isArray(listed) ? listed : Object.values(listed).find(Array.isArray)) as Fields[];
}

export async function removeKeys(shop: Send, isWanted: (expiration: number) => boolean): Promise<number> {
  const { tokens } = await shop('GET', '/api-keys');
  const found = tokens.filter(({ expiration }: { expiration: number }) => isWanted(expiration));
  for (const { id } of found) await remove(shop, `/api-keys/${id}`);
  return found.length;
}

/** What is gone already is removed. */
async function remove(shop: Send, path: string): Promise<void> {
  try {
    await shop('DELETE', path, path.startsWith('/automations/') ? { status: 204 } : {});
  } catch (error) {
    if (!(error instanceof SmokeFault) || error.status !== 404) throw error;
  }
}
