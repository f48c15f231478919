import type { ClaimFilters } from '#schemas/claims.ts';
import { invalid } from '#shared/api-error.ts';
import { chunks } from '#shared/chunks.ts';
import { loadClaims } from '#shared/claims/claim-store.ts';
import type { Claim } from '#shared/claims/model.ts';
import { type Place, walkIndex } from '#shared/index-walk.ts';
import { claimPrefix, orderIdIn } from '#shared/keys.ts';
import type { Position } from '#shared/pages.ts';
import { indexFor, isAnsweredByIndex, matches, placeOf, type Summary, sortField } from './claim-filters.ts';

export interface Collected {
  found: Claim[];
  /** Behind the last one found; undefined where the list ended before the page was full. */
  position: Position | undefined;
}

/** So that a request ends in time, however many claims a shop has. */
const mostSteps = 100;

/** Walks the index of the filters from where the page begins until the page is full. */
export async function collect(
  slug: string,
  filters: ClaimFilters,
  start: Position | undefined,
  skip: number,
): Promise<Collected> {
  const found: Claim[] = [];
  let [toSkip, steps] = [skip, 0];
  for await (const places of walkIndex(indexFor(slug, filters), start, entriesAtOnce(filters, skip))) {
    const candidates = places.filter(({ item }) => matches(summaryOf(item), filters));
    const wanted = candidates.slice(toSkip);
    toSkip -= candidates.length - wanted.length;
    for (const part of chunks(wanted, filters.per_page)) {
      for (const [place, claim] of await read(slug, part, filters)) {
        found.push(claim);
        if (found.length === filters.per_page) return { found, position: place.key };
      }
    }
    if (++steps === mostSteps) throw tooMany();
  }
  return { found, position: undefined };
}

/** As many entries as the page needs; many at once where most of them are only counted or looked at. */
const entriesAtOnce = (filters: ClaimFilters, toSkip: number) =>
  toSkip === 0 && isAnsweredByIndex(filters) ? filters.per_page : 500;

function summaryOf(item: Place['item']): Summary {
  const { created_at, updated_at, claim } = item as unknown as Summary & { claim: Summary };
  return { ...claim, created_at, updated_at };
}

/** The index may lag behind: what it says is held against the claim itself. */
async function read(slug: string, places: readonly Place[], filters: ClaimFilters): Promise<[Place, Claim][]> {
  const keys = places.map(({ item: { pk, sk } }) => ({
    order_id: orderIdIn(String(pk)),
    uuid: String(sk).slice(claimPrefix.length),
  }));
  const claims = new Map((await loadClaims(slug, keys)).map((claim) => [claim.uuid, claim]));
  const field = sortField(filters.sort);
  return places.flatMap((place, i): [Place, Claim][] => {
    const claim = claims.get(keys[i]!.uuid);
    return claim && placeOf(claim, field) === place.place && matches(claim, filters) ? [[place, claim]] : [];
  });
}

const tooMany = () =>
  invalid({
    loc: ['query'],
    msg: 'needs a look at too many claims: read the pages before it first, or narrow the range of time',
    type: 'value_error',
  });
