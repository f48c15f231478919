import { remember } from '#platform/recently-used.ts';
import { arrivalsOf, keyOf, type Lane, laneName } from '#platform/table/keys.ts';
import { batchGet, itemsIn, queryPages } from '#platform/table/reads.ts';
import { put, tryCommit } from '#platform/table/writes.ts';
import { dayMs } from '#platform/time.ts';
import { arrivalLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { type ArrivalModel, areCounts, isCount, type LaneSummary } from './model.ts';

/** What shops have learned about lanes. Two items of each lane: one for the shop itself, and one for the others. */

interface Known {
  model: ArrivalModel | undefined;
  /** In milliseconds. */
  until: number;
}

/**
 * By shop and lane. Nothing is known about most lanes of a small shop, and that is remembered too. A repeatable run of tests
 * forgets them.
 */
export const knownModels = new Map<string, Known>();
const maxKnown = 2000;
/** A lane of which much is known is learned anew once a day at most. The first window is waited for. */
const knownForMs = 10 * 60 * 1000;
const unknownForMs = 60 * 1000;

/**
 * One read, which a function repeats after ten minutes, or one while nothing is known. Undefined if nothing was learned about
 * the lane yet. Throws if it cannot be read: that is not the same as knowing nothing.
 */
export async function readArrivalModel(slug: string, lane: Lane, now: Date): Promise<ArrivalModel | undefined> {
  const name = nameOf(slug, lane);
  const known = knownModels.get(name);
  if (known && known.until > now.getTime()) return known.model;
  const [item] = await batchGet([keyOf.arrivalModel(slug, lane)], { ConsistentRead: false });
  const model = modelIn(item as StoredModel | undefined, now);
  const forMs = model ? knownForMs : unknownForMs;
  remember(knownModels, name, { model, until: now.getTime() + forMs }, maxKnown);
  return model;
}

const nameOf = (slug: string, lane: Lane) => `${slug}#${laneName(lane)}`;

/** When a lane was last learned, and from how many delivered parcels. */
export interface Learned {
  made_at: string;
  parcels: number;
}

interface StoredModel extends Learned {
  form: number;
  /** In JSON. */
  model: string;
  /** Unix seconds. */
  expires_at: number;
}

interface StoredSummary extends Learned {
  sk: string;
  form: number;
  summary: string;
  expires_at: number;
}

/** Another version of the service wrote it, or will. */
const form: ArrivalModel['form'] & LaneSummary['form'] = 1;

const isUsable = (item: Pick<StoredModel, 'form' | 'expires_at'>, now: Date): boolean =>
  item.form === form && item.expires_at * 1000 > now.getTime();

function modelIn(item: StoredModel | undefined, now: Date): ArrivalModel | undefined {
  const model = item && isUsable(item, now) ? objectIn<ArrivalModel>(item.model) : undefined;
  return model && isWhole(model) ? model : undefined;
}

/** Undefined if it is none: one bad item must not stop who reads many. */
function objectIn<T extends object>(json: string): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Partial<T>) : undefined;
  } catch {
    return undefined;
  }
}

const isWhole = (value: Partial<ArrivalModel>): value is ArrivalModel =>
  isCount(value.parcels) &&
  isCount(value.level) &&
  [value.weekdays, value.hazards, value.afterOut, value.afterAttempt].every(areCounts) &&
  Array.isArray(value.byWeekday) &&
  value.byArea instanceof Object;

/** Of each lane, in their order. Undefined if it was never learned, or by another version. */
export async function readLearned(
  lanes: readonly { slug: string; lane: Lane }[],
  now: Date,
): Promise<(Learned | undefined)[]> {
  const keys = lanes.map(({ slug, lane }) => keyOf.arrivalModel(slug, lane));
  const items = await batchGet(keys, {
    ConsistentRead: false,
    attributes: ['form', 'made_at', 'parcels', 'expires_at'],
  });
  return (items as (StoredModel | undefined)[]).map((item) =>
    item && isUsable(item, now) && isLearned(item) ? item : undefined,
  );
}

const isLearned = ({ made_at, parcels }: Learned): boolean => isCount(parcels) && !Number.isNaN(Date.parse(made_at));

/**
 * Whether about `newParcels` more are known than when the lane was learned: by how many there were in all the days, or by
 * those that somebody has counted since.
 */
