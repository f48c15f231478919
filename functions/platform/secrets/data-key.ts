import { remember } from '#platform/recently-used.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { commit, insert, WriteConflict } from '#platform/table/writes.ts';
import type { Context, DataKey } from './envelope.ts';
import { cacheMs, decryptedOnce, loadKms } from './kms.ts';

/**
 * A shop has one data key for each kind of place in the contexts of its secrets. One for all kinds would let a function
 * that may read one kind read all of them.
 */
export function scopeOf({ shop, ...place }: Context): Context {
  return { shop: shop!, ...Object.fromEntries(Object.keys(place).map((kind) => [kind, everyPlace])) };
}

const everyPlace = '*';

interface Known {
  wrapped: Uint8Array;
  until: number;
}

/** A repeatable run of tests forgets them. */
export const knownDataKeys = new Map<string, Known>();
const maxKnown = 1000;

/** The data key with which secrets of this kind are encrypted now. */
export const currentDataKey = async (context: Context): Promise<DataKey> => (await keptKey(context, readOrCreate))!;

/** The same for a function that only reads what others made. Undefined if nobody made anything. */
export const existingDataKey = (context: Context): Promise<DataKey | undefined> => keptKey(context, read);

async function keptKey(
  context: Context,
  find: (scope: Context) => Promise<Uint8Array | undefined>,
): Promise<DataKey | undefined> {
  const scope = scopeOf(context);
  const name = JSON.stringify(scope);
  const found = knownDataKeys.get(name);
  const now = Date.now();
  const wrapped = found && found.until > now ? found.wrapped : await find(scope);
  if (!wrapped) return undefined;
  if (wrapped !== found?.wrapped) remember(knownDataKeys, name, { wrapped, until: now + cacheMs }, maxKnown);
  return { wrapped, plain: await decryptedOnce(wrapped, scope) };
}

/** Of several that find no data key at once, one creates it and all use the same. */
async function readOrCreate(scope: Context): Promise<Uint8Array> {
  const stored = await read(scope);
  if (stored) return stored;
  const wrapped = await (await loadKms()).newWrappedKey(scope);
  try {
    await commit([insert({ ...itemKey(scope), wrapped, created_at: new Date().toISOString() })]);
    return wrapped;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    const first = await read(scope);
    if (!first) throw error;
    return first;
  }
}

const itemKey = ({ shop, ...place }: Context) => keyOf.dataKey(shop!, Object.keys(place).join('#'));

async function read(scope: Context): Promise<Uint8Array | undefined> {
  const [item] = await batchGet([itemKey(scope)]);
  return item?.wrapped as Uint8Array | undefined;
}
