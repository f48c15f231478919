import {
  dropUnused,
  type EventPayloads,
  type PayloadOwner,
  payloadItem,
  textOfPayloads,
} from '#domain/deliveries/delivery-messages.ts';
import { isErasedPayload } from '#domain/deliveries/erased-payload.ts';
import { isStillWanted, whileSimulated } from '#domain/orders/simulated.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { storeBody } from '#platform/table/stored-body.ts';
import { put, tryCommit, update } from '#platform/table/writes.ts';
import type { Entry, Feed, TakenPlace } from './blocks.ts';
import { type FeedMark, markIn, type Place, writeMark } from './mark.ts';
import { expiryOf } from './retention.ts';

/**
 * One item decides where an event is in the feed: its payload item, which only one writer can make. A place that the item
 * does not name is empty for good, so whoever comes second changes nothing.
 */

/** What the mark of an event says besides its place. */
export type FeedContent = Pick<FeedMark, 'occurred' | 'groups' | 'subjects' | 'endpoints'>;

/** A place is lost only to a reader that has waited for it for seconds. */
const maxPlaces = 5;

/**
 * Stores the payloads of an event and its place in the feed, unless an earlier try has stored them.
 * @returns the mark that is stored; undefined if the event was stored before there was a feed, or its simulation is removed;
 * 'erased' if its order was erased
 */
export async function storeInFeed(
  owner: PayloadOwner,
  payloads: EventPayloads,
  content: FeedContent,
  takePlace: (eventId: string) => Promise<TakenPlace>,
): Promise<FeedMark | 'erased' | undefined> {
  // Before the place is taken: the less lies between a place and its event, the fewer readers wait.
  const stored = await storeBody(textOfPayloads(payloads));
  for (let place = 0; place < maxPlaces; place++) {
    const mark = { ...content, ...(await takePlace(owner.payload_id)) };
    const item = { ...payloadItem(owner, stored), feed: writeMark(mark) };
    const isFree = 'attribute_not_exists(pk) OR (attribute_exists(feed_closed) AND NOT contains(feed_closed, :place))';
    const written = put(item, isFree, { ':place': placeText(mark) });
    if (await tryCommit([written, ...whileSimulated(owner)])) return mark;
    const found = await getItem(keyOf.payload(owner.shop_slug, owner.payload_id));
    // A reader was faster. The next place needs the body.
    if (found && 'feed_closed' in found && (await isStillWanted(owner))) continue;
    await dropUnused(owner, stored);
    return isErasedPayload(found) ? 'erased' : markIn(found);
  }
  throw Object.assign(new Error('Readers closed every place of an event.'), { name: 'PlacesClosed' });
}

const placeText = ({ generation, block, index }: Place) => `${generation}.${block}.${index}`;

/**
 * Whether it is known for good what is at a place. The item of the event may only say that other places of the event were
 * closed, and its writer may be about to come to this one.
 * @param item what is stored in the place of the event's payloads
 */
export const isDecided = (item: object | undefined, place: Place): boolean =>
  item !== undefined && (!('feed_closed' in item) || (item.feed_closed as string[]).includes(placeText(place)));

/**
 * Lets readers go on behind a place whose writer died or stalls. If the writer wakes up, it finds the place closed and takes
 * another one, behind all that was read. It does nothing if the event came in the meantime.
 */
export async function closePlace({ slug }: Feed, place: Place & Entry, now: Date): Promise<void> {
  await tryCommit([
    update(keyOf.payload(slug, place.event_id), {
      UpdateExpression:
        'SET feed_closed = list_append(if_not_exists(feed_closed, :none), :place), expires_at = :expires',
      ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(feed_closed)',
      ExpressionAttributeValues: {
        ':none': [],
        ':place': [placeText(place)],
        ':expires': expiryOf(now.getTime()),
      },
    }),
  ]);
}
