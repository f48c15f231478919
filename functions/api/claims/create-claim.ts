import { v7 as uuidv7 } from 'uuid';
import { newClaim } from '#domain/claims/claim-rules.ts';
import { insertClaim } from '#domain/claims/claim-writes.ts';
import type { OrderBook, Shipment } from '#domain/orders/model.ts';
import { orderIdOf } from '#domain/orders/order-ids.ts';
import { findTracking, type TrackingReference } from '#domain/orders/order-lookup.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { ApiError, invalid } from '#platform/http/api-error.ts';
import type { Implementation } from '#platform/http/request.ts';
import { retryLostRaces } from '#platform/table/retrying.ts';
import type { ClaimCreate, claims } from '#schemas/families/claims.ts';
import { showClaim } from './show-claims.ts';

export const createClaim: Implementation<typeof claims.createClaim> = async ({ shop, caller, body, now }) => {
  const uuid = uuidv7({ msecs: now.getTime() });
  const { claim, subject } = await retryLostRaces(async () => {
    const { shipment, book } = await findSubject(shop.slug, body);
    const claim = newClaim(uuid, body, shipment, now.toISOString());
    await insertClaim(shop, claim, book, caller.tokenId);
    return { claim, subject: { order: book.order, shipment } };
  });
  return showClaim(claim, subject, shop, now);
};

/** What the claim is about, and the order around it. */
interface Subject {
  shipment: Shipment;
  book: OrderBook;
}

async function findSubject(slug: string, body: ClaimCreate): Promise<Subject> {
  const reference = await referenceOf(slug, body);
  const book = reference && (await loadOrder(slug, reference.order_id));
  const shipment = book && allShipments(book).find(({ uuid }) => uuid === reference.shipment_id);
  if (!shipment) throw new ApiError('shipment_not_found');
  if (body.shipment_id && body.tracking_number && body.tracking_number !== shipment.tracking_number)
    throw otherNumber();
  return { shipment, book };
}

async function referenceOf(
  slug: string,
  { shipment_id, tracking_number }: ClaimCreate,
): Promise<TrackingReference | undefined> {
  if (shipment_id) return { order_id: orderIdOf(shipment_id), shipment_id: shipment_id.toLowerCase() };
  if (tracking_number) return findTracking(slug, tracking_number);
  throw noShipment();
}

const noShipment = () =>
  invalid({ loc: ['body', 'tracking_number'], msg: 'is needed where there is no shipment_id', type: 'missing' });

const otherNumber = () =>
  invalid({ loc: ['body', 'tracking_number'], msg: 'is not that of the shipment', type: 'value_error' });
