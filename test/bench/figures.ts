import type { Cohort } from '#domain/figures/cohort.ts';
import { deliveryQuantiles, quantileOf, survivalOf } from '#domain/figures/survival.ts';
import { Random } from '#test/fuzz/random.ts';
import { cohortsAt, durationsAt, type MadeLane, madeLane, parcelsOf, timeOf } from './made-lanes.ts';
import { fixed, median } from './statistics.ts';

/** More than a hundred, so that the share is not one of luck. */
const worlds = 400;
const must = 0.95;
const tolerance = 0.05;

const day = 24;
/** When nothing more arrives. */
const end = 200 * day;
const weekDays = [0, 1, 2, 3, 4, 5, 6];
const daysBefore = Array.from({ length: 28 }, (_, i) => i - 28);

/** Young cohorts, by the numbers of their days from a Monday on, and the hour at which one looks at them. */
const looks = {
  'a Monday, 7 days after it began': { days: [0], now: 7 * day },
  'a Friday, 7 days after it began': { days: [4], now: 11 * day },
  'a week, 7 days after it began': { days: weekDays, now: 7 * day },
  'a week, 7 days after it ended': { days: weekDays, now: 14 * day },
};
type Look = (typeof looks)['a Monday, 7 days after it began'];
type Delivered = Pick<Cohort, 'day' | 'shipped' | 'delivered'>;

/** The median that is shown while parcels are under way; null if none is. */
const estimates = {
  ours: (lane: MadeLane, { days, now }: Look) =>
    deliveryQuantiles(cohortsAt(lane, days, now), timeOf(now), cohortsAt(lane, daysBefore, now)).median,
  'ours, without the weeks before': (lane: MadeLane, { days, now }: Look) =>
    deliveryQuantiles(cohortsAt(lane, days, now), timeOf(now)).median,
  'one curve for all weekdays': (lane: MadeLane, { days, now }: Look) =>
    quantileOf(survivalOf(cohortsAt(lane, days, now).map((cohort) => watched(cohort, now))), 0.5),
  naive: (lane: MadeLane, { days, now }: Look) => {
    const durations = durationsAt(lane, days, now);
    return durations.length > 0 ? median(durations) : null;
  },
};
type EstimateName = keyof typeof estimates;

const watched = ({ day: date, shipped, delivered }: Delivered, now: number) => ({
  size: shipped,
  delivered,
  hours: (timeOf(now - day).getTime() - Date.parse(date)) / 3_600_000,
});

/**
 * The median delivery time of a young cohort beside the one that it has in the end, in made worlds. The naive
 * median, of what has been delivered so far, is the floor: it needs no estimate, and is what makes young weeks look quick.
 */
export async function benchFigures(): Promise<void> {
  const lanes = Array.from({ length: worlds }, (_, world) => madeLane(new Random(`lane ${world}`)));
  const week = lanes.map((lane) => parcelsOf(lane, weekDays).length);
  console.log(
    `${worlds} lanes with ${Math.min(...week)} to ${Math.max(...week)} parcels in the week. Shown is in how many`,
  );
  console.log('of 100 the median is within 5 % of its final value, (not shown yet), and the worst errors in percent.');
  const rows: Record<string, Record<EstimateName, string>> = {};
  const broken: string[] = [];
  for (const [name, look] of Object.entries(looks)) {
    const finals = lanes.map((lane) => deliveryQuantiles(cohortsAt(lane, look.days, end), timeOf(end)).median!);
    const results = Object.fromEntries(
      Object.entries(estimates).map(([estimate, of]) => [
        estimate,
        compare(
          lanes.map((lane) => of(lane, look)),
          finals,
        ),
      ]),
    ) as Record<EstimateName, Comparison>;
    rows[name] = Object.fromEntries(
      Object.entries(results).map(([estimate, result]) => [estimate, textOf(result)]),
    ) as Record<EstimateName, string>;
    if (results.ours.right < must) broken.push(`${name}: right in ${hundred(results.ours.right)} of 100 only.`);
    if (results.naive.right >= must) broken.push(`${name}: the naive median is as good, so the worlds show nothing.`);
  }
  console.table(rows);
  if (broken.length > 0) throw new Error(broken.join(' '));
}

/** Shares of the worlds. */
interface Comparison {
  right: number;
  unknown: number;
  errors: number[];
}

function compare(shown: readonly (number | null)[], finals: readonly number[]): Comparison {
  const errors = shown.map((hours, world) => (hours === null ? undefined : hours / finals[world]! - 1));
  const known = errors.filter((error) => error !== undefined);
  return {
    right: known.filter((error) => Math.abs(error) <= tolerance).length / errors.length,
    unknown: 1 - known.length / errors.length,
    errors: known,
  };
}

function textOf({ right, unknown, errors }: Comparison): string {
  const counts = `${hundred(right)} (${hundred(unknown)})`;
  return errors.length === 0 ? counts : `${counts} ${percent(Math.min(...errors))} to ${percent(Math.max(...errors))}`;
}

const hundred = (share: number) => fixed(100 * share, 1);
/** Without a minus before zero. */
const percent = (error: number) => fixed(Math.round(1000 * error) / 10 + 0, 1);
