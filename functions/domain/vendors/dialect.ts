import { retryAfterSeconds } from '#domain/deliveries/delivery-rules.ts';
import type { Pace } from '#domain/deliveries/pace-store.ts';
import { fieldsOf } from '#platform/foreign-json.ts';
import type { IntegrationTarget } from '#schemas/catalogues/integration-targets.ts';
import type { Credential } from './credential.ts';
import { type EventPayload, groupOf, profileOf } from './event-facts.ts';

/**
 * How one vendor takes events, as its documentation says: which requests, with which authentication, how often, and how
 * its answers read. A dialect sends nothing itself, so its tests need no network.
 */
export interface Dialect {
  /** How many deliveries one exchange takes. */
  maxBatch: number;
  /** Deliveries with different values cannot share an exchange. Absent if all can. */
  batchKey?(delivery: VendorDelivery, account: VendorAccount): string;
  /** The vendor's limit for one account, with a margin. Ours if the vendor publishes none. */
  rate: Pace;
  /** Why the vendor has no use for the event of a delivery. Such a delivery is cancelled and not sent. */
  skipReason(delivery: VendorDelivery, account: VendorAccount): string | undefined;
  /** Returns the result of each delivery. */
  exchange(deliveries: readonly VendorDelivery[], account: VendorAccount, now: Date): Exchange<VendorResult[]>;
  /** How to get an access token. Absent if the credential itself goes into each request. */
  tokenRequest?(account: VendorAccount): TokenRequest | undefined;
}

interface OneByOne extends Omit<Dialect, 'maxBatch' | 'batchKey' | 'exchange'> {
  requestFor(delivery: VendorDelivery, account: VendorAccount): VendorRequest;
  /** Absent if the vendor's answers read as usual. */
  resultOf?(answer: VendorAnswer, now: Date): VendorResult | undefined;
}

/** The dialect of a vendor that takes each event in a request of its own, and needs no other. */
export const oneByOne = ({ requestFor, resultOf, ...rest }: OneByOne): Dialect => ({
  ...rest,
  maxBatch: 1,
  *exchange([delivery], account, now) {
    const answer = yield requestFor(delivery!, account);
    return [resultOf?.(answer, now) ?? usualResult(answer, now)];
  },
});

export interface VendorDelivery {
  /** The same in every attempt: the vendor's key against doubles, where the vendor has one. */
  id: string;
  payload: EventPayload;
}

/** The account of a shop at the vendor. */
export interface VendorAccount {
  target: IntegrationTarget;
  credential: Credential;
  /** The shop's own settings for the integration, such as `portal_id`. */
  extras: Record<string, string>;
}

export interface VendorRequest {
  method: 'GET' | 'POST';
  /** Below the `url` of the target. */
  path: string;
  headers: Record<string, string>;
  /** Is sent as JSON. */
  body?: object;
  /**
   * In an exchange of several deliveries: the request is for one of them. The body of any other is not kept, because
   * the log of one customer's delivery would show the events of others.
   */
  isForOne?: boolean;
}

/** Asks for an access token by OAuth's client credentials. */
export interface TokenRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface VendorAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  /** The parsed JSON of the body. Undefined if the body is none. */
  body: unknown;
  /** The body as it came. */
  text?: string;
}

/** `answer`: the one that decided, or that none came, if that was not the last of the exchange. */
export type VendorResult = { answer?: VendorAnswer | NoAnswer } & (
  | { kind: 'accepted' }
  /** Another attempt may succeed. */
  | { kind: 'again'; reason: string; waitSeconds?: number; isVendorUp?: boolean }
  /** The vendor asks us to send less. That says nothing about the delivery, so it spends no attempt. */
  | { kind: 'throttled'; waitSeconds?: number }
  /** No further attempt can succeed. */
  | { kind: 'refused'; reason: string }
);

export const accepted: VendorResult = { kind: 'accepted' };
export const refused = (reason: string): VendorResult => ({ kind: 'refused', reason });
export const again = (reason: string): VendorResult => ({ kind: 'again', reason });

/**
 * What a bad request means whose message says that the vendor does not know the event: the merchant can define it. Until
 * then the other events of the shop need not wait.
 */
export const eventNotDefined = ({ status, body }: VendorAnswer, message: RegExp): VendorResult | undefined =>
  status === 400 && message.test(String(fieldsOf(body).message ?? ''))
    ? { kind: 'again', reason: 'event_not_defined', isVendorUp: true }
    : undefined;

const bodyIsWrong = [400, 413, 422];

/**
 * How an answer reads unless a vendor says otherwise. 401, 403 and 404 are worth another attempt, because the merchant
 * or the operator can mend the key, its rights or the address: until then the circuit of the target keeps the
 * deliveries.
 */
export function usualResult(answer: VendorAnswer, now: Date): VendorResult {
  const { status } = answer;
  const wait = waitOf(answer, now);
  if (status >= 200 && status < 300) return accepted;
  // The vendor has the event already.
  if (status === 409) return accepted;
  if (status === 429) return { kind: 'throttled', ...wait };
  // The same body would get the same answer.
  if (bodyIsWrong.includes(status) || status === 410) return refused(`http_${status}`);
  return { ...again(`http_${status}`), ...wait };
}

/** How long the vendor tells us to wait: in `Retry-After`, or as a Unix time in `X-RateLimit-Reset`. */
function waitOf({ headers }: VendorAnswer, now: Date): { waitSeconds?: number } {
  const asked = retryAfterSeconds(headers['retry-after'], now);
  if (asked > 0) return { waitSeconds: asked };
  const resetAt = Number(headers['x-ratelimit-reset'] ?? Number.NaN);
  const seconds = Math.ceil(resetAt - now.getTime() / 1000);
  return seconds > 0 ? { waitSeconds: seconds } : {};
}

/** The message is the reason, as a short code. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** What the merchant calls the group of an event at the vendor. */
export const givenName = ({ target }: VendorAccount, payload: EventPayload): string | undefined =>
  target.events?.[groupOf(payload)] ?? target.events?.['*'];

/** A vendor that takes any name gets that of the group, unless the merchant gave another. */
export const eventName = (account: VendorAccount, payload: EventPayload): string =>
  givenName(account, payload) ?? groupOf(payload);

/** For `skipReason`. */
export const skipWithoutProfile = ({ payload }: VendorDelivery): string | undefined =>
  Object.keys(profileOf(payload)).length === 0 ? 'no_email_and_no_customer_id' : undefined;
export const skipWithoutEmail = ({ payload }: VendorDelivery): string | undefined =>
  profileOf(payload).email ? undefined : 'no_email';

/** Yields one request after the other, each for the answer to it. Where no answer comes, NoAnswer is thrown into it. */
export type Exchange<Result> = Generator<VendorRequest, Result, VendorAnswer>;