export function isDue(learned: Learned | undefined, now: Date, counted = 0): boolean {
  if (!learned || counted >= worthAtOnce(learned.parcels)) return true;
  const { learnedDays, newParcels, fewestDays, mostDays } = arrivalLimits;
  const ageDays = (now.getTime() - Date.parse(learned.made_at)) / dayMs;
  const days = counted >= newParcels ? fewestDays : (learnedDays * newParcels) / learned.parcels;
  return ageDays >= Math.min(mostDays, Math.max(fewestDays, days));
}

/**
 * So many more are learned from on the same day: each few, until there are surely enough for a window, whatever their age; then
 * as many again, which happens a few times in the life of a lane.
 */
const worthAtOnce = (parcels: number): number =>
  parcels < 2 * arrivalLimits.fewestParcels ? arrivalLimits.newParcels / 2 : parcels;

interface Lesson {
  model: ArrivalModel;
  summary: LaneSummary;
  /** Delivered ones that both were made from. */
  parcels: number;
}

/** Nothing replaces what was learned later. Both are worth nothing when all that they were made from is too old. */
export async function saveLesson(slug: string, lane: Lane, lesson: Lesson, now: Date): Promise<Learned> {
  const learned: Learned = { made_at: now.toISOString(), parcels: lesson.parcels };
  const { learnedDays, mostDays } = arrivalLimits;
  const stored = {
    ...learned,
    form,
    expires_at: Math.floor(now.getTime() / 1000) + secondsOfDays(learnedDays + mostDays),
  };
  const items = [
    { ...keyOf.arrivalModel(slug, lane), ...stored, model: JSON.stringify(lesson.model) },
    ...(lesson.parcels > 0 && isShared(lane)
      ? [{ ...keyOf.sharedArrivals(lane, slug), ...stored, summary: JSON.stringify(lesson.summary) }]
      : []),
  ];
  // One by one: a transaction costs twice as much, and each is right without the other.
  for (const item of items)
    await tryCommit([put(item, 'attribute_not_exists(made_at) OR made_at < :made', { ':made': learned.made_at })]);
  return learned;
}

/** Carriers that nobody knows have nothing in common, nor have places that nobody knows. */
const isShared = ({ carrier, country }: Lane): boolean => carrier !== '-' && country !== '-';

interface OtherLanes {
  /** Of other shops. */
  lane: LaneSummary[];
  /** Of the carrier in other countries, also of the shop itself. */
  carrier: LaneSummary[];
}

/**
 * What other lanes tell about one of which too little is known. Of the carrier in other countries only what is needed.
 * @param wanted so many parcels are enough
 */
export async function readOtherLanes(slug: string, lane: Lane, wanted: number, now: Date): Promise<OtherLanes> {
  if (wanted <= 0 || !isShared(lane)) return { lane: [], carrier: [] };
  const own = keyOf.sharedArrivals(lane, slug).sk;
  const ofLane = (await readSummaries(lane, now, `${lane.country}#`)).filter(({ sk }) => sk !== own);
  const known = ofLane.reduce((sum, { parcels }) => sum + parcels, 0);
  const ofCarrier = known >= wanted ? [] : await readSummaries(lane, now);
  return {
    lane: ofLane.map(({ summary }) => summary),
    carrier: ofCarrier.filter(({ sk }) => !sk.startsWith(`${lane.country}#`)).map(({ summary }) => summary),
  };
}

type ReadSummary = Pick<StoredSummary, 'sk' | 'parcels'> & { summary: LaneSummary };

/** One read: those that it leaves out are of the countries and shops at the end of the alphabet. */
async function readSummaries({ carrier }: Lane, now: Date, prefix?: string): Promise<ReadSummary[]> {
  const query = itemsIn(arrivalsOf(carrier), prefix === undefined ? {} : { prefix });
  for await (const page of queryPages({ ...query, Limit: arrivalLimits.otherShops }))
    return (page as unknown as StoredSummary[]).flatMap((item) => {
      const summary = isUsable(item, now) && isLearned(item) ? objectIn<LaneSummary>(item.summary) : undefined;
      // Whether it has all its numbers is asked by who makes a model of it.
      return summary ? [{ ...item, summary: summary as LaneSummary }] : [];
    });
  return [];
}
