import { createHmac, timingSafeEqual } from 'node:crypto';

export type Encoding = 'base64' | 'hex';

/** Whoever writes a signature otherwise has not made it. */
const forms: Record<Encoding, RegExp> = { base64: /^[A-Za-z0-9+/_-]{43}=?$/, hex: /^[\da-f]{64}$/i };

/**
 * Whether the signature is the HMAC-SHA256 of exactly these bytes. The comparison takes the same time for every signature,
 * so it reveals nothing about the secret.
 */
export function isSignedWith(
  secret: string,
  content: string | Uint8Array,
  signature: string,
  encoding: Encoding = 'base64',
): boolean {
  if (!forms[encoding].test(signature)) return false;
  const expected = createHmac('sha256', secret).update(content).digest();
  return timingSafeEqual(Buffer.from(signature, encoding), expected);
}
