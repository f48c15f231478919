import { mapConcurrently } from '#platform/batches.ts';
import type { Sweep } from './sweep.ts';

const removedAtOnce = 4;

/**
 * Removes all versions of the objects whose names begin so, up to a name. Names of images begin with their time. False if the
 * time was over before.
 */
export async function removeObjectsIn(sweep: Sweep, bucket: string, prefix: string, upTo = '~'): Promise<boolean> {
  // Few rounds need it.
  const { versionPages, removeVersion } = await import('#platform/lazy/s3-versions.ts');
  for await (const page of versionPages(bucket, prefix)) {
    const old = page.filter(({ key }) => key.slice(prefix.length) < upTo);
    await mapConcurrently(old, (version) => removeVersion(bucket, version), removedAtOnce);
    sweep.removed += old.length;
    if (old.length < page.length) return true;
    if (page.length > 0 && sweep.turn.isOver()) return false;
  }
  return true;
}
