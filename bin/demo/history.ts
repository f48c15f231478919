import { zoneOfCountry } from '#domain/orders/country-zones.ts';
import { type Chance, chanceOf } from './chance.ts';
import { isSunday, usualTime } from './hours.ts';
import type { PlannedEvent, PlannedOrder } from './orders.ts';
import { newCustomer } from './people.ts';

/**
 * The weeks before those that one works on: parcels that are nearly all done, so that the figures have something to tell. They
 * have fewer scans than the others, and the carrier's word at the first one.
 */

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;

const weeks = 8;
/** The other orders are younger. */
const youngestDays = 14;

/** How a carrier delivers. */
interface Service {
  /** How often it is chosen, compared with the others. */
  weight: number;
  /** To deliver after the first scan, at home; abroad one or two more. */
  days: number;
  /** Of the parcels that need a day more, and again of these. */
  late: number;
  /** Of the parcels that the first attempt misses. */
  missed: number;
}

const services: Record<string, Service> = {
  dhl: { weight: 10, days: 1, late: 0.15, missed: 0.08 },
  dpd: { weight: 3, days: 1, late: 0.3, missed: 0.12 },
  gls: { weight: 2, days: 2, late: 0.2, missed: 0.1 },
  ups: { weight: 2, days: 1, late: 0.1, missed: 0.05 },
  hrs: { weight: 3, days: 2, late: 0.25, missed: 0.2 },
};
const likelyCarriers = Object.entries(services).flatMap(([carrier, { weight }]) =>
  Array.from({ length: weight }, () => carrier),
);

/** It has become slower since then: something that figures show and single parcels do not. */
const slump = { carrier: 'hrs', sinceDays: 35, late: 0.7 };

const daysAbroad: Record<string, number> = { DE: 0, AT: 1, NL: 1, CH: 2, DK: 1, FR: 2, IT: 2 };

/** What happens to a parcel instead of its delivery, and how often. */
const troubles = [
  { event: 'SHIPMENT_LOST', days: 6, share: 0.01 },
  { event: 'SHIPMENT_RETURNED_TO_SENDER', days: 8, share: 0.02 },
];

/** @param count of orders, spread over the weeks */
export function planHistory(count: number, now: Date): PlannedOrder[] {
  const chance = chanceOf(1995);
  return Array.from({ length: count }, (_, i) => {
    const ageDays = youngestDays + ((i + chance.next()) / count) * weeks * 7;
    const customer = pastCustomer(chance);
    const carrier = chance.of(likelyCarriers);
    const number = String(9000 - i);
    const tracking = `0034043416${String(2_000_000 + i)}${chance.between(100, 999)}`;
    // Of its own, as those of the younger orders.
    const plan = planParcel(now, ageDays, carrier, customer.address.country_code, chanceOf((i + 1) * 69_069));
    return { ...plan, number, tracking, carrier, journey: past, customer, chance };
  });
}

/** More of them live in the country of the shop: of one lane so many parcels are known that their silence teaches something. */
function pastCustomer(chance: Chance): ReturnType<typeof newCustomer> {
  const customer = newCustomer(chance);
  return customer.address.country_code === 'DE' || chance.next() < 0.4 ? customer : newCustomer(chance);
}

const past = { steps: [], weight: 0, age: 'now', isPast: true } as const;

function planParcel(now: Date, ageDays: number, carrier: string, country: string, chance: Chance) {
  const zone = zoneOfCountry(country)!;
  const usual = (event: string, earliest: number): PlannedEvent => ({
    event,
    at: usualTime(event, earliest, zone, chance),
  });
  const { at: placedAt } = usual('ORDER_PLACED', now.getTime() - ageDays * dayMs);
  const { at: readyAt } = usual('ORDER_PROCESSED', placedAt + hourMs / 4);
  const scanned = usual('PICKUP_SUCCESSFUL', readyAt + hourMs);
  const expectedDays = services[carrier]!.days + daysAbroad[country]!;
  const first = { ...scanned, details: { expected_delivery: windowAfter(scanned.at, expectedDays + 1) } };
  const rest = planRest({ carrier, ageDays, expectedDays, scannedAt: scanned.at, chance, usual });
  return { placedAt, readyAt, steps: [first, ...rest.filter(({ at }) => at < now.getTime())], also: [], back: [] };
}

interface Way {
  carrier: string;
  ageDays: number;
  expectedDays: number;
  scannedAt: number;
  chance: Chance;
  usual: (event: string, earliest: number) => PlannedEvent;
}

/** What the carrier tells after the first scan. */
function planRest({ carrier, ageDays, expectedDays, scannedAt, chance, usual }: Way): PlannedEvent[] {
  const { late, missed } = services[carrier]!;
  const fate = chance.next();
  const trouble = troubles.find(
    ({ share }, i) => fate < share + troubles.slice(0, i).reduce((sum, t) => sum + t.share, 0),
  );
  if (trouble) return [usual(trouble.event, scannedAt + trouble.days * dayMs)];
  const isSlump = carrier === slump.carrier && ageDays < slump.sinceDays;
  const share = isSlump ? slump.late : late;
  let days = expectedDays;
  while (days < expectedDays + 4 && chance.next() < share) days++;
  // From the afternoon of the scan to the morning.
  const came = scannedAt + (days - 0.5) * dayMs;
  const hub = days > 2 ? [usual('ARRIVAL_AT_TRANSPORT_HUB', scannedAt + (days - 1.5) * dayMs)] : [];
  const tried = chance.next() < missed ? [usual('DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME', came)] : [];
  const from = tried[0] ? tried[0].at + dayMs / 2 : came;
  return [...hub, ...tried, usual('SUCCESSFULLY_DELIVERED', from)];
}

/** Until the evening of the day that the carrier expects, which is no Sunday. */
function windowAfter(at: number, days: number) {
  let end = at + days * dayMs;
  while (isSunday(end, 'UTC')) end += dayMs;
  const day = (time: number) => new Date(time).toISOString().slice(0, 10);
  return { start: `${day(at + dayMs)}T08:00:00Z`, end: `${day(end)}T20:00:00Z` };
}
