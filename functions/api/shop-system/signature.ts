import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether the header is the base64 HMAC-SHA256 of these very bytes. The time it takes tells nothing of the secret. */
export function isSignedWith(secret: string, bytes: Uint8Array, header: string): boolean {
  const expected = createHmac('sha256', secret).update(bytes).digest();
  const given = Buffer.from(header, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
