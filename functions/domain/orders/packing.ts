import { gunzipSync, gzipSync } from 'node:zlib';
import { ApiError } from '#platform/http/api-error.ts';

/**
 * A document is stored compressed: it may hold any JSON, costs a fraction of the capacity, and has one bound that is
 * checked here. So an item never outgrows DynamoDB's 400 KB: the rest of an item is keys and a few short attributes.
 */
const largestDocument = 350 * 1024;

/** Text that repeats itself packs well, but every answer holds it unpacked, once for each parcel. */
export const largestUnpacked = 1024 * 1024;

export function pack(document: unknown): Buffer {
  const text = JSON.stringify(document);
  const packed = text.length > largestUnpacked ? undefined : gzipSync(text);
  if (!packed || packed.length > largestDocument) {
    throw new ApiError('payload_too_large', {
      message: 'The order or a shipment of it would become too large to store.',
    });
  }
  return packed;
}

export const unpack = <T>(packed: Uint8Array): T => JSON.parse(gunzipSync(packed).toString('utf8'));
