import { zoneOfCountry } from '#domain/orders/country-zones.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { type Chance, chanceOf } from './chance.ts';
import { usualTime } from './hours.ts';
import { type Journey, journeys } from './journeys.ts';
import { newBasket, newCustomer } from './people.ts';
import { detailsOf } from './places.ts';
import type { Service } from './service.ts';

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;
const carriers = ['dhl', 'dhl', 'dhl', 'dpd', 'gls', 'ups', 'hrs'];

/** The stack serves about this many requests side by side. */
const atOnce = 6;

export interface PlannedOrder extends Plan {
  number: string;
  tracking: string | undefined;
  carrier: string;
  journey: Journey;
  customer: ReturnType<typeof newCustomer>;
  chance: Chance;
}

/** When everything happens, in milliseconds. */
interface Plan {
  placedAt: number;
  /** When the parcel was announced to its carrier. */
  readyAt: number;
  steps: PlannedEvent[];
  also: PlannedEvent[];
  back: PlannedEvent[];
}

export interface PlannedEvent {
  event: string;
  at: number;
  /** What the carrier tells with it, if that is not what it usually tells. */
  details?: object;
}

export interface MadeOrders {
  orders: number;
  events: number;
  /** The tracking numbers of parcels that have arrived. */
  delivered: string[];
}

/** Makes the orders and lets their parcels travel, up to now. @param pictures of products, by sku */
export async function makeOrders(
  shop: Service,
  planned: readonly PlannedOrder[],
  pictures: Record<string, string>,
  now: Date,
): Promise<MadeOrders> {
  // One call takes up to 500 orders.
  for (let from = 0; from < planned.length; from += 100) {
    await shop.call(
      'PUT',
      '/orders/bulk',
      planned.slice(from, from + 100).map((order) => toUpsert(order, pictures)),
    );
  }
  const events = await mapConcurrently(planned, (order) => travel(shop, order, now), atOnce);
  const delivered = planned.filter(({ steps }) => hasArrived(steps));
  return {
    orders: planned.length,
    events: events.reduce((sum, one) => sum + one, 0),
    delivered: delivered.map(({ tracking }) => tracking!),
  };
}

const hasArrived = (steps: readonly PlannedEvent[]) => steps.at(-1)?.event.startsWith('SUCCESSFULLY') ?? false;

/** Every journey at least once, as far as there are orders; the rest by weight. */
export function planOrders(count: number, now: Date): PlannedOrder[] {
  const chance = chanceOf(2026);
  return Array.from({ length: count }, (_, i) => {
    const journey = journeys[i] ?? chance.of(likely);
    const age = ageOf(journey, chance);
    const number = String(10_001 + i);
    const tracking =
      journey.hasParcel === false ? undefined : `0034043416${String(1_000_000 + i)}${chance.between(100, 999)}`;
    const carrier = chance.of(carriers);
    const customer = newCustomer(chance);
    // Of its own: how many numbers a plan takes depends on the time of day, and the people should not.
    const plan = planUntil(
      now,
      age,
      journey,
      zoneOfCountry(customer.address.country_code)!,
      chanceOf((i + 1) * 40_503),
    );
    return { ...plan, number, tracking, carrier, journey, customer, chance };
  });
}

function ageOf({ age }: Journey, chance: Chance): number {
  const [youngest, oldest] = age === 'now' ? [0, 0] : age;
  return (youngest + chance.next() * (oldest - youngest)) * dayMs;
}

/** At usual hours a journey may take longer than its age: then it began earlier. */
function planUntil(now: Date, age: number, journey: Journey, zone: string, chance: Chance): Plan {
  const latest = now.getTime() - 60_000;
  for (let earlier = 0; ; earlier += hourMs) {
    const plan = planFrom(latest - age - earlier, journey, zone, chance);
    const events = [...plan.steps, ...plan.also, ...plan.back].map(({ at }) => at);
    if (Math.max(plan.readyAt, ...events) <= latest) return plan;
  }
}

function planFrom(earliest: number, { steps, also = [], back = [] }: Journey, zone: string, chance: Chance): Plan {
  const follow = (from: number, events: Journey['steps']): PlannedEvent[] => {
    let at = from;
    return events.map(([event, hours]) => {
      at = usualTime(event, at + hours * hourMs, zone, chance);
      return { event, at };
    });
  };
  const placedAt = usualTime('ORDER_PLACED', earliest, zone, chance);
  const readyAt = usualTime('ORDER_PROCESSED', placedAt + 15 * 60_000, zone, chance);
  const there = follow(readyAt, steps);
  const arrivedAt = there.at(-1)?.at ?? readyAt;
  return {
    placedAt,
    readyAt,
    steps: there,
    also: follow(readyAt + 12 * hourMs, also),
    back: follow(arrivedAt, back),
  };
}

const secondOf = (tracking: string) => `${tracking}2`;

/** Each journey as often as its weight says. */
const likely = journeys.flatMap((journey) => Array.from({ length: journey.weight }, () => journey));

function toUpsert(order: PlannedOrder, pictures: Record<string, string>) {
  const { number, placedAt, readyAt, tracking, carrier, journey, customer, chance } = order;
  const products = newBasket(chance, pictures);
  const numbers = tracking ? [tracking, ...(journey.also ? [secondOf(tracking)] : [])] : [];
  const total = products.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const order_placed_at = new Date(placedAt).toISOString();
  const tracking_placed_at = new Date(readyAt).toISOString();
  return {
    id: number,
    order: {
      ...customer,
      ...(numbers.length > 1 && { expected_number_of_shipments: numbers.length }),
      order_name: `#${number}`,
      order_placed_at,
      products,
      currency: 'EUR',
      sub_total_price: round(total),
      shipping_price: 4.9,
      total_order_price: round(total + 4.9),
      financial_status: 'paid',
    },
    trackings: numbers.map((tracking_number) => ({ tracking_number, tracking_placed_at, carrier_reference: carrier })),
  };
}

const round = (price: number) => Math.round(price * 100) / 100;

/** The last event notifies whoever listens; the earlier ones only fill the history. */
async function travel(shop: Service, order: PlannedOrder, now: Date): Promise<number> {
  const { tracking, journey, steps, also, back, number, customer } = order;
  if (tracking === undefined) return 0;
  const home = customer.address;
  const send = async (id: string, events: readonly PlannedEvent[], isReturn = false) => {
    for (const [i, { event, at, details }] of events.entries()) {
      const isLast = i === events.length - 1;
      const told = detailsOf({ event, at, home, isReturn, isLast, hasArrived: hasArrived(events) }, now);
      const body = { id, event_name: event, event_time: new Date(at).toISOString(), ...told, ...details };
      await shop.call('POST', `/shipment-events?notify=${isLast && !journey.isPast}`, body);
    }
  };
  await send(tracking, steps);
  await send(secondOf(tracking), also);
  const sent = steps.length + also.length;
  if (!journey.back) return sent;
  const returned = `${tracking}R`;
  await shop.call('POST', '/shipments', {
    order_id: number,
    order_id_type: 'order_number',
    tracking_number: returned,
    carrier_reference: 'dhl',
    tracking_placed_at: new Date(steps.at(-1)!.at + 2 * hourMs).toISOString(),
  });
  await send(returned, back, true);
  return sent + back.length;
}
