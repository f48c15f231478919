import type { Lane } from '#platform/table/keys.ts';
import { arrivalLimits } from '#schemas/catalogues/limits.ts';
import { bandsIfRight, coveredOf, laterLevel, levelOf, recentBands } from './calibration.ts';
import {
  type Day,
  type Delivers,
  dateOfDay,
  dayOfDate,
  deliveriesOn,
  deliveryDayAfter,
  deliveryDaysUntil,
  deliveryWeekdays,
  weekdayOf,
} from './delivery-days.ts';
import {
  backedOff,
  distributionFrom,
  fromLogit,
  type Hazards,
  hazardsOf,
  lateAfter,
  leftAfter,
  logit,
  longest,
  narrowed,
  type Observed,
  observedOf,
  sumOf,
  together,
  zeros,
} from './distribution.ts';
import { type LaneDay, longestAfterStage } from './lane-days.ts';
import { cohortsOf, type Knowledge, knowledgeOf, recentDays, weekdaysOfDeliveries } from './lane-knowledge.ts';
import { bandLevels, type DayWindow, type Journey, type Predicted } from './prediction.ts';
import { windowAt } from './window.ts';

/** What is known about the deliveries of a lane: stored as JSON, made from the counters alone. */
export interface ArrivalModel {
  /** Of this form. What has another one is not read. */
  form: 1;
  /** Delivered parcels of the lane that speak, of this shop and of others, each by its weight. */
  parcels: number;
  /** The weekdays on which parcels are delivered. 0 is Sunday. */
  weekdays: readonly number[];
  /** The hazard of each delivery day after the hand-over. Empty if nothing is known. */
  hazards: Hazards;
  /** What the weekday of the hand-over and the area do to their odds, in steps (`stepsOf`). */
  byWeekday: readonly (readonly number[])[];
  byArea: Readonly<Record<string, readonly number[]>>;
  /** The hazards after the courier left with it, and after an attempt failed. */
  afterOut: Hazards;
  afterAttempt: Hazards;
  /** How likely a window has to be by this model to hold nine parcels of ten. */
  level: number;
  /** The share of recent windows that held. Absent if too few are known. */
  covered?: number;
}

/** What a shop tells the other shops of the deployment about a lane. */
export interface LaneSummary {
  form: 1;
  /** Delivered parcels that it speaks for, by weight, as all numbers here. */
  parcels: number;
  /** On each weekday. */
  weekdays: readonly number[];
  delivered: readonly number[];
  atRisk: readonly number[];
  afterOut: readonly number[];
  afterAttempt: readonly number[];
  bands: readonly number[];
}

