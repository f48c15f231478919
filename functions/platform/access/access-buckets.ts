import { createHash } from 'node:crypto';
import { type Bucket, take } from '#platform/table/bucket.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { KeyRate } from './key-rate.ts';
import { allTriesMs, oneMoreMs } from './wrong-keys.ts';

/** Takes units of a busy shop or SuperAdmin. Returns how long to wait because there are not enough, 0 if it got them. */
export function takeUnits(subject: string, units: number, rate: KeyRate, now: number): Promise<number> {
  const msOf = (count: number) => Math.ceil((count / rate.unitsPerSecond) * 1000);
  return waitMs(bucketOf(keyOf.keyRate(subject)), msOf(units), msOf(rate.burst), now);
}

/** Counts a wrong key of the pair of username and address. Returns how long to wait, 0 if tries are left. */
export function countWrongKey(pair: string, now: number): Promise<number> {
  const hash = createHash('sha256').update(pair).digest('base64url');
  return waitMs(bucketOf(keyOf.wrongKeys(hash)), oneMoreMs, allTriesMs, now);
}

const bucketOf = (key: Bucket['key']): Bucket => ({ key, attribute: 'full_at' });

const clockToleranceMs = 5000;

async function waitMs(bucket: Bucket, ms: number, capacityMs: number, now: number): Promise<number> {
  const empty = now + capacityMs;
  const taken = await take(bucket, { ms, latest: empty - ms, possible: empty + clockToleranceMs }, now);
  return 'waitMs' in taken ? taken.waitMs : 0;
}
