import { zoneOfCountry } from '#domain/orders/country-zones.ts';
import { dayIn, knownZone, zoneOfEvent } from '#domain/orders/local-day.ts';
import type { OrderWithShipments, Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { type WithdrawalOutboxEvent, withdrawalEvent } from '#domain/orders/outbox.ts';
import { currentPhase } from '#domain/orders/shipment-rules.ts';
import { ServiceError } from '#platform/errors.ts';
import { dayOf, workingDayFrom } from '#platform/public-holidays.ts';
import { dayMs } from '#platform/time.ts';
import { withdrawalTransitions } from '#schemas/catalogues/enumerations.ts';
import { groupOf, isTowardsMerchant, phaseOf } from '#schemas/catalogues/shipment-events.ts';
import type { EventWithdrawal, WithdrawalBasis, WithdrawalItem } from '#schemas/shapes/withdrawal-shapes.ts';

/** A withdrawal as it is stored. */
export interface Withdrawal extends EventWithdrawal {
  order_number: string;
  /** Who declares it, and where the acknowledgement goes. Null after an erasure. */
  name: string | null;
  email_id: string | null;
  /** What became of it, oldest first. The first entry is the declaration. */
  history: WithdrawalStep[];
  /** Absent if the order is real. */
  simulation_id?: string;
  /** When the personal data of its order was erased. */
  erased_at?: string;
}

/** What the tracking page shows of it. */
export type PageWithdrawal = Pick<Withdrawal, 'uuid' | 'status' | 'declared_at' | 'deadline' | 'items'> & {
  time_zone: string;
};

export interface WithdrawalStep {
  at: string;
  status: WithdrawalStatus;
  /** The customer, or the id of an API key. */
  by: string;
  /** What people call the key. */
  by_name: string | null;
  comment: string | null;
}

export type WithdrawalStatus = EventWithdrawal['status'];

/** What events say of it. */
export const toEventWithdrawal = (withdrawal: Withdrawal): EventWithdrawal => {
  const { uuid, order_id, items, declared_at, deadline, based_on, status, comment } = withdrawal;
  return { uuid, order_id, items, declared_at, deadline, based_on, status, comment };
};

export interface Settlement {
  status: WithdrawalStatus;
  /** Absent: the comment stays. */
  comment?: string | null | undefined;
}

export interface SettledBy {
  at: string;
  by: string;
  by_name: string | null;
}

/** Undefined if nothing changes, as when a request comes twice. Throws `withdrawal_transition_invalid`. */
export function settled(before: Withdrawal, settlement: Settlement, author: SettledBy): Withdrawal | undefined {
  const { status, comment = before.comment } = settlement;
  if (status === before.status && comment === before.comment) return undefined;
  if (!withdrawalTransitions[before.status].includes(status)) throw new ServiceError('withdrawal_transition_invalid');
  return { ...before, status, comment, history: [...before.history, { ...author, status, comment }] };
}

/** The event of each step of its history. */
export const eventsOfWithdrawal = (withdrawal: Withdrawal): WithdrawalOutboxEvent[] =>
  withdrawal.history.map(({ at, status, by, comment }, i) =>
    withdrawalEvent(
      i === 0 ? 'declared' : 'settled',
      { ...toEventWithdrawal(withdrawal), status, comment },
      { version: i + 1, at, by },
    ),
  );

/** Until when the customer can withdraw. */
export interface Period {
  /** The last moment. Null as long as the period has not begun. */
  deadline: string | null;
  basis: WithdrawalBasis;
}

/**
 * The period ends with the end of its last day, counted from the day after the last parcel was handed over, in the time
 * zone of the delivery. Returns do not count. A parcel that will not come (lost, cancelled, sent back) does not hold up the
 * period of those that came, and begins none by itself: where nothing was handed over, the customer can always withdraw.
 */
export function periodOf(fullOrder: OrderWithShipments, days: number): Period {
  const { address } = fullOrder.order;
  const country_code = countryIn(address?.country_code);
  const parcels = allShipments(fullOrder).filter(({ direction }) => !isTowardsMerchant(direction));
  const awaited = parcels.filter((parcel) => !isGivenUp(parcel));
  const handed = awaited.flatMap((parcel) => handoverOf(parcel) ?? []);
  const last = handed.toSorted((a, b) => a.at - b.at).at(-1);
  const zone = (last && knownZone(last.zone)) ?? zoneOf(country_code);
  if (!last || handed.length < awaited.length) {
    const nothing = { shipment_id: null, event_name: null, handed_over_at: null };
    return { deadline: null, basis: { state: 'under_way', ...nothing, days, country_code, time_zone: zone } };
  }
  return {
    deadline: deadlineAfter(last.at, { days, zone, country: country_code }),
    basis: {
      state: 'handed_over',
      shipment_id: last.shipment_id,
      event_name: last.event_name,
      handed_over_at: new Date(last.at).toISOString(),
      days,
      country_code,
      time_zone: zone,
    },
  };
}

/** Shops write anything. What is no country could be about the customer, and an erasure keeps what a deadline is based on. */
const countryIn = (text: string | null | undefined): string | null =>
  text && /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : null;

/** Whether the page offers it. An order whose parcels were all cancelled has no contract to withdraw from. */
export function isOffered(fullOrder: OrderWithShipments, { deadline }: Period, now: Date): boolean {
  const parcels = allShipments(fullOrder).filter(({ direction }) => !isTowardsMerchant(direction));
  if (parcels.length > 0 && parcels.every((parcel) => currentPhase(parcel) === 'order_cancelled')) return false;
  return deadline === null || now.getTime() <= Date.parse(deadline);
}

interface Counting {
  days: number;
  zone: string;
  country: string | null;
}

/** @param at when the last parcel was handed over, in milliseconds */
function deadlineAfter(at: number, { days, zone, country }: Counting): string {
  const handedOver = dayOf(dayIn(zone, at));
  const last = workingDayFrom(handedOver + days * dayMs, country);
  return new Date(startOfDay(last + dayMs, zone) - 1).toISOString();
}

/** It ended on another way than with the customer. */
const isGivenUp = (parcel: Shipment): boolean =>
  ['order_cancelled', 'return_transit', 'returned', 'return_received', 'return_failed'].includes(
    currentPhase(parcel),
  ) || lostNames.has(lastOf(parcel)?.event_name ?? '');

const lostNames: ReadonlySet<string> = new Set([
  'SHIPMENT_LOST',
  'SHIPMENT_LOST_IN_DELIVERY',
  'SHIPMENT_LOST_IN_PROCESSING',
  'SHIPMENT_LOST_IN_SORTING_CENTER',
  'DELIVERY_FAILED_SHIPMENT_DESTROYED',
]);

/** A remark says nothing about where the parcel is. */
const isRemark = ({ event_name }: ShipmentEvent) => groupOf(event_name, 'merchant_customer') === null;

const lastOf = ({ events }: Shipment): ShipmentEvent | undefined => events.findLast((event) => !isRemark(event));

interface Handover {
  at: number;
  shipment_id: string;
  event_name: string;
  zone: string | undefined;
}

/**
 * When the customer, a neighbour or the letterbox got the parcel. Of several reports of the same delivery the first counts, but
 * where it was collected, that counts: some carriers call it delivered as soon as it lies at the collection point.
 */
function handoverOf(parcel: Shipment): Handover | undefined {
  const told = parcel.events.filter((event) => !isRemark(event));
  const isDelivered = ({ event_name }: ShipmentEvent) => phaseOf(event_name, parcel.direction) === 'delivered';
  const run = told.slice(told.findLastIndex((event) => !isDelivered(event)) + 1);
  const isCollected = ({ event_name }: ShipmentEvent) =>
    groupOf(event_name, 'merchant_customer') === 'shipment_picked_up';
  const event = run.find(isCollected) ?? run[0];
  if (!event) return undefined;
  const { time, event_name } = event;
  return { at: Date.parse(time), shipment_id: parcel.uuid, event_name, zone: zoneOfEvent(event) };
}

/** The clock of most people in countries that have several. */
const mainZones: Readonly<Record<string, string>> = { ES: 'Europe/Madrid', PT: 'Europe/Lisbon', CY: 'Asia/Nicosia' };

const zoneOf = (country: string | null): string => zoneOfCountry(country) ?? mainZones[country ?? ''] ?? 'UTC';

/** When a day begins in a zone. Where the clocks skip midnight, it begins with the first moment after it. */
function startOfDay(day: number, zone: string): number {
  const date = new Date(day).toISOString().slice(0, 10);
  // No zone is further from UTC than 14 hours, so the day begins in between.
  let [before, from] = [day - 15 * 3_600_000, day + 15 * 3_600_000];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dayIn(zone, middle) < date) before = middle;
    else from = middle;
  }
  return from;
}

/** What an order consists of, as the customer ticks it. */
export const itemsOfOrder = ({ order }: OrderWithShipments): WithdrawalItem[] =>
  (order.products ?? []).map(({ sku, title, variant_title, quantity }) => ({
    sku: sku ?? null,
    title: title === undefined ? null : variant_title ? `${title}, ${variant_title}` : title,
    quantity: quantity ?? 1,
  }));
