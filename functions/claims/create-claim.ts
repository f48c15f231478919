import { v7 as uuidv7 } from 'uuid';
import type { ClaimCreate, claims } from '#schemas/claims.ts';
import { ApiError, invalid } from '#shared/api-error.ts';
import { newClaim } from '#shared/claims/claim-rules.ts';
import { readSubjects, type Subject } from '#shared/claims/claim-subject.ts';
import { insertClaim } from '#shared/claims/claim-writes.ts';
import { ConditionLost } from '#shared/conditional-writes.ts';
import type { Shipment } from '#shared/orders/model.ts';
import { orderIdOf, slotOf } from '#shared/orders/order-ids.ts';
import { findTracking, type TrackingReference } from '#shared/orders/order-lookup.ts';
import type { Implementation } from '#shared/request.ts';
import { retryLostRaces } from '#shared/retrying.ts';
import { showClaim } from './show-claims.ts';

export const createClaim: Implementation<typeof claims.createClaim> = async ({ shop, caller, body, now }) => {
  const { shipment, order } = await retryLostRaces(() => findSubject(shop.slug, body));
  const claim = newClaim(uuidv7({ msecs: now.getTime() }), body, shipment, now.toISOString());
  await retryLostRaces(() => insertClaim(shop, claim, caller.tokenId));
  return showClaim(claim, { order, shipment }, shop, now);
};

async function findSubject(slug: string, body: ClaimCreate): Promise<Subject & { shipment: Shipment }> {
  const reference = await referenceOf(slug, body);
  if (!reference) throw new ApiError('shipment_not_found');
  const { order, shipment } = (await readSubjects(slug, [reference]))(reference);
  if (!shipment) {
    // A draft may become a stored shipment between the reads of the two: then both are read again.
    if (order?.shipments.includes(slotOf(reference.shipment_id))) throw new ConditionLost([]);
    throw new ApiError('shipment_not_found');
  }
  if (body.shipment_id && body.tracking_number && body.tracking_number !== shipment.tracking_number)
    throw otherNumber();
  return { order, shipment };
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
