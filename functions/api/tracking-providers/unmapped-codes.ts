import { readProvider } from '#domain/tracking-providers/provider-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { logger } from '#platform/logging.ts';
import { keyOf, unmappedCodePrefix, unmappedCodesOf } from '#platform/table/keys.ts';
import { pageOf } from '#platform/table/paging.ts';
import { allItemsIn, batchGet } from '#platform/table/reads.ts';
import { type Action, commit, insert, retryOnConflict, update } from '#platform/table/writes.ts';
import { trackingProviderLimits } from '#schemas/catalogues/limits.ts';
import type { TrackingProviderName } from '#schemas/catalogues/tracking-providers.ts';
import type { trackingProviderOperations, UnmappedCode } from '#schemas/families/tracking-providers.ts';

const { unmappedCodes, unmappedInOneWebhook, codeLength, textLength } = trackingProviderLimits;

export const listUnmappedCodes: Implementation<(typeof trackingProviderOperations)['listUnmappedCodes']> = async (
  request,
) => {
  const { params, query } = request;
  if (!(await readProvider(params.provider))) throw new ServiceError('tracking_provider_not_found');
  return pageOf((await codesOf(params.provider)).sort(mostFrequentFirst), query);
};

const mostFrequentFirst = (a: UnmappedCode, b: UnmappedCode) => b.count - a.count || (a.code < b.code ? -1 : 1);

async function codesOf(provider: TrackingProviderName): Promise<UnmappedCode[]> {
  const items = await allItemsIn<UnmappedCode>(unmappedCodesOf(provider), { prefix: unmappedCodePrefix });
  return items.map(({ code, text, count, last_at }) => ({ code, text, count, last_at }));
}

interface Seen {
  code: string;
  text: string;
}

/**
 * Counts codes that have no event. A new code is written with the number of codes, in one transaction, so that a
 * provider never has more than the limit. A known code is only counted, because that is the usual case, and many
 * webhooks with the same code must not get into each other's way. A failure is only logged: the provider would send the
 * whole webhook again, whose events are queued.
 */
export async function countUnmapped(provider: TrackingProviderName, seen: readonly Seen[], now: Date): Promise<void> {
  if (seen.length === 0) return;
  const codes = tally(seen, now.toISOString()).slice(0, unmappedInOneWebhook);
  try {
    const known = await insertNew(provider, codes);
    await mapConcurrently(known, (code) => countAgain(provider, code));
  } catch (error) {
    logger.error('codes without an event are not counted', { provider, codes: codes.length, error: errorName(error) });
  }
}

/** Only the name, because the message may quote what was to be written. */
const errorName = (error: unknown) => (error as Error).name;

/** Writes the codes that the provider does not have yet, and returns the others. */
function insertNew(provider: TrackingProviderName, codes: readonly UnmappedCode[]): Promise<UnmappedCode[]> {
  return retryOnConflict(async () => {
    const keys = codes.map(({ code }) => keyOf.unmappedCode(provider, code));
    const [count, ...known] = await batchGet([keyOf.unmappedCount(provider), ...keys]);
    const kept = (count?.entries as number | undefined) ?? 0;
    const fresh = codes.filter((_, i) => !known[i]).slice(0, Math.max(unmappedCodes - kept, 0));
    if (fresh.length > 0) await commit(insertions(provider, fresh, kept));
    const dropped = codes.length - fresh.length - known.filter(Boolean).length;
    if (dropped > 0) logger.warn('codes without an event are not kept', { provider, codes: dropped });
    return codes.filter((_, i) => known[i]);
  });
}

/** Each code once, with its last text. */
function tally(seen: readonly Seen[], last_at: string): UnmappedCode[] {
  const codes = new Map<string, UnmappedCode>();
  for (const { code: raw, text } of seen) {
    const code = shortened(raw, codeLength);
    codes.set(code, { code, text: shortened(text, textLength), count: (codes.get(code)?.count ?? 0) + 1, last_at });
  }
  return [...codes.values()];
}

/** Cut by characters: half of a pair could not be stored. */
const shortened = (text: string, length: number): string =>
  text.length <= length ? text.toWellFormed() : text.slice(0, length).toWellFormed();

function insertions(provider: TrackingProviderName, codes: readonly UnmappedCode[], kept: number): Action[] {
  return [
    update(keyOf.unmappedCount(provider), {
      UpdateExpression: 'ADD entries :more',
      ConditionExpression: kept === 0 ? 'attribute_not_exists(pk)' : 'entries = :kept',
      ExpressionAttributeValues: { ':more': codes.length, ...(kept > 0 && { ':kept': kept }) },
    }),
    ...codes.map((code) => insert({ ...keyOf.unmappedCode(provider, code.code), ...code })),
  ];
}

const countAgain = (provider: TrackingProviderName, { code, text, count, last_at }: UnmappedCode): Promise<void> =>
  commit([
    update(keyOf.unmappedCode(provider, code), {
      UpdateExpression: 'SET #text = :text, last_at = :at, #code = :code ADD #count :more',
      ExpressionAttributeNames: { '#text': 'text', '#count': 'count', '#code': 'code' },
      ExpressionAttributeValues: { ':text': text, ':at': last_at, ':code': code, ':more': count },
    }),
  ]);
