import { laneOf, shippedAt, withCountry } from '#domain/orders/handed-over.ts';
import type { OrderWithShipments, Shipment } from '#domain/orders/model.ts';
import { currentPhase } from '#domain/orders/shipment-rules.ts';
import { type Declared, kept, personal } from '#platform/personal-data.ts';
import { keyOf, ratingPrefix } from '#platform/table/keys.ts';
import { type Action, insert, tryCommit, update } from '#platform/table/writes.ts';
import { isTowardsMerchant } from '#schemas/catalogues/shipment-events.ts';

/** How a customer liked the delivery of a parcel. It lies under the token of the order's page, and goes with it. */
export interface Rating {
  shipment_id: string;
  at: string;
  stars: number;
  text: string | null;
}

export const ratingData: Declared<Rating> = {
  shipment_id: kept,
  at: kept,
  stars: kept,
  text: personal('free_text', null),
};

/** @param items of the page */
export const ratingsIn = (items: readonly ({ sk: string } & Partial<Rating>)[]): Rating[] =>
  items.flatMap(({ sk, at, stars, text = null }) =>
    sk.startsWith(ratingPrefix) && at !== undefined && stars !== undefined
      ? [{ shipment_id: sk.slice(ratingPrefix.length), at, stars, text }]
      : [],
  );

/** Only what has arrived at the customer. */
export const canBeRated = (shipment: Shipment): boolean =>
  !isTowardsMerchant(shipment.direction) && currentPhase(shipment) === 'delivered';

/** Stores and counts the rating of a parcel. False if it has one already, which stays. */
export const rate = (slug: string, token: string, rating: Rating, fullOrder: OrderWithShipments, shipment: Shipment) =>
  tryCommit([
    insert({ ...keyOf.pageRating(token, shipment.uuid), ...rating }),
    ...(shipment.simulation_id === undefined ? [count(slug, rating, fullOrder, shipment)] : []),
  ]);

function count(slug: string, { at, stars }: Rating, { order }: OrderWithShipments, shipment: Shipment): Action {
  // A parcel that was delivered without a scan and before it had its number is counted for the day of its rating.
  const day = (shippedAt(shipment) ?? at).slice(0, 'yyyy-mm-dd'.length);
  return update(keyOf.ratingCounts(slug, { day, ...laneOf(withCountry(shipment, order)) }), {
    UpdateExpression: 'ADD #n :one, #sum :stars',
    ExpressionAttributeNames: { '#n': 'n', '#sum': 'sum' },
    ExpressionAttributeValues: { ':one': 1, ':stars': stars },
  });
}
