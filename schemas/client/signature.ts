import type { WebhookEvent } from './types.ts';

/** The headers of a request, as `fetch`, Node's servers or a framework give them. */
export type HeadersOf = Headers | Record<string, string | readonly string[] | undefined>;

export interface VerifyOptions {
  /** How far the time of the signature may be from yours. Default: 300. */
  toleranceSeconds?: number | undefined;
  now?: Date | undefined;
}

/**
 * Whether the service sent a request. Its headers have one signature for each secret that is in force, so during a
 * rotation the old and the new secret both match.
 * @param rawBody the bytes as they came, before a JSON parser changes them
 * @param secrets the secret of the endpoint, or several while you rotate it
 */
export async function verifySignature(
  rawBody: string | Uint8Array,
  headers: HeadersOf,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<boolean> {
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const isRecent = (time: string) => Math.abs(now.getTime() / 1000 - Number(time)) <= toleranceSeconds;
  for (const { time, prefix, keyOf, signatures } of claimsIn(headers)) {
    if (!/^\d+$/.test(time) || !isRecent(time)) continue;
    for (const secret of [secrets].flat()) {
      // A secret without a usable key has signed nothing.
      const key = await hmacKey(keyOf(secret), 'verify').catch(() => undefined);
      for (const signature of signatures) {
        // It compares in constant time.
        if (key && (await crypto.subtle.verify('HMAC', key, signature, signed(prefix, body)))) return true;
      }
    }
  }
  return false;
}

/** Thrown by `readEvent`. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/** Checks the signature and returns the event. */
export async function readEvent(
  rawBody: string | Uint8Array,
  headers: HeadersOf,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<WebhookEvent> {
  if (!(await verifySignature(rawBody, headers, secrets, options))) {
    throw new SignatureError('The request is not signed with the secret, or its time is too far from the clock.');
  }
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
}

/** The headers by which the service signs a request, for tests of a receiver. */
export async function signatureHeaders(
  body: Uint8Array,
  { id, secret, seconds }: { id: string; secret: string; seconds: number },
): Promise<Record<string, string>> {
  const sign = async (key: Bytes, prefix: string) =>
    new Uint8Array(await crypto.subtle.sign('HMAC', await hmacKey(key, 'sign'), signed(prefix, body)));
  const own = await sign(ownKey(secret), `${seconds}.`);
  const standard = await sign(standardKey(secret), `${id}.${seconds}.`);
  return {
    'service-signature': `t=${seconds},v1=${[...own].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

/** What a request says about itself in one of the two forms. */
interface Claim {
  time: string;
  /** What is signed before the body. */
  prefix: string;
  keyOf(secret: string): Bytes;
  signatures: Bytes[];
}

function claimsIn(headers: HeadersOf): Claim[] {
  const own = headerOf(headers, 'service-signature');
  const time = /(?:^|,)\s*t=(\d+)/.exec(own)?.[1] ?? '';
  const [id, standardTime, standard] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  return [
    {
      time,
      prefix: `${time}.`,
      keyOf: ownKey,
      signatures: [...own.matchAll(/v1=([0-9a-f]{64})\b/g)].map(([, hex]) => fromHex(hex!)),
    },
    {
      time: standardTime!,
      prefix: `${id}.${standardTime}.`,
      keyOf: standardKey,
      signatures: [...standard!.matchAll(/v1,([\w+/]{43}=)(?= |$)/g)].map(([, base64]) => fromBase64(base64!)),
    },
  ];
}

function headerOf(headers: HeadersOf, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
  return typeof found === 'string' ? found : found.join(',');
}

const prefix = 'whsec_';

const ownKey = (secret: string): Bytes => new TextEncoder().encode(secret);

/** A secret in the form of Standard Webhooks is base64 after its prefix. Any other secret is used as it is. */
const standardKey = (secret: string): Bytes =>
  secret.startsWith(prefix) ? fromBase64(secret.slice(prefix.length)) : ownKey(secret);

const hmacKey = (key: Bytes, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);

function signed(before: string, body: Uint8Array): Bytes {
  const start = new TextEncoder().encode(before);
  const all = new Uint8Array(start.length + body.length);
  all.set(start);
  all.set(body, start.length);
  return all;
}

const fromHex = (hex: string): Bytes => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));

/** As lenient as Node's Buffer, by which the service decodes the secrets that merchants choose. */
function fromBase64(text: string): Bytes {
  const digits = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/=.*/s, '')
    .replace(/[^A-Za-z0-9+/]/g, '');
  const usable = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(usable), (character) => character.charCodeAt(0));
}
