import { keyOf } from '#platform/table/keys.ts';
import { packText } from '#platform/table/packed-text.ts';
import { batchGet, type Key } from '#platform/table/reads.ts';
import { put, tryCommit } from '#platform/table/writes.ts';

/**
 * What stands in the place of the payload of an event whose order was erased. A payload is only ever inserted, so nothing
 * that is late, replayed or was put aside can store it again. The release before sends what it finds here.
 */
export const erasedPayload = (slug: string, payloadId: string, at: string, expires_at: number, feed?: Uint8Array) =>
  erasedInstead({ ...keyOf.payload(slug, payloadId), expires_at, feed }, at);

/** What takes the place of an item with a payload. It keeps the event's place in the feed: a reader sees that something was there. */
const erasedInstead = ({ pk, sk, expires_at, feed }: PlacedPayload, at: string) => ({
  ...{ pk, sk },
  erased_at: at,
  body: packText('{"erased":true}\n{"erased":true}'),
  expires_at,
  ...(feed !== undefined && { feed }),
});

/** Leaves that in the place of an item, unless the item is gone. */
export const leaveErased = (item: PlacedPayload, at: string): Promise<boolean> =>
  tryCommit([put(erasedInstead(item, at), 'attribute_exists(pk)')]);

/** What an item with a payload has besides the payload. */
export interface PlacedPayload extends Key {
  expires_at: number;
  /** Set if its event is in the feed of the shop. */
  feed?: Uint8Array | undefined;
}

/** What is stored under the key of an event's payloads, if it is more than the note that readers of the feed did not wait for them. */
export const withPayload = (item: Record<string, unknown> | undefined): Record<string, unknown> | undefined =>
  item && 'feed_closed' in item ? undefined : item;

/** That a write finds no payload there. */
export const withoutPayload = 'attribute_not_exists(pk) OR attribute_exists(feed_closed)';

export const isErasedPayload = (item: object | undefined): boolean => item !== undefined && 'erased_at' in item;

/** Whether the order of an event was erased: then nothing more may be made of the event. */
export async function isErasedEvent(slug: string, eventId: string): Promise<boolean> {
  const [item] = await batchGet([keyOf.payload(slug, eventId)], { attributes: ['erased_at'] });
  return isErasedPayload(item);
}
