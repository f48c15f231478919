import { chunks } from '#platform/chunks.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';

interface Settings {
  carriers?: { shipment_updates?: boolean };
}

/** Those of the shops that have their parcels tracked. A shop that never said so has not. */
export async function shopsTakingUpdates(slugs: Iterable<string>): Promise<Set<string>> {
  const distinct = [...new Set(slugs)];
  const read = await Promise.all(chunks(distinct.map(keyOf.settings), 100).map(batchGet));
  const settings = read.flat() as (Settings | undefined)[];
  return new Set(distinct.filter((_, i) => settings[i]?.carriers?.shipment_updates === true));
}
