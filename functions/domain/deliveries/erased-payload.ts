import { keyOf } from '#platform/table/keys.ts';
import { packText } from '#platform/table/packed-text.ts';
import { batchGet } from '#platform/table/reads.ts';

/**
 * What stands in the place of the payload of an event whose order was erased. A payload is only ever inserted, so nothing
 * that is late, replayed or was put aside can store it again. The release before sends what it finds here.
 */
export const erasedPayload = (slug: string, payloadId: string, at: string, expires_at: number) => ({
  ...keyOf.payload(slug, payloadId),
  erased_at: at,
  body: packText('{"erased":true}\n{"erased":true}'),
  expires_at,
});

export const isErasedPayload = (item: object | undefined): boolean => item !== undefined && 'erased_at' in item;

/** Whether the order of an event was erased: then nothing more may be made of the event. */
export async function isErasedEvent(slug: string, eventId: string): Promise<boolean> {
  const [item] = await batchGet([keyOf.payload(slug, eventId)], { attributes: ['erased_at'] });
  return isErasedPayload(item);
}
