import { v7 as uuidv7 } from 'uuid';
import { type Author, type Claim, type ClaimPlace, deleted, newClaim, updated } from '#domain/claims/claim-rules.ts';
import { findClaim, type LoadedClaim, loadClaim, readHistory } from '#domain/claims/claim-store.ts';
import { changeClaim, insertClaim } from '#domain/claims/claim-writes.ts';
import { toClaimResponse } from '#domain/claims/presentation.ts';
import { signedImageUrl } from '#domain/images/image-urls.ts';
import { type OrderWithShipments, orderIdOf, type Shipment, type ShopIdentity } from '#domain/orders/model.ts';
import { shipmentById } from '#domain/orders/order-rules.ts';
import { findOrderId, loadOrder } from '#domain/orders/order-store.ts';
import { clockOf } from '#domain/orders/simulated.ts';
import { readSubjects, type Subject } from '#domain/orders/subjects.ts';
import { findTrackings, type TrackingReference } from '#domain/orders/tracking-references.ts';
import type { Caller } from '#platform/access/caller.ts';
import { invalid, invalidValue, ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { clockSince } from '#platform/time.ts';
import { isSameTrackingNumber } from '#platform/tracking-number.ts';
import type { ClaimCreate, Claim as ClaimShape, claims } from '#schemas/families/claims.ts';

export const createClaim: Implementation<typeof claims.createClaim> = async ({ shop, caller, body, now }) => {
  const uuid = uuidv7({ msecs: now.getTime() });
  const clock = clockSince(now);
  const { claim, subject } = await retryOnConflict(async () => {
    const { shipment, fullOrder } = await findSubject(shop.slug, body);
    const at = await clockOf(shop.slug, fullOrder.order, clock());
    const claim = newClaim(uuid, body, shipment, at.toISOString());
    await insertClaim(shop, claim, fullOrder, authorOf(caller));
    return { claim, subject: { order: fullOrder.order, shipment } };
  });
  return showClaim(claim, subject, shop, now);
};

export const authorOf = ({ tokenId, keyLabel }: Caller): Author => ({ by: tokenId, by_name: keyLabel });

export const getClaim: Implementation<typeof claims.getClaim> = async ({ shop, params, now }) => {
  const place = await requirePlace(shop.slug, params.uuid);
  const [found, subjectOf] = await Promise.all([loadClaim(shop.slug, place), readSubjects(shop.slug, [place])]);
  if (!found) throw new ServiceError('claim_not_found');
  return showClaim(found.claim, subjectOf(place), shop, now);
};

export const updateClaim: Implementation<typeof claims.updateClaim> = async (request) => {
  const { shop, caller, params, refuseIfChanged, body, now } = request;
  const claim = await changeClaim(shop, params.uuid.toLowerCase(), { ...authorOf(caller), now }, (before, at) => {
    refuseIfChanged(before.updated_at);
    return updated(before, body, at);
  });
  const [response] = await showClaims([claim], shop, now);
  return response!;
};

export const deleteClaim: Implementation<typeof claims.deleteClaim> = async ({ shop, caller, params, now }) => {
  await changeClaim(shop, params.uuid.toLowerCase(), { ...authorOf(caller), now }, deleted);
  return null;
};

export const listClaimHistory: Implementation<typeof claims.listClaimHistory> = async ({ shop, params, query }) => {
  const { claim, version } = await requireClaim(shop.slug, params.uuid);
  const newest = version - (query.page - 1) * query.per_page;
  return newest < 1 ? [] : readHistory(shop.slug, claim, Math.max(1, newest - query.per_page + 1), newest);
};

export async function requireClaim(slug: string, uuid: string): Promise<LoadedClaim> {
  const found = await loadClaim(slug, await requirePlace(slug, uuid));
  if (!found) throw new ServiceError('claim_not_found');
  return found;
}

async function requirePlace(slug: string, uuid: string): Promise<ClaimPlace> {
  const place = await findClaim(slug, uuid.toLowerCase());
  if (!place) throw new ServiceError('claim_not_found');
  return place;
}

interface ClaimedShipment {
  shipment: Shipment;
  fullOrder: OrderWithShipments;
}

async function findSubject(slug: string, body: ClaimCreate): Promise<ClaimedShipment> {
  const reference = await referenceOf(slug, body);
  const fullOrder = reference && (await loadOrder(slug, reference.order_id));
  const shipment = fullOrder && shipmentById(fullOrder, reference.shipment_id);
  if (!shipment) throw new ServiceError('shipment_not_found');
  if (body.shipment_id && body.tracking_number && !isSameTrackingNumber(body.tracking_number, shipment.tracking_number))
    throw wrongTrackingNumber();
  if (body.order_number && body.order_number !== shipment.order_number) throw wrongOrderNumber();
  return { shipment, fullOrder };
}

async function referenceOf(
  slug: string,
  { shipment_id, tracking_number, order_number }: ClaimCreate,
): Promise<TrackingReference | undefined> {
  if (shipment_id) return { order_id: orderIdOf(shipment_id), shipment_id: shipment_id.toLowerCase() };
  if (!tracking_number) throw missingShipment();
  const [newest, ...others] = await findTrackings(slug, tracking_number);
  if (!newest || others.length === 0 || !order_number) return newest;
  const orderId = await findOrderId(slug, order_number, 'order_number');
  const chosen = [newest, ...others].find(({ order_id }) => order_id === orderId);
  if (!chosen) throw wrongOrderNumber();
  return chosen;
}

const missingShipment = () =>
  invalid({ loc: ['body', 'tracking_number'], msg: 'is required if there is no shipment_id', type: 'missing' });

const wrongTrackingNumber = () =>
  invalidValue(['body', 'tracking_number'], 'must be the tracking number of the shipment');

const wrongOrderNumber = () =>
  invalidValue(['body', 'order_number'], 'must be the number of the order that the shipment belongs to');

function showClaim(claim: Claim, subject: Subject, shop: ShopIdentity, now: Date): Promise<ClaimShape> {
  return withSignedImages(toClaimResponse(claim, subject, shop), (url) => signedImageUrl(url, now, shop));
}

/** Reads the subjects of all claims together. */
export async function showClaims(claims: readonly Claim[], shop: ShopIdentity, now: Date): Promise<ClaimShape[]> {
  if (claims.length === 0) return [];
  const subjectOf = await readSubjects(shop.slug, claims);
  return Promise.all(claims.map((claim) => showClaim(claim, subjectOf(claim), shop, now)));
}

type Sign = (url: string) => Promise<string>;

/** Replaces the URL of each image by a signed URL that opens it. */
async function withSignedImages(claim: ClaimShape, sign: Sign): Promise<ClaimShape> {
  const { customer_signature_image_url: signature } = claim;
  const [customer_signature_image_url, image_urls, optional_image_urls, selected_items, damaged_product_items] =
    await Promise.all([
      signature === null ? null : sign(signature),
      Promise.all(claim.image_urls.map(sign)),
      Promise.all(claim.optional_image_urls.map(sign)),
      signedItems(claim.selected_items, sign),
      signedItems(claim.damaged_product_items, sign),
    ]);
  const signed = { customer_signature_image_url, image_urls, optional_image_urls };
  return { ...claim, ...signed, selected_items, damaged_product_items };
}

const signedItems = (items: ClaimShape['selected_items'], sign: Sign) =>
  Promise.all(items.map(async (item) => ({ ...item, image_urls: await Promise.all(item.image_urls.map(sign)) })));
