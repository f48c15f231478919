import type { AutomationRun } from '#domain/automations/run.ts';
import { type Claim, imagesOfClaim } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder, wholeHistory } from '#domain/claims/claim-store.ts';
import { allMessages } from '#domain/claims/message-store.ts';
import { toClaimResponse } from '#domain/claims/presentation.ts';
import { readEventPayloads, readPayload } from '#domain/deliveries/delivery-messages.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { readMailState } from '#domain/emails/mail-state-store.ts';
import { privateObjectKey } from '#domain/images/image-urls.ts';
import { type Order, type OrderWithShipments, type ShopIdentity, withoutEnclosed } from '#domain/orders/model.ts';
import { orderCopies } from '#domain/orders/order-copies.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import type { StoredEvent } from '#domain/orders/outbox.ts';
import { orderData, shipmentData } from '#domain/orders/personal-data.ts';
import { toOrderResponse, toShipmentRecord, type Viewer } from '#domain/orders/presentation.ts';
import { pageActivity } from '#domain/pages/page-visits.ts';
import { withdrawalOfOrder } from '#domain/withdrawals/withdrawal-store.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { type PersonalValue, personalValues } from '#platform/personal-data.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { type Receivers, trailsOf } from './erase-trail.ts';
import type { Section } from './stores.ts';

/** All that is stored about an order, in the words of the API, for the person who ordered. */

/** Names in the bucket of images. */
export interface DisclosedOrder {
  content: object;
  images: string[];
}

/** Undefined if the order is gone. */
export async function disclosedOrder(
  shop: ShopItem,
  orderId: string,
  receivers: Receivers,
  viewer: Viewer,
): Promise<DisclosedOrder | undefined> {
  const fullOrder = await retryOnConflict(() => loadOrder(shop.slug, orderId));
  if (!fullOrder) return undefined;
  const { order } = fullOrder;
  const claims = await claimsOfOrder(shop.slug, orderId);
  const trail = await trailOf(shop, fullOrder, receivers);
  const page = order.page_token === undefined ? null : await pageActivity(order.page_token);
  const content = {
    ...disclosedDocuments(fullOrder, viewer),
    earlier: await earlierIn(shop.slug, fullOrder),
    claims: await mapConcurrently(
      claims,
      async (claim) => disclosedClaim(shop, claim, await storedWith(shop.slug, claim), fullOrder),
      4,
    ),
    withdrawal: (await withdrawalOfOrder(shop.slug, orderId)) ?? null,
    ...trail,
    page,
    mails: (await readMailState({ slug: shop.slug, orderId })).mails,
  } satisfies Record<Section, unknown>;
  const messages = await mapConcurrently(claims, (claim) => allMessages(shop.slug, claim), 4);
  const ofMessages = messages.flat().flatMap(({ image_urls }) => image_urls);
  const images = [...claims.flatMap(imagesOfClaim), ...ofMessages, ...(page?.photos ?? [])].flatMap(
    (url) => privateObjectKey(url, shop) ?? [],
  );
  return { content, images: [...new Set(images)] };
}

/** What a response leaves out is stored all the same. */
export const disclosedDocuments = (fullOrder: OrderWithShipments, viewer: Viewer) => ({
  order: { ...ownFields(fullOrder.order), ...toOrderResponse(fullOrder, viewer) },
  shipments: allShipments(fullOrder).map((shipment) => ({
    ...withoutEnclosed(shipment),
    ...toShipmentRecord(shipment, fullOrder.order, viewer),
  })),
});

/** What copies of the order still say, and the order itself does not. */
async function earlierIn(slug: string, fullOrder: OrderWithShipments): Promise<PersonalValue[]> {
  const earlier = new Map<string, PersonalValue>();
  for await (const copy of orderCopies(slug, fullOrder.order.uuid))
    for (const value of valuesOf(copy)) earlier.set(JSON.stringify(value), value);
  for (const value of valuesOf(fullOrder)) earlier.delete(JSON.stringify(value));
  return [...earlier.values()];
}

const valuesOf = ({ order, shipments }: OrderWithShipments): PersonalValue[] => [
  ...personalValues(orderData, order),
  ...shipments.flatMap((shipment) => personalValues(shipmentData, shipment)),
];

/** Without what only the service needs. */
function ownFields(order: Order): object {
  const {
    drafts: _drafts,
    shipments: _shipments,
    next_slot: _slot,
    page_token: _token,
    ...fields
  } = withoutEnclosed(order);
  return fields;
}

/** What belongs to a claim. */
async function storedWith(slug: string, claim: Claim) {
  const [history, messages] = await Promise.all([wholeHistory(slug, claim), allMessages(slug, claim)]);
  return { history, messages };
}

export function disclosedClaim(
  shop: ShopIdentity,
  claim: Claim,
  stored: { history: readonly object[]; messages: readonly object[] },
  { order, shipments }: OrderWithShipments,
): object {
  const shipment = shipments.find(({ uuid }) => uuid === claim.shipment_id);
  return {
    ...claim,
    ...toClaimResponse(claim, { order, shipment } as never, shop),
    ...stored,
  };
}

/** What was sent about it, to whom and with which answers, and what automations did. */
async function trailOf(shop: ShopItem, fullOrder: OrderWithShipments, receivers: Receivers) {
  const [events, deliveries, runs]: [object[], object[], object[]] = [[], [], []];
  for await (const trail of trailsOf(shop, fullOrder, receivers)) {
    const sent = new Set(trail.deliveries.map(({ payload_id }) => payload_id));
    events.push(...(await mapConcurrently(trail.events, (event) => withPayload(shop.slug, event, sent), 4)));
    deliveries.push(
      ...(await mapConcurrently(
        trail.deliveries,
        async (delivery) => disclosedDelivery(delivery, await readPayload(delivery)),
        4,
      )),
    );
    runs.push(...trail.runs.map(disclosedRun));
  }
  return { events, deliveries, runs };
}

/** With what is to be sent, if no delivery has that. */
const withPayload = async (slug: string, event: StoredEvent, sent: ReadonlySet<string>): Promise<object> => ({
  ...disclosedEvent(event),
  payload: sent.has(event.id) ? null : ((await readEventPayloads(slug, event.id)) ?? null),
});

export function disclosedEvent(event: StoredEvent): object {
  const { pk: _pk, sk: _sk, kind: _kind, region: _region, ...own } = event as StoredEvent & Record<string, unknown>;
  return own;
}

export function disclosedDelivery(delivery: Delivery, body: string | undefined): object {
  const { payload_id: _id, payload_part: _part, expires_at: _expiry, ...own } = delivery;
  return { ...own, payload: body === undefined ? null : contentIn(body) };
}

/** What was sent may be no JSON, for example of an order that was erased before. */
function contentIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

export const disclosedRun = ({ expires_at: _, ...run }: AutomationRun): object => run;
