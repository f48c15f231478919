import { type Day, dateOfDay, dayOfDate } from '#domain/arrival/delivery-days.ts';
import {
  afterAttemptCounter,
  afterOutCounter,
  arrivalCounters,
  bandCounter,
  daysWithoutSundays,
  deliveredCounter,
  type LaneDay,
  laneDay,
} from '#domain/arrival/lane-days.ts';
import { type ArrivalModel, arrivalModel, type LaneSummary, laneSummary, predict } from '#domain/arrival/model.ts';
import { bandLevels, bandOf, type Journey, packBands } from '#domain/arrival/prediction.ts';
import { type Lane, laneName } from '#platform/table/keys.ts';
import { arrivalLimits } from '#schemas/catalogues/limits.ts';
import type { Parcel } from './arrival-world.ts';

/** What was said about a parcel on a day. */
export interface Prediction {
  parcel: Parcel;
  said: Day;
  stage: Journey['stage'];
  /** Whether it is the first that was said about it. */
  isFirst: boolean;
  isShown: boolean;
  first: Day;
  last: Day;
}

/** What is done to a model before it is used: each of its parts is left out once to see what it is worth. */
export type Method = (model: ArrivalModel) => ArrivalModel;
export const whole: Method = (model) => model;

/** The item of a cohort, as the counters write it. */
class CohortItem {
  readonly day: string;
  readonly #counts: Record<string, number> = {};
  #shipped = 0;
  #read: LaneDay | undefined;

  constructor(day: string) {
    this.day = day;
  }

  ship(): void {
    this.#shipped++;
    this.#read = undefined;
  }

  add(counter: string, by = 1): void {
    this.#counts[counter] = (this.#counts[counter] ?? 0) + by;
    this.#read = undefined;
  }

  read(): LaneDay {
    this.#read ??= laneDay(this.day, this.#shipped, this.#counts);
    return this.#read;
  }
}

/** A lane of which fewer parcels are known hears what the others of its carrier know. */
const enoughParcels = 200;

class LaneState {
  readonly lane: Lane;
  readonly #items = new Map<string, CohortItem>();
  #model: ArrivalModel | undefined;
  #summary: LaneSummary | undefined;
  #made = 0;
  #known = 0;

  constructor(lane: Lane) {
    this.lane = lane;
  }

  cohortOf(date: string): CohortItem {
    const made = this.#items.get(date) ?? new CohortItem(date);
    this.#items.set(date, made);
    return made;
  }

