import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256. */
export const hmacOf = (secret: string, ...parts: (string | Uint8Array)[]) => {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac;
};

/** Takes the same time for every text, so that it reveals nothing about the expected one, not even its length. */
export function isSame(received: string | undefined, expected: string): boolean {
  if (received === undefined) return false;
  return timingSafeEqual(digestOf(received), digestOf(expected));
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();
