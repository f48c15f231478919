import { type Day, dayOfDate, deliveriesOn, weekdayOf } from '#domain/arrival/delivery-days.ts';
import type { Lane } from '#platform/table/keys.ts';
import { randomFrom } from '#test/kit/random-from.ts';

/**
 * A made world of parcels. It follows what happens to a parcel rather than what the prediction assumes: collection, hours on
 * the road, a depot with good and bad days, attempts at the door. Nobody tells the prediction who stays away on Saturdays.
 * Some of it it cannot know: Saturdays with half a crew, holidays of regions, days on which a depot is full, a December.
 */
export interface Parcel {
  lane: Lane;
  area: string;
  handedOver: Day;
  /** Absent if it was lost. */
  delivered?: Day;
  /** Days on which a hub scanned it, on which a courier left with it, and on which nobody opened. */
  scanned: readonly Day[];
  out: readonly Day[];
  attempted: readonly Day[];
}

export interface World {
  parcels: readonly Parcel[];
  /** Days before are to learn from. */
  measuredFrom: Day;
  strike: { carrier: string; first: Day; last: Day };
}

interface Way extends Lane {
  /** Of a hundred parcels. */
  share: number;
  /** On the road, in hours. */
  hours: number;
  spread: number;
}

const ways: readonly Way[] = [
  { carrier: 'dhl', country: 'DE', share: 27, hours: 16, spread: 0.35 },
  { carrier: 'dpd', country: 'DE', share: 11, hours: 20, spread: 0.4 },
  { carrier: 'hrs', country: 'DE', share: 9, hours: 34, spread: 0.45 },
  { carrier: 'gls', country: 'DE', share: 8, hours: 22, spread: 0.4 },
  { carrier: 'ups', country: 'DE', share: 6, hours: 18, spread: 0.35 },
  { carrier: 'postat', country: 'AT', share: 5, hours: 40, spread: 0.3 },
  { carrier: 'dhl', country: 'AT', share: 5, hours: 48, spread: 0.35 },
  { carrier: 'swisspost', country: 'CH', share: 4, hours: 60, spread: 0.4 },
  { carrier: 'dpd', country: 'FR', share: 4, hours: 56, spread: 0.4 },
  { carrier: 'gls', country: 'IT', share: 3, hours: 84, spread: 0.45 },
  { carrier: 'dpd', country: 'PL', share: 3, hours: 52, spread: 0.35 },
  { carrier: 'royalmail', country: 'GB', share: 3, hours: 90, spread: 0.5 },
  { carrier: 'ups', country: 'NL', share: 2.5, hours: 30, spread: 0.35 },
  { carrier: 'dhl', country: 'NL', share: 2, hours: 36, spread: 0.35 },
  { carrier: 'bpost', country: 'BE', share: 2, hours: 44, spread: 0.4 },
  { carrier: 'postnord', country: 'SE', share: 1.5, hours: 80, spread: 0.4 },
  { carrier: 'gls_es', country: 'ES', share: 1.2, hours: 88, spread: 0.45 },
  { carrier: 'dhl', country: 'ES', share: 1, hours: 96, spread: 0.4 },
  { carrier: 'ups', country: 'FR', share: 0.8, hours: 40, spread: 0.35 },
  { carrier: 'anpost', country: 'IE', share: 0.6, hours: 100, spread: 0.5 },
  { carrier: 'posti', country: 'FI', share: 0.4, hours: 110, spread: 0.4 },
];

/** How many of a hundred parcels of a Saturday are delivered on it. Nobody tells the prediction. */
const onSaturdays: Readonly<Record<string, number>> = {
  dhl: 85,
  postat: 70,
  royalmail: 80,
  bpost: 20,
  gls: 0,
  ups: 0,
  swisspost: 0,
};
const usuallyOnSaturdays = 55;

/** Of Bavaria and its neighbours, which the country of an address does not tell. */
const regional = (day: Day, { country }: Lane, area: string) =>
  country === 'DE' &&
  '789'.includes(area) &&
  ['01-06', '11-01'].includes(new Date(day * 86_400_000).toISOString().slice(5, 10));

const mondayToSaturday = [1, 2, 3, 4, 5, 6];
const onWorkingDays = new Map(ways.map(({ country }) => [country, deliveriesOn(mondayToSaturday, country)]));

const begin = dayOfDate('2025-01-01');
const days = 480;
const learned = 90;
const parcelsOfWorld = 30_000;
const byWeekday = [2, 22, 19, 17, 17, 16, 7];

