import { createHmac } from 'node:crypto';
import type { AttemptResult } from '#domain/deliveries/delivery-rules.ts';
import { type CallOptions, type CallResult, callDeadlineMs, createCall } from '#platform/outgoing/call.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';

interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends and answers; never throws. */
export type Post = (outgoing: Outgoing) => Promise<AttemptResult>;

export type PostOptions = Omit<CallOptions, 'maxBytesKept'>;

export const attemptDeadlineMs = callDeadlineMs;

export function createPost(options: PostOptions = {}): Post {
  const call = createCall({ ...options, maxBytesKept });
  return async (outgoing) => attemptResultOf(await call({ method: 'POST', ...outgoing }));
}

function attemptResultOf({ status, headers = {}, body, failure }: CallResult): AttemptResult {
  if (status === undefined) return { error: failure };
  const read = body === undefined ? { error: failure } : { response: textOf(body, headers['content-encoding']) };
  if (status >= 200 && status < 300) return { status, ...read };
  return { status, ...read, error: `http_${status}`, retryAfter: [headers['retry-after']].flat()[0] };
}

/** What of an answer is kept for the merchant to see. */
const { answerBytes: maxBytesKept } = deliveryLimits;

/** As text of at most 1 KB; undefined where there is none to show. */
function textOf(beginning: Buffer, encoding: string | string[] | undefined): string | undefined {
  if (beginning.length === 0 || (encoding !== undefined && encoding !== 'identity')) return undefined;
  // A byte that is no text became three.
  return decoded(Buffer.from(decoded(beginning)).subarray(0, maxBytesKept));
}

/** Without the letter that the limit cut, if it cut one: a stream would go on with it. */
const decoded = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });

export interface Signed {
  id: string;
  body: Uint8Array;
  /** Those in force, the current one first: during a rotation both sign. */
  secrets: readonly string[];
  now: Date;
}

/** The contract's signature, and that of the Standard Webhooks specification beside it, over the exact bytes sent. */
export function signatureHeaders({ id, body, secrets, now }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const ours = secrets.map((secret) => hmac(ownKey(secret), `${timestamp}.`, body).toString('hex'));
  const standard = secrets.map((secret) => hmac(standardKey(secret), `${id}.${timestamp}.`, body).toString('base64'));
  return {
    'service-signature': [`t=${timestamp}`, ...ours.map((signature) => `v1=${signature}`)].join(','),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.map((signature) => `v1,${signature}`).join(' '),
  };
}

const standardPrefix = 'whsec_';

type Key = [text: string, encoding: 'utf8' | 'base64'];

const ownKey = (secret: string): Key => [secret, 'utf8'];

/** A secret in the form of that specification is base64 behind its prefix; any other is taken as its text is. */
const standardKey = (secret: string): Key =>
  secret.startsWith(standardPrefix) ? [secret.slice(standardPrefix.length), 'base64'] : ownKey(secret);

// A key that comes as bytes costs Node several times as much as one that comes as text.
const hmac = ([key, encoding]: Key, prefix: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key, { encoding }).update(prefix).update(body).digest();
