import { type ArrivalModel, predict } from '#domain/arrival/model.ts';
import {
  type DayWindow,
  daysIn,
  type Journey,
  offsetsOf,
  packBands,
  type StoredPrediction,
} from '#domain/arrival/prediction.ts';
import { daysBetween } from '#platform/time.ts';
import { estimateMoved, hasCarrierTime, isArriving } from './arrival.ts';
import { hasEnded } from './attention.ts';
import { cohortOf, laneOf, shippedAt } from './handed-over.ts';
import { localDay } from './local-day.ts';
import type { Shipment, ShipmentEvent } from './model.ts';
import { lastAttempt, lastRound } from './rounds.ts';
import { currentPhase, reported } from './shipment-rules.ts';

/** When we think that a parcel arrives, and what of that its shipment remembers. */

/**
 * Undefined if we say nothing about the parcel: it is not counted, no carrier has it, or none brings it to its recipient.
 * Carriers mistype dates, so a parcel that was handed over or is brought after tomorrow tells nothing either.
 * @param today of the recipient
 */
export function journeyOf(shipment: Shipment, today: string): Journey | undefined {
  const cohort = isArriving(shipment) ? cohortOf(shipment) : undefined;
  if (!cohort) return undefined;
  const { stage, since } = stageOf(shipment);
  if (!isPossible(cohort.day, today) || !isPossible(since, today)) return undefined;
  const { area } = shipment;
  return { handedOver: cohort.day, ...(area !== undefined && { area }), stage, since: earlier(since, today) };
}

/** Clocks differ, and so do days: elsewhere it may be tomorrow. No number of days is known to a year of five digits. */
const isPossible = (day: string, today: string): boolean => daysBetween(today, day) <= 1;

const earlier = (one: string, other: string): string => (one < other ? one : other);

function stageOf(shipment: Shipment): Pick<Journey, 'stage' | 'since'> {
  const dayOf = ({ time }: Pick<ShipmentEvent, 'time'>) => localDay(time, shipment);
  if (currentPhase(shipment) === 'in_delivery') {
    return { stage: 'out_for_delivery', since: dayOf(lastRound(shipment)!) };
  }
  const attempt = lastAttempt(shipment);
  if (attempt) return { stage: 'attempted', since: dayOf(attempt) };
  return { stage: 'under_way', since: dayOf({ time: shippedAt(shipment)! }) };
}

/** Whether a model is worth its read. Where the carrier names a time, ours is measured once and never shown. */
export const needsModel = (shipment: Shipment, now: Date): boolean =>
  !(hasCarrierTime(shipment) && shipment.prediction) && journeyOf(shipment, todayOf(shipment, now)) !== undefined;

const todayOf = (shipment: Shipment, now: Date): string => localDay(now.toISOString(), shipment);

interface Predicting {
  shipment: Shipment;
  /** The event of the shipment that tells merchants of a window that moved. */
  told?: ShipmentEvent;
}

/**
 * The shipment after a report, with what we say now. Merchants are told if our window moved by a day or more: at most once
 * on a day of the recipient, and not of the first window. One that becomes narrower within what they were told keeps its
 * word, and the event of the report has it. @param model of its lane @param notify whether they may be told
 */
export function withPrediction(
  shipment: Shipment,
  model: ArrivalModel | undefined,
  now: Date,
  notify: boolean,
): Predicting {
  const { prediction: before } = shipment;
  const today = todayOf(shipment, now);
  const journey = journeyOf(shipment, today);
  const predicted = journey && model && predict(model, laneOf(shipment), journey, today);
  if (!predicted && !before) return { shipment };
  // No window begins before today, whenever the carrier says later that it got the parcel.
  const since = before?.since ?? earlier(journey!.handedOver, today);
  const isShown = predicted?.window && !hasCarrierTime(shipment);
  const window = isShown ? offsetsOf(notBefore(since, predicted.window!), since) : undefined;
  const known = before?.told ?? before?.window;
  const hasMoved = window !== undefined && known !== undefined && !isWithin(window, known);
  const isTold = hasMoved && notify && !wasToldOn(today, shipment);
  const after: StoredPrediction = {
    since,
    ...(window !== undefined && { window }),
    ...remembered('first', before?.first ?? window),
    ...remembered('told', isTold || known === window || hasEnded(shipment) ? undefined : known),
    bands: before?.bands ?? packBands(predicted!.bands, since),
  };
  const updated = { ...shipment, prediction: after };
  if (!isTold) return { shipment: updated };
  const at = now.toISOString();
  const told: ShipmentEvent = { event_name: estimateMoved, time: at, predicted: true };
  return { shipment: reported(updated, { event: told }, at).shipment, told };
}

const remembered = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };

/** A parcel is handed over by the day in UTC, which may have begun where the recipient has the day before. */
const notBefore = (since: string, { from, to }: DayWindow): DayWindow => ({
  from: from < since ? since : from,
  to: to < since ? since : to,
});

function isWithin(inner: string, outer: string): boolean {
  const [from, to] = daysIn(inner);
  const [first, last] = daysIn(outer);
  return first <= from && to <= last;
}

const wasToldOn = (day: string, shipment: Shipment): boolean =>
  shipment.events.some(({ event_name, time }) => event_name === estimateMoved && localDay(time, shipment) === day);