export function madeWorld(seed: number): World {
  const random = randomFrom(seed);
  for (let i = 0; i < 20; i++) random();
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const carriers = [...new Set(ways.map(({ carrier }) => carrier))];
  const struck = ['dpd', 'hrs', 'gls', 'ups'][Math.floor(random() * 4)]!;
  const first = begin + 150 + Math.floor(random() * 240);
  const strike = { carrier: struck, first, last: first + 4 + Math.floor(random() * 4) };
  // Days on which a depot is full, for all areas of a carrier alike.
  const full = new Map(carriers.map((carrier) => [carrier, new Set<Day>()]));
  for (const set of full.values())
    for (let day = begin; day < begin + days + 60; day++) if (random() < 0.04) set.add(day);
  const character = ways.map(() => ({
    // Of the hours on the road, over the whole time.
    drift: random() < 0.5 ? 0 : (random() - 0.4) * 0.7,
    // A new hub: from one day to the next.
    changes: random() < 0.2 ? { on: begin + 120 + random() * 300, by: random() < 0.5 ? 0.75 : 1.3 } : undefined,
    remote: new Map(
      Array.from({ length: 10 }, (_, area) => [String(area), random() < 0.25 ? 8 + random() * 24 : random() * 5]),
    ),
    towns: Array.from({ length: 10 }, () => 0.3 + random()),
  }));
  const parcels: Parcel[] = [];
  const shares = ways.reduce((sum, { share }) => sum + share, 0);
  for (const [i, way] of ways.entries()) {
    const { drift, changes, remote, towns } = character[i]!;
    const aDay = ((way.share / shares) * parcelsOfWorld) / days;
    for (let day = begin; day < begin + days; day++) {
      const month = new Date(day * 86_400_000).getUTCMonth();
      const season = month === 11 || month === 10 ? 1.5 : 0.92;
      const expected = aDay * season * (byWeekday[weekdayOf(day)]! / (100 / 7));
      let count = Math.floor(expected) + (random() < expected % 1 ? 1 : 0);
      if (count > 3) count = Math.max(0, Math.round(count + normal() * Math.sqrt(count)));
      for (let c = 0; c < count; c++) {
        const area = String(pick(towns, random));
        const passed = (day - begin) / days;
        const slower =
          (1 + drift * passed) * (changes && day >= changes.on ? changes.by : 1) * (month === 11 ? 1.15 : 1);
        const hours = way.hours * slower * Math.exp(way.spread * normal()) + remote.get(area)!;
        parcels.push({ lane: way, area, handedOver: day, ...arrival(way, area, day, hours) });
      }
    }
  }

  function arrival(
    way: Way,
    area: string,
    handedOver: Day,
    hours: number,
  ): Omit<Parcel, 'lane' | 'area' | 'handedOver'> {
    const scanned: Day[] = [];
    const out: Day[] = [];
    const attempted: Day[] = [];
    const events = { scanned, out, attempted };
    // Collected in the afternoon. The road rests from Saturday evening to Sunday evening.
    let at = handedOver + 14 / 24 + random() * (5 / 24);
    let left = hours / 24 + (random() < 0.015 ? 2 + random() * 5 : 0);
    for (const step = 1 / 24; left > 0; at += step) {
      const hour = weekdayOf(Math.floor(at)) * 24 + (at % 1) * 24;
      if (hour >= 18 && hour < 6 * 24 + 18) left -= step;
    }
    for (let day = handedOver + 1; day <= Math.floor(at); day++) if (random() < 0.6) scanned.push(day);
    if (random() < 0.003) return events;
    // On the van if it is in the depot at six in the morning.
    let day = Math.floor(at) + (at % 1 > 0.25 ? 1 : 0);
    for (let tries = 0; tries < 60; tries++, day++) {
      if (!goesOut(way, area, day)) continue;
      const busy = full.get(way.carrier)!.has(day) ? 0.4 : 0.04;
      const month = new Date(day * 86_400_000).getUTCMonth();
      if (random() < busy * (month === 11 ? 1.8 : 1)) {
        // The courier did not get to it, or it never left the depot.
        if (random() < 0.3) out.push(day);
        else scanned.push(day);
        continue;
      }
      out.push(day);
      if (random() >= 0.06) return { ...events, delivered: day };
      attempted.push(day);
    }
    return events;
  }

  function goesOut(way: Way, area: string, day: Day): boolean {
    if (!onWorkingDays.get(way.country)!(day) || regional(day, way, area)) return false;
    if (way.carrier === strike.carrier && day >= strike.first && day <= strike.last) return false;
    // After a strike the depots are full for a few days.
    if (way.carrier === strike.carrier && day > strike.last && day <= strike.last + 4 && random() < 0.45) return false;
    return weekdayOf(day) !== 6 || random() * 100 < (onSaturdays[way.carrier] ?? usuallyOnSaturdays);
  }

  parcels.sort((a, b) => a.handedOver - b.handedOver);
  return { parcels, measuredFrom: begin + learned, strike };
}

function pick(weights: readonly number[], random: () => number): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return Math.max(0, found);
}
