import { createHmac } from 'node:crypto';

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
