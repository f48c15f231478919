import { claimMessagePrefix, claimMessages, claimsOf, keyOf } from '#platform/table/keys.ts';
import { allItemsIn, itemsIn, type Key, queryAll, queryPages } from '#platform/table/reads.ts';
import type { Claim, ClaimPlace, Message } from './claim-rules.ts';
import { findClaim } from './claim-store.ts';

/** What shop and customer wrote to each other in a claim. Messages are numbered without gaps, and never change. */

type ClaimKey = Pick<ClaimPlace, 'uuid' | 'order_id'>;

/** @param claim after the message */
export const messageItem = (slug: string, { order_id, uuid, message_count = 0 }: Claim, message: Message) => ({
  ...keyOf.claimMessage(slug, order_id, uuid, message_count),
  ...message,
});

/** The messages with these numbers, newest first. */
export async function readMessages(slug: string, key: ClaimKey, from: number, to: number): Promise<Message[]> {
  const { pk, sk: first } = keyOf.claimMessage(slug, key.order_id, key.uuid, from);
  const { sk: last } = keyOf.claimMessage(slug, key.order_id, key.uuid, to);
  const items = await queryAll<Message & Key>({
    ...itemsIn(pk, { from: first, to: last }),
    ScanIndexForward: false,
    ConsistentRead: true,
  });
  return items.map(toMessage);
}

/** The newest messages of a claim, oldest first. */
export async function newestMessages(slug: string, key: ClaimKey, limit: number): Promise<Message[]> {
  for await (const page of newestFirst(slug, key, limit)) return page.toReversed();
  return [];
}

const messagesOfPage = 25;

/** Undefined if the claim or the message is gone, or never was. It is mostly the newest. */
export async function readMessage(slug: string, claimUuid: string, messageUuid: string): Promise<Message | undefined> {
  const place = await findClaim(slug, claimUuid);
  if (!place) return undefined;
  for await (const page of newestFirst(slug, place, messagesOfPage)) {
    const found = page.find(({ uuid }) => uuid === messageUuid);
    if (found) return found;
  }
  return undefined;
}

async function* newestFirst(slug: string, { order_id, uuid }: ClaimKey, limit: number): AsyncGenerator<Message[]> {
  const pages = queryPages({
    ...itemsIn(claimsOf(slug, order_id), { prefix: claimMessagePrefix(uuid) }),
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: limit,
  });
  for await (const page of pages) yield (page as unknown as (Message & Key)[]).map(toMessage);
}

/** Every message of a claim, also of a deleted one, oldest first. */
export async function allMessages(slug: string, { order_id, uuid }: ClaimKey): Promise<Message[]> {
  const items = await allItemsIn<Message & Key>(claimsOf(slug, order_id), { prefix: claimMessagePrefix(uuid) });
  return items.map(toMessage);
}

/** The items of all messages in the claims of an order, page by page. */
export const messageItemsOf = (slug: string, orderId: string): AsyncGenerator<(Message & Key)[]> =>
  queryPages({
    ...itemsIn(claimsOf(slug, orderId), { prefix: claimMessages }),
    ConsistentRead: true,
  }) as unknown as AsyncGenerator<(Message & Key)[]>;

const toMessage = ({ uuid, at, from, author, text, image_urls }: Message): Message => ({
  uuid,
  at,
  from,
  author,
  text,
  image_urls,
});
