import type { Claim } from '#domain/claims/claim-rules.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { utc } from '#platform/time.ts';
import type { ClaimFilters } from '#schemas/families/claims.ts';

/** The fields of a claim that the index holds. */
export type Summary = Pick<Claim, 'status' | 'reason' | 'resolution_preference' | 'created_at' | 'updated_at'>;

/** Checks every filter, because the range of an index answers only some of them. */
export function matches(claim: Summary, filters: ClaimFilters): boolean {
  const { status, reason, resolution_preference } = filters;
  return (
    (status === undefined || claim.status === status) &&
    (reason === undefined || claim.reason === reason) &&
    (resolution_preference === undefined || claim.resolution_preference === resolution_preference) &&
    isWithin(claim.created_at, filters.created_from, filters.created_to) &&
    isWithin(claim.updated_at, filters.updated_from, filters.updated_to)
  );
}

const isWithin = (time: string, from: string | undefined, to: string | undefined) =>
  (from === undefined || time >= utc(from)) && (to === undefined || time <= utc(to));

/** A part of an index, from one time to another, both included. */
export interface IndexRange {
  name: 'timeline' | 'activity';
  partition: string;
  from: string;
  to: string;
  /** True for oldest first, false for newest first. */
  forward: boolean;
}

/**
 * The index in the order of the sort, and the part of it that can match. A claim never changes before it is created, so
 * the range of either time also bounds the other on one side.
 */
export function indexFor(slug: string, filters: ClaimFilters): IndexRange {
  const { sort, created_from, created_to, updated_from, updated_to } = filters;
  const forward = !sort.startsWith('-');
  if (sortField(sort) === 'created_at') {
    const range = { from: latest(created_from), to: earliest(created_to, updated_to) };
    return { name: 'timeline', partition: partitionOf.claimsByCreation(slug), ...range, forward };
  }
  const range = { from: latest(created_from, updated_from), to: earliest(updated_to) };
  return { name: 'activity', partition: partitionOf.claimsByUpdate(slug), ...range, forward };
}

type Time = string | undefined;

/** Every time begins with a year of four digits. */
export const firstTime = '0';
export const lastTime = '9';
const latest = (...times: Time[]) => sorted(times).at(-1) ?? firstTime;
const earliest = (...times: Time[]) => sorted(times).at(0) ?? lastTime;
const sorted = (times: Time[]) => times.flatMap((time) => (time === undefined ? [] : utc(time))).sort();

export const sortField = (sort: ClaimFilters['sort']) => sort.replace('-', '') as 'created_at' | 'updated_at';

/** Compares claims in the order of the index. */
export function compareBy(sort: ClaimFilters['sort']) {
  const field = sortField(sort);
  const direction = sort.startsWith('-') ? -1 : 1;
  return (a: Claim, b: Claim) => (placeOf(a, field) < placeOf(b, field) ? -direction : direction);
}

/** The sort key of a claim in the index of the field. */
export const placeOf = (claim: Claim, field: 'created_at' | 'updated_at') => `${claim[field]}#${claim.uuid}`;

/** Whether every claim in the range of the index matches. Then a page needs no more entries than it has claims. */
export function isAnsweredByIndex(filters: ClaimFilters): boolean {
  const { status, reason, resolution_preference, created_from, created_to, updated_from, updated_to } = filters;
  const byCreation = sortField(filters.sort) === 'created_at';
  const others = byCreation ? [updated_from, updated_to] : [created_from, created_to];
  return [status, reason, resolution_preference, ...others].every((filter) => filter === undefined);
}
