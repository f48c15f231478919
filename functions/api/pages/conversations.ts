import type { Message } from '#domain/claims/claim-rules.ts';
import { newestMessages } from '#domain/claims/message-store.ts';
import { signedImageUrl } from '#domain/images/image-urls.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { pageContentLimits } from '#schemas/catalogues/limits.ts';
import type { OpenPage } from './open-page.ts';

const maxConcurrentReads = 8;

/**
 * What was written in the claims of a page, by claim, with pictures that can be opened now. The copy of a claim that the release
 * before this one wrote does not say whether there is anything.
 */
export async function conversationsOf(
  { page, storefront }: Pick<OpenPage, 'page' | 'storefront'>,
  now: Date,
): Promise<Map<string, Message[]>> {
  const { slug, orderId, claims } = page;
  const talked = claims.filter(({ message_count }) => message_count !== 0);
  const most = messagesOfEach(talked.map(({ message_count = 0 }) => message_count));
  const read = async ({ uuid }: { uuid: string }): Promise<[string, Message[]]> => {
    const messages = await newestMessages(slug, { uuid, order_id: orderId }, most);
    return [uuid, await Promise.all(messages.map((message) => opened(message, storefront.shop, now)))];
  };
  return new Map(await mapConcurrently(talked, read, maxConcurrentReads));
}

/** @param counts of the messages in each claim */
function messagesOfEach(counts: readonly number[]): number {
  const { messages, messagesOfClaim } = pageContentLimits;
  const all = counts.reduce((sum, count) => sum + Math.min(count, messagesOfClaim), 0);
  return all > messages ? Math.floor(messages / counts.length) : messagesOfClaim;
}

const opened = async (message: Message, shop: { uuid: string }, now: Date): Promise<Message> => ({
  ...message,
  image_urls: await Promise.all(message.image_urls.map((url) => signedImageUrl(url, now, shop))),
});
