import {
  afterAttemptCounter,
  afterOutCounter,
  arrivalCounters,
  bandCounter,
  daysWithoutSundays,
  deliveredCounter,
  longestDays,
  unknownArea,
} from '#domain/arrival/lane-days.ts';
import { bandOf, windowOf } from '#domain/arrival/prediction.ts';
import { localDay } from '#domain/orders/local-day.ts';
import type { DeliveryPromise, Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import { lastAttempt, lastRound } from '#domain/orders/rounds.ts';
import { dayMs, daysBetween, hourMs, utc } from '#platform/time.ts';

/**
 * What a delivered parcel tells about arrivals: how long it took, and whether what was said about it was true. Days are those
 * of the recipient's calendar, as in predictions.
 */

/** What a parcel adds to counters of its cohort, by their names. */
export type Steps = Readonly<Record<string, number>>;

interface Delivered {
  shipment: Shipment;
  /** The day in UTC on which the carrier got it. */
  handedOver: string;
  delivery: ShipmentEvent;
}

export function arrivalSteps({ shipment, handedOver, delivery }: Delivered): Steps {
  const dayOf = ({ time }: ShipmentEvent) => localDay(time, shipment);
  const day = dayOf(delivery);
  // In the west of America the calendar may be a day behind that of the cohort.
  const days = Math.max(0, daysBetween(handedOver, day));
  const daysSince = (event: ShipmentEvent | undefined, counter: (days: number) => string): Steps =>
    event ? { [counter(daysWithoutSundays(dayOf(event), day))]: 1 } : {};
  return {
    [deliveredCounter(areaOf(shipment), days)]: 1,
    // From where predictions count, too.
    ...daysSince(lastRound(shipment, delivery), afterOutCounter),
    ...daysSince(lastAttempt(shipment, delivery), afterAttemptCounter),
    ...ownSteps(shipment, day),
    ...carrierSteps(shipment, delivery),
  };
}

/** Shops write anything. A cohort has counters for 36 areas, not for every letter of the world. */
const areaOf = ({ area = unknownArea }: Shipment): string => (/^[0-9A-Z]$/.test(area) ? area : unknownArea);

function ownSteps({ prediction }: Shipment, day: string): Steps {
  if (!prediction) return {};
  const { since, bands, first } = prediction;
  const band = { [bandCounter(bandOf(bands, since, day))]: 1 };
  if (first === undefined) return band;
  const { from, to } = windowOf(first, since);
  return {
    ...band,
    [arrivalCounters.shown]: 1,
    [arrivalCounters.held]: from <= day && day <= to ? 1 : 0,
    [arrivalCounters.shownDays]: daysBetween(from, to) + 1,
  };
}

/** A promise of the year 9999 would be the mean of its week. */
const widestHours = longestDays * 24;

function carrierSteps({ promise }: Shipment, { time }: ShipmentEvent): Steps {
  if (!promise) return {};
  const [start, end] = [startOf(promise), endOf(promise.end)];
  const delivered = Date.parse(time);
  return {
    [arrivalCounters.carrierWindows]: 1,
    [arrivalCounters.carrierHeld]: start <= delivered && delivered <= end ? 1 : 0,
    [arrivalCounters.carrierHours]: Math.min(widestHours, Math.round((end - start) / hourMs)),
  };
}

/** Who names only an end means: from now on. */
const startOf = ({ start, end, event }: DeliveryPromise): number =>
  Math.min(Date.parse(utc(start ?? event.time)), endOf(end));

/** A carrier that knows only the day writes its beginning, and means all of it: at its own place, if it wrote an offset. */
export function endOf(end: string): number {
  const isDay = !/\d\d:\d\d/.test(end) || /[T\s]00:00(:00(\.0+)?)?(Z|[+-][\d:]+)?$/i.test(end);
  return Date.parse(utc(end)) + (isDay ? dayMs - 1 : 0);
}
