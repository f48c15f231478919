import type { OrderWithShipments, Shipment } from '#domain/orders/model.ts';
import { currentPhase } from '#domain/orders/shipment-rules.ts';
import { type Declared, kept, personal } from '#platform/personal-data.ts';
import { keyOf, ratingPrefix } from '#platform/table/keys.ts';
import { type Action, insert, tryCommit, update } from '#platform/table/writes.ts';
import { isPossibleWithoutCarrier, isTowardsMerchant, phaseOf } from '#schemas/catalogues/shipment-events.ts';

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
  const day = handedOverOn(shipment) ?? at.slice(0, 10);
  const carrier = partOfKey(shipment.carrier_reference, /^[\w-]{1,50}$/);
  const country = partOfKey(order.address?.country_code?.toUpperCase(), /^[A-Z]{2}$/);
  return update(keyOf.ratingCounts(slug, { day, carrier, country }), {
    UpdateExpression: 'ADD #n :one, #sum :stars',
    ExpressionAttributeNames: { '#n': 'n', '#sum': 'sum' },
    ExpressionAttributeValues: { ':one': 1, ':stars': stars },
  });
}

/** Shops write anything. What is none of these has no place in a key. */
const partOfKey = (text: string | null | undefined, known: RegExp): string => (text && known.test(text) ? text : '-');

/** The day of the first scan on the way, or on which the parcel got its number where none came before the delivery. */
export function handedOverOn({ events, direction }: Shipment): string | undefined {
  const phases = events.map(({ event_name, time }) => ({ event_name, time, phase: phaseOf(event_name, direction) }));
  const scan = phases.find(({ event_name, phase }) => !isPossibleWithoutCarrier(event_name) && phase !== 'delivered');
  const numbered = phases.find(({ phase }) => phase === 'order_processed');
  return (scan ?? numbered)?.time.slice(0, 10);
}