export function laneSummary({ country }: Lane, days: readonly LaneDay[], today: string): LaneSummary {
  const now = dayOfDate(today);
  const recent = recentDays(days, now);
  const weekdays = weekdaysOfDeliveries(recent, now);
  const cohorts = cohortsOf(recent, deliveriesOn(deliveryWeekdays([weekdays]), country), now);
  const { parcels, lane, afterOut, afterAttempt } = knowledgeOf(cohorts);
  return {
    form: 1,
    parcels: rounded(parcels, 1),
    weekdays: shortened(weekdays),
    delivered: shortened(lane.delivered),
    atRisk: shortened(lane.atRisk),
    afterOut: shortened(afterOut),
    afterAttempt: shortened(afterAttempt),
    bands: shortened(recentBands(cohorts, lateAfter(hazardsOf([lane])))),
  };
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
/** Without the zeros at the end. */
function trimmed(values: readonly number[]): number[] {
  const last = values.findLastIndex((value) => value !== 0);
  return values.slice(0, last + 1);
}
const shortened = (counts: readonly number[]) => trimmed(counts.map((count) => rounded(count, 1)));

/** @param others what other shops tell about the lane, and about all lanes of the carrier */
export function arrivalModel(
  { country }: Lane,
  days: readonly LaneDay[],
  others: { lane: readonly LaneSummary[]; carrier: readonly LaneSummary[] },
  today: string,
): ArrivalModel {
  const now = dayOfDate(today);
  const recent = recentDays(days, now);
  const ofLane = others.lane.filter(isWhole);
  const groups = [others.carrier.filter(isWhole).map(withLimitedVoice), ofLane.map(withLimitedVoice)] as const;
  const weekdays = deliveryWeekdays([
    ...groups.map((group) => added(group, 7, (summary) => summary.weekdays)),
    weekdaysOfDeliveries(recent, now),
  ]);
  const cohorts = cohortsOf(recent, deliveriesOn(weekdays, country), now);
  const own = knowledgeOf(cohorts);
  const hazards = hazardsOf([together(groups[1]), own.lane], hazardsOf([together(groups[0])]));
  const late = lateAfter(hazards);
  const covered = coveredOf(cohorts, late, now);
  const bands = groups.map((group) => added(group, bandLevels.length + 1, (summary) => summary.bands));
  const stage = (name: 'afterOut' | 'afterAttempt') => {
    const observed = [...groups.map((group) => added(group, longest, (summary) => summary[name])), own[name]];
    return backedOff(observed.map(observedOf), believedStages[name]).map((hazard) => rounded(hazard, 3));
  };
  const parcels = sumOf(ofLane.map((summary) => Math.min(mostOfOther, summary.parcels))) + own.parcels;
  const isKnown = parcels > 0 || groups[0].some((summary) => summary.parcels > 0);
  const moved: Moved = {
    hazards: isKnown ? shortHazards(hazards) : [],
    byWeekday: own.weekdays.map((observed) => stepsOf(observed, hazards)),
    byArea: areaSteps(own, hazards),
  };
  const believed = bandsIfRight(distributionsOf(own, moved));
  return {
    form: 1,
    parcels: rounded(parcels, 1),
    weekdays,
    ...moved,
    afterOut: stage('afterOut'),
    afterAttempt: stage('afterAttempt'),
    level: rounded(levelOf(believed, [...bands, recentBands(cohorts, late)]), 4),
    ...(covered !== undefined && { covered: rounded(covered, 3) }),
  };
}

/**
 * A shop reports its own parcels, and sends them from where it is. So none speaks for another with more parcels than these,
 * and for those that a window needs to be shown three others have to.
 */
const loudestShop = 100;
const mostOfOther = arrivalLimits.fewestParcels / 3;

function withLimitedVoice(summary: LaneSummary): LaneSummary {
  const share = Math.min(1, loudestShop / summary.parcels);
  const less = (counts: readonly number[]) => counts.map((count) => share * count);
  return {
    form: summary.form,
    parcels: share * summary.parcels,
    weekdays: less(summary.weekdays),
    delivered: less(summary.delivered),
    atRisk: less(summary.atRisk),
    afterOut: less(summary.afterOut),
    afterAttempt: less(summary.afterAttempt),
    bands: less(summary.bands),
  };
}

/** Another shop's item is not to stop this one's learning, whatever it has. */
const isWhole = ({ parcels, weekdays, delivered, atRisk, afterOut, afterAttempt, bands }: LaneSummary): boolean =>
  parcels > 0 && [weekdays, delivered, atRisk, afterOut, afterAttempt, bands].every(areCounts);

export const isCount = (value: unknown): boolean => Number.isFinite(value) && (value as number) >= 0;
export const areCounts = (values: unknown): boolean => Array.isArray(values) && values.every(isCount);

/** How parcels of each weekday and area would come. */
function distributionsOf({ weekdays, areas }: Knowledge, model: Moved): { chances: number[]; weight: number }[] {
  const known = weekdays.flatMap((ofWeekday, weekday) =>
    [...areas].map(([area, ofArea]) => ({ weekday, area, weight: ofWeekday.atRisk[0]! * ofArea.atRisk[0]! })),
  );
  const groups = known.filter(({ weight }) => weight > 0);
  return (groups.length > 0 ? groups : [{ weekday: 0, area: '', weight: 1 }]).map(({ weekday, area, weight }) => ({
    chances: distributionFrom(movedHazards(model, weekday, area), 0),
    weight,
  }));
}

/** The sum of counts of several shops. */
function added(
  summaries: readonly LaneSummary[],
  length: number,
  countsOf: (summary: LaneSummary) => readonly number[],
): number[] {
  const sums = zeros(length);
  for (const summary of summaries)
    for (const [n, count] of countsOf(summary).slice(0, length).entries()) sums[n]! += count;
  return sums;
}

/** The days after which next to nobody is left are one. */
function shortHazards(hazards: Hazards): number[] {
  const { length } = distributionFrom(hazards, 0);
  return hazards.slice(0, length).map((hazard) => rounded(Math.max(0.001, hazard), 3));
}

const stepsInLogit = 20;

/** How a group moves the odds of the lane's hazards. Few parcels move them little (`narrowed`). */
const stepsOf = (group: Observed, lane: Hazards): number[] =>
  trimmed(narrowed(group, lane).map((hazard, n) => Math.round(stepsInLogit * (logit(hazard) - logit(lane[n]!))) || 0));

/** A lane has at most ten areas or twenty-six, where postcodes begin with a digit or a letter. */
const mostAreas = 40;

function areaSteps({ areas }: Knowledge, hazards: Hazards): Record<string, number[]> {
  const largest = [...areas].sort(([, a], [, b]) => b.atRisk[0]! - a.atRisk[0]!).slice(0, mostAreas);
  return Object.fromEntries(
    largest.map(([area, observed]) => [area, stepsOf(observed, hazards)] as const).filter(([, steps]) => steps.length),
  );
}

/**
 * What is believed about a day while nothing was counted: most parcels come on the day on which the courier leaves with
 * them, the others soon; what nobody took comes on one of the next days.
 */
const believedStages: Readonly<Record<'afterOut' | 'afterAttempt', Hazards>> = {
  afterOut: [0.9, 0.6, 0.4, ...Array.from({ length: longestAfterStage - 2 }, () => 0.25)],
  afterAttempt: [0.05, 0.6, 0.5, 0.4, ...Array.from({ length: longestAfterStage - 3 }, () => 0.25)],
};

/** Undefined if nothing at all is known: of the lane, or of parcels that are under way for so long. @param today of the recipient */
export function predict(
  model: ArrivalModel,
  { country }: Lane,
  journey: Journey,
  today: string,
): Predicted | undefined {
  if (model.hazards.length === 0) return undefined;
  const delivers = deliveriesOn(model.weekdays, country);
  const from = dayOfDate(journey.stage === 'under_way' ? journey.handedOver : journey.since);
  const now = dayOfDate(today);
  // A time of a carrier may be any. The day of a hand-over is in UTC, where tomorrow may have begun.
  if (!(now - from <= arrivalLimits.learnedDays && from - now <= 1)) return undefined;
  const first = deliveryDaysUntil(from, now, delivers);
  if (first > longest) return undefined;
  const hazards = hazardsFor(model, journey);
  const distribution = distributionFrom(hazards, first);
  const dates = datesOf(from, delivers);
  const windowOf = (level: number): DayWindow => {
    const run = windowAt(distribution, level);
    return { from: dates(run.first), to: dates(run.last) };
  };
  const window = windowOf(laterLevel(model.level, leftAfter(hazards, first)));
  return { ...(isToBeShown(model, window) && { window }), bands: bandLevels.map(windowOf) };
}

/** The dates of delivery days, each of which is made once. */
function datesOf(from: Day, delivers: Delivers): (deliveryDays: number) => string {
  const dates = new Map<number, string>();
  return (deliveryDays) => {
    const date = dates.get(deliveryDays) ?? dateOfDay(deliveryDayAfter(from, deliveryDays, delivers));
    dates.set(deliveryDays, date);
    return date;
  };
}

function isToBeShown({ parcels, covered }: ArrivalModel, { from, to }: DayWindow): boolean {
  const width = dayOfDate(to) - dayOfDate(from) + 1;
  return (
    parcels >= arrivalLimits.fewestParcels &&
    width <= arrivalLimits.widestDays &&
    (covered ?? 1) >= arrivalLimits.leastCovered
  );
}

function hazardsFor(model: ArrivalModel, { stage, handedOver, area }: Journey): Hazards {
  if (stage === 'out_for_delivery') return model.afterOut;
  if (stage === 'attempted') return model.afterAttempt;
  return movedHazards(model, weekdayOf(dayOfDate(handedOver)), area);
}

type Moved = Pick<ArrivalModel, 'hazards' | 'byWeekday' | 'byArea'>;

/** Weekday and area are taken to act independently, because few parcels share both. */
function movedHazards({ hazards, byWeekday, byArea }: Moved, weekday: number, area: string | undefined): Hazards {
  const ofWeekday = byWeekday[weekday] ?? [];
  const ofArea = byArea[area ?? ''] ?? [];
  return hazards.map((hazard, n) => {
    const steps = (ofWeekday[n] ?? 0) + (ofArea[n] ?? 0);
    return steps === 0 ? hazard : fromLogit(logit(hazard) + steps / stepsInLogit);
  });
}
