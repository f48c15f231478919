import type { Pace } from '#domain/deliveries/pace-store.ts';
import type { Customer } from '#domain/segments/segment-rules.ts';
import { type Exchange, refused, type VendorAccount, type VendorResult } from './dialect.ts';

/** How one vendor tells the segments of a customer. It sends nothing itself, so its tests need no network. */
export interface SegmentSource {
  /** How often a customer may be asked about: the vendor's limit for one account, with a margin. */
  rate: Pace;
  exchange(customer: Customer, account: Pick<VendorAccount, 'credential'>, now: Date): Exchange<SegmentResult>;
}

/** A step of an exchange, which other steps follow if it returns what it asked for. */
export type Step<T> = Exchange<T | Fault>;

export type Fault = Exclude<VendorResult, { kind: 'accepted' }>;

/** A customer whom the vendor does not know has no segments. */
export type SegmentResult = { kind: 'found'; segments: string[] } | Fault;

export const isFault = (value: unknown): value is Fault =>
  typeof value === 'object' && value !== null && 'kind' in value;

/**
 * What follows from the result of a request. Where a delivery waits for somebody to mend the key or its rights, this does
 * not: every new order would wait for a day, and asks again anyway.
 */
export function faultIn(result: VendorResult | undefined): Fault | undefined {
  if (result === undefined || result.kind === 'accepted') return undefined;
  const isRefused = result.kind === 'again' && forNow.test(result.reason);
  return isRefused ? (refused(result.reason) as Fault) : result;
}

const forNow = /^(http_(?!408)[34]\d\d|access_denied|shop_inactive|malformed_answer)$/;

/** An answer without the part that the vendor documents. It may be cut off because it is too long. */
export const malformed = refused('malformed_answer') as Fault;

/** The texts of a list, without anything else that is in it. */
export const textsOf = (values: readonly unknown[]): string[] => values.filter((value) => typeof value === 'string');
