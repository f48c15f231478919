import type { Message } from '#domain/claims/claim-rules.ts';
import { readMessages } from '#domain/claims/message-store.ts';
import { writeMessage } from '#domain/claims/write-message.ts';
import { signedImageUrl } from '#domain/images/image-urls.ts';
import type { ShopIdentity } from '#domain/orders/model.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { ClaimMessage, claims } from '#schemas/families/claims.ts';
import { authorOf, requireClaim } from './claims.ts';

export const listClaimMessages: Implementation<typeof claims.listClaimMessages> = async (request) => {
  const { shop, params, query, now } = request;
  const { claim } = await requireClaim(shop.slug, params.uuid);
  const newest = (claim.message_count ?? 0) - (query.page - 1) * query.per_page;
  if (newest < 1) return [];
  const messages = await readMessages(shop.slug, claim, Math.max(1, newest - query.per_page + 1), newest);
  return Promise.all(messages.map((message) => showMessage(message, shop, now)));
};

export const createClaimMessage: Implementation<typeof claims.createClaimMessage> = async (request) => {
  const { shop, caller, params, body, now } = request;
  const author = authorOf(caller);
  const writer = { from: 'shop' as const, author: author.by_name ?? null };
  const message = await writeMessage(shop, params.uuid.toLowerCase(), writer, body, { ...author, now });
  return showMessage(message, shop, now);
};

const showMessage = async (message: Message, shop: ShopIdentity, now: Date): Promise<ClaimMessage> => ({
  ...message,
  image_urls: await Promise.all(message.image_urls.map((url) => signedImageUrl(url, now, shop))),
});
