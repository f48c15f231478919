/** UUIDs in a short form, where few bytes decide about a write unit. */

const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const uuidLength = 16;

/** Undefined if it is no UUID in its usual form. */
export const bytesOfUuid = (text: string): Buffer | undefined =>
  pattern.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : undefined;

/** @param bytes 16 of them */
export function uuidOfBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
