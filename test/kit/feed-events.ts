import { randomUUID } from 'node:crypto';
import { type Feed, takePlaces } from '#domain/feed/blocks.ts';
import { type FeedContent, storeInFeed } from '#domain/feed/store-event.ts';
import { keyOf } from '#platform/table/keys.ts';

/** The settings item of a shop whose feed is on. */
export const feedOn = ({ slug, generation }: Feed) => ({
  ...keyOf.settings(slug),
  version: generation,
  events: { feed_enabled: true, generation },
});

interface FeedEventFields extends Partial<FeedContent> {
  ref?: string;
  /** What the payload has besides. */
  more?: object;
  simulation_id?: string;
  clock?: () => number;
}

/** Puts an event into the feed, as fan-out does. @returns its id */
export async function addToFeed(feed: Feed, fields: FeedEventFields = {}): Promise<string> {
  const { ref = 'shipments/delivered/SUCCESSFULLY_DELIVERED', more, simulation_id, clock = Date.now, ...own } = fields;
  const id = randomUUID();
  const expires_at = Math.floor(clock() / 1000) + 40 * 24 * 3600;
  const owner = { shop_slug: feed.slug, payload_id: id, expires_at, ...(simulation_id && { simulation_id }) };
  const content = {
    occurred: clock(),
    groups: 1,
    subjects: [{ id: randomUUID(), told: 1 as const }],
    endpoints: [],
    ...own,
  };
  const parts = content.subjects.flatMap(({ id: subject }) =>
    Array.from({ length: content.groups }, () => ({ ref, event_group: 'shipment_delivered', subject, ...more })),
  );
  const takePlace = async (eventId: string) => (await takePlaces(feed, [eventId], clock))[0]!;
  await storeInFeed(owner, { context: {}, parts }, content, takePlace);
  return id;
}
