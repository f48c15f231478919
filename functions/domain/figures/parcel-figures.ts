import { isGone } from '#domain/orders/attention.ts';
import { cohortOf, countedDay, isCounted, shippedAt } from '#domain/orders/handed-over.ts';
import type { Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import { currentEvent, currentPhase } from '#domain/orders/shipment-rules.ts';
import type { CohortPlace } from '#platform/table/keys.ts';
import { dayMs, hourMs } from '#platform/time.ts';
import { isRemark, type Phase, phaseOf, type ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { arrivalSteps, endOf, type Steps } from './arrival-figures.ts';
import { type Changed, type Count, cohortCount, dayCount, difference } from './count-rules.ts';
import { cohortCounters, shippedCounter, silenceCounter } from './counter-names.ts';
import { counterOfRange, rangeOf } from './durations.ts';

/**
 * What a parcel adds to the figures, from its stored document alone. A change adds what the parcel is now and takes what it
 * was, so events that come late, twice, never or with another time leave the counters as a recount of all parcels would.
 *
 * These are the definitions of version `figuresDefinition`. Whoever changes one raises that: README.md says how.
 */
export interface ParcelFigures {
  /** The parcels it is compared with. Absent if no carrier is known to have got it. */
  cohort?: CohortPlace;
  /** The day of its delivery. */
  deliveredOn?: string;
  /** From handing over to the delivery. */
  hours?: number;
  /** It was lost, sent back or cancelled, and not delivered before that. */
  endedOtherwise: boolean;
  /** Absent while nobody has tried to deliver it. */
  firstAttempt?: 'successful' | 'failed';
  /** Whether the carrier kept its first word. Absent if it gave none, or the parcel is not delivered. */
  promise?: 'kept' | 'broken';
  /** The longest time without news before the delivery, in days rounded up. */
  silentDays?: number;
  /** How long the delivery took and whether it was foreseen, as counters of the cohort. */
  arrival?: Steps;
}

/** Undefined if nothing counts the parcel. */
export function figuresOf(shipment: Shipment): ParcelFigures | undefined {
  if (!isCounted(shipment)) return undefined;
  const cohort = cohortOf(shipment);
  const delivery = shipment.events.find(({ event_name }) => phaseIn(shipment, event_name) === 'delivered');
  const deliveredOn = delivery && countedDay(delivery.time, shipment);
  const attempt = firstAttemptOf(shipment);
  const firstAttempt = attempt && (isFailed(attempt, shipment) ? 'failed' : 'successful');
  return {
    ...(cohort && { cohort }),
    ...(deliveredOn && { deliveredOn }),
    ...(cohort && delivery && { hours: hoursBetween(shippedAt(shipment)!, delivery.time) }),
    endedOtherwise: !delivery && hasEndedOtherwise(shipment),
    ...(firstAttempt && { firstAttempt }),
    ...(delivery && shipment.promise && { promise: isKept(shipment.promise.end, delivery) ? 'kept' : 'broken' }),
    ...(delivery && { silentDays: silentDaysUntil(delivery, shipment) }),
    ...(cohort && delivery && { arrival: arrivalSteps({ shipment, handedOver: cohort.day, delivery }) }),
  };
}

const hoursBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / hourMs;

const phaseIn = ({ direction }: Shipment, name: ShipmentEventName): Phase => phaseOf(name, direction);

/** No customer gets a parcel in one of these. `return_failed`: it is neither at its recipient nor back. */
const endsOtherwise: ReadonlySet<Phase> = new Set([
  'returned',
  'return_received',
  'return_transit',
  'return_failed',
  'order_cancelled',
]);

/** What is found again after it was lost is under way again. */
const hasEndedOtherwise = (shipment: Shipment): boolean =>
  endsOtherwise.has(currentPhase(shipment)) || isGone(currentEvent(shipment.events).event_name);

const attempts: ReadonlySet<Phase> = new Set(['delivered', 'collect', 'delivery_failed']);

/** Their phase is that of a failed delivery, and nobody was at the door: the round ended, or did not come by. */
const noAttempts: ReadonlySet<ShipmentEventName> = new Set([
  'NO_DELIVERY_ATTEMPT_ON_ROUTE',
  'RETURNED_TO_DELIVERY_DEPOT',
]);

/** Also a parcel that waits in a shop or a locker has come as far as its carrier brings it. */
const firstAttemptOf = (shipment: Shipment): ShipmentEvent | undefined =>
  shipment.events.find(
    ({ event_name: name }) =>
      attempts.has(phaseIn(shipment, name)) && !isRemark(name) && !isGone(name) && !noAttempts.has(name),
  );

const isFailed = ({ event_name }: ShipmentEvent, shipment: Shipment): boolean =>
  phaseIn(shipment, event_name) === 'delivery_failed';

const isKept = (end: string, delivery: ShipmentEvent): boolean => Date.parse(delivery.time) <= endOf(end);

/** In days. What is longer counts as this. */
export const longestSilence = 31;

/**
 * The longest time between two events that say where the parcel is, from the moment at which the shop gave it a number (or
 * the carrier's first event, if that came before) to the delivery.
 */
function silentDaysUntil(delivery: ShipmentEvent, shipment: Shipment): number {
  const times = shipment.events
    .filter(({ event_name: name, time }) => isNews(name, shipment) && time <= delivery.time)
    .map(({ time }) => Date.parse(time));
  const longest = times.slice(1).reduce((most, time, i) => Math.max(most, time - times[i]!), 0);
  return Math.min(longestSilence, Math.ceil(longest / dayMs));
}

const isNews = (name: ShipmentEventName, shipment: Shipment): boolean =>
  !isRemark(name) && phaseIn(shipment, name) !== 'order_created';

/** What a change of a parcel adds to the figures of days and cohorts, and takes from them. */
export const parcelCounts = (slug: string, { before, after }: Changed<Shipment>): Count[] =>
  difference(before && cellsOf(slug, before), after && cellsOf(slug, after));

function cellsOf(slug: string, shipment: Shipment): Count[] {
  const figures = figuresOf(shipment);
  if (!figures) return [];
  const { cohort, deliveredOn } = figures;
  return [
    ...(deliveredOn ? [dayCount(slug, deliveredOn, 'delivered')] : []),
    ...(cohort ? [dayCount(slug, cohort.day, shippedCounter(cohort)), ...cohortCells(slug, cohort, figures)] : []),
  ];
}

function cohortCells(slug: string, cohort: CohortPlace, figures: ParcelFigures): Count[] {
  const { hours, endedOtherwise, firstAttempt, promise, silentDays, arrival = {} } = figures;
  const names = [
    ...(hours === undefined ? [] : [counterOfRange(rangeOf(hours))]),
    ...(endedOtherwise ? [cohortCounters.endedOtherwise] : []),
    ...(firstAttempt ? [cohortCounters.attempted] : []),
    ...(firstAttempt === 'successful' ? [cohortCounters.firstAttempts] : []),
    ...(promise ? [cohortCounters.promised] : []),
    ...(promise === 'kept' ? [cohortCounters.kept] : []),
    ...(silentDays === undefined ? [] : [silenceCounter(silentDays)]),
  ];
  const steps = [...names.map((name): [string, number] => [name, 1]), ...Object.entries(arrival)];
  return steps.filter(([, step]) => step !== 0).map(([name, step]) => cohortCount(slug, cohort, name, step));
}