  /** Made again when about twenty parcels more are known. */
  modelOf(today: Day, lanes: ReadonlyMap<string, LaneState>): ArrivalModel {
    if (this.#model && today - this.#made < this.#dueAfter()) return this.#model;
    for (const day of this.#items.keys()) {
      if (today - dayOfDate(day) > arrivalLimits.learnedDays) this.#items.delete(day);
    }
    const days = [...this.#items.values()].map((item) => item.read());
    this.#made = today;
    this.#known = days.reduce((sum, { delivered }) => sum + delivered.reduce((all, { count }) => all + count, 0), 0);
    const carrier = [...lanes.values()].flatMap((other) =>
      this.#known < enoughParcels && other.lane.carrier === this.lane.carrier && other !== this ? other.summary() : [],
    );
    const date = dateOfDay(today);
    this.#model = arrivalModel(this.lane, days, { lane: [], carrier }, date);
    this.#summary = laneSummary(this.lane, days, date);
    return this.#model;
  }

  summary(): LaneSummary[] {
    return this.#summary ? [this.#summary] : [];
  }

  #dueAfter(): number {
    const { learnedDays, newParcels, fewestDays, mostDays } = arrivalLimits;
    return Math.min(mostDays, Math.max(fewestDays, (learnedDays * newParcels) / this.#known));
  }
}

interface Step {
  parcel: Parcel;
  stage: Journey['stage'];
  since: string;
}

/**
 * Every report about a parcel predicts it with the model of its lane, as of that day; a delivery is counted at the end of
 * its day.
 */
export function replay(parcels: readonly Parcel[], method: Method): Prediction[] {
  const lanes = new Map<string, LaneState>();
  const stored = new Map<Parcel, Prediction & { bands: string }>();
  const steps = stepsOf(parcels);
  const arriving = Map.groupBy(parcels, ({ delivered }) => delivered);
  const predictions: Prediction[] = [];
  const end = Math.max(...steps.keys());
  for (let today = parcels[0]?.handedOver ?? 0; today <= end; today++) {
    const date = dateOfDay(today);
    for (const { parcel, stage, since } of steps.get(today) ?? []) {
      const key = laneName(parcel.lane);
      const lane = lanes.get(key) ?? new LaneState(parcel.lane);
      lanes.set(key, lane);
      const handedOver = parcel.handedOver === today ? date : dateOfDay(parcel.handedOver);
      if (parcel.handedOver === today) lane.cohortOf(date).ship();
      const area = parcel.area === '-' ? undefined : parcel.area;
      const model = method(lane.modelOf(today, lanes));
      const made = predict(model, parcel.lane, { handedOver, area, stage, since }, date);
      if (!made) continue;
      const before = stored.get(parcel);
      // What is not shown is measured by the band of its level.
      const { from, to } = made.window ?? made.bands[bandLevels.findIndex((level) => level >= model.level)]!;
      const prediction: Prediction = {
        parcel,
        said: today,
        stage,
        isFirst: !before,
        isShown: made.window !== undefined,
        first: dayOfDate(from),
        last: dayOfDate(to),
      };
      predictions.push(prediction);
      if (!before) stored.set(parcel, { ...prediction, bands: packBands(made.bands, handedOver) });
    }
    for (const parcel of arriving.get(today) ?? [])
      count(parcel, lanes.get(laneName(parcel.lane))!, stored.get(parcel));
  }
  return predictions;
}

/** One parcel in so many is followed on its way: what is said later is measured, and nothing is learned from it. */
const followed = 5;

function stepsOf(parcels: readonly Parcel[]): Map<Day, Step[]> {
  const steps = new Map<Day, Step[]>();
  const add = (day: Day, parcel: Parcel, stage: Step['stage'], since = day) => {
    const known = steps.get(day) ?? [];
    known.push({ parcel, stage, since: dateOfDay(since) });
    steps.set(day, known);
  };
  for (const [i, parcel] of parcels.entries()) {
    add(parcel.handedOver, parcel, 'under_way');
    if (i % followed > 0) continue;
    for (const day of parcel.scanned) {
      const round = parcel.out.findLast((out) => out < day);
      if (round === undefined) add(day, parcel, 'under_way');
      else add(day, parcel, 'attempted', round);
    }
    for (const day of parcel.out) add(day, parcel, 'out_for_delivery');
    for (const day of parcel.attempted) add(day, parcel, 'attempted');
  }
  return steps;
}

/** @param said what was stored of the first prediction */
function count(parcel: Parcel, lane: LaneState, said: (Prediction & { bands: string }) | undefined): void {
  const { handedOver, area, out, attempted } = parcel;
  const delivered = parcel.delivered!;
  const item = lane.cohortOf(dateOfDay(handedOver));
  item.add(deliveredCounter(area, delivered - handedOver));
  const until = (day: Day) => daysWithoutSundays(dateOfDay(day), dateOfDay(delivered));
  if (out.length > 0) item.add(afterOutCounter(until(out[0]!)));
  if (attempted.length > 0) item.add(afterAttemptCounter(until(attempted[0]!)));
  if (!said) return;
  item.add(bandCounter(bandOf(said.bands, dateOfDay(handedOver), dateOfDay(delivered))));
  if (!said.isShown) return;
  item.add(arrivalCounters.shown);
  if (said.first <= delivered && delivered <= said.last) item.add(arrivalCounters.held);
}
