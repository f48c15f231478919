import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { chunks } from '#platform/batches.ts';
import { keyText } from '#platform/table/reads.ts';
import { figureSource } from './recount-figures.ts';
import { listSource, listsOf, markComplete, removeTree } from './recount-lists.ts';
import { type Cell, type CountSource, isExpiry, type TableAccess } from './recount-source.ts';
import { testSource } from './recount-tests.ts';

/** Makes counters anew from what they count, while the stream goes on adding to them: those of lists, and the figures. */

export interface RecountAccess extends TableAccess {
  /** Until the stream has been counted up to now. */
  catchUp: () => Promise<void>;
}

interface RecountOptions {
  now: Date;
  /**
   * Since when the stream counts. What a shop that never rests changes at this moment is wrong at every look, because it is
   * counted late; but counters that begin later are right from their beginning, so nobody waits for them.
   */
  countedSince?: Date | undefined;
}

export interface Recounted {
  /** How many counters were compared with what they count. */
  compared: number;
  /** Those that differed, also after the stream had caught up. */
  wrong: number;
  corrected: number;
  /** Wrong ones that changed meanwhile. They are left for the next time. */
  moving: string[];
  /** Of what nobody can say any more how much it should be. */
  leftAlone: string[];
  /** Items of the former tree of positions, which nobody reads any more. */
  removed: number;
}

/** @param slug the lists of all shops, such as that of the shops, if it is undefined */
export async function recount(
  access: RecountAccess,
  slug: string | undefined,
  options: RecountOptions,
): Promise<Recounted> {
  const lists = await listsOf(access, slug);
  const { now } = options;
  const figures = slug === undefined ? [] : [figureSource(access, slug, now), await testSource(access, slug, now)];
  const sources = [listSource(access, lists), ...figures];
  // What differs in the same way before and after the stream has caught up is not only late.
  const before: Counters[] = [];
  for (const source of sources) before.push(await compare(source));
  await access.catchUp();
  const results: Mended[] = [];
  for (const [i, source] of sources.entries()) results.push(await mend(access, source, before[i]!, options));
  const [ofLists] = results as [Mended];
  if (ofLists.moving.length === 0) await markComplete(access, slug);
  const sum = (name: 'compared' | 'wrong' | 'corrected') => results.reduce((all, result) => all + result[name], 0);
  return {
    compared: sum('compared'),
    wrong: sum('wrong'),
    corrected: sum('corrected'),
    moving: results.flatMap(({ moving }) => moving),
    leftAlone: results.flatMap(({ leftAlone }) => leftAlone),
    removed: await removeTree(access, lists),
  };
}

interface Counter extends Cell {
  /** As it is stored. */
  stored: number;
  /** What there is. */
  counted: number;
}
type Counters = Map<string, Counter>;

async function compare(source: CountSource): Promise<Counters> {
  const found: Counters = new Map();
  const counterOf = ({ key, name, expires_at }: Cell): Counter => {
    const id = `${key.pk} ${key.sk} ${name}`;
    const known = found.get(id) ?? { key, name, stored: 0, counted: 0 };
    // The stored ones come first, without the time of their end.
    if (expires_at !== undefined) known.expires_at = expires_at;
    found.set(id, known);
    return known;
  };
  for await (const cells of source.stored()) {
    for (const cell of cells) {
      const counter = counterOf(cell);
      counter.stored = cell.count;
      counter.counted = cell.shouldBe ?? 0;
    }
  }
  for await (const steps of source.counted()) for (const one of steps) counterOf(one).counted += one.step;
  return found;
}

type Mended = Omit<Recounted, 'removed'>;

/** Corrects what is wrong now in the same way as before. */
async function mend(
  access: TableAccess,
  source: CountSource,
  before: Counters,
  { countedSince }: RecountOptions,
): Promise<Mended> {
  const now = await compare(source);
  const leftAlone = source.leftAlone?.() ?? [];
  const isLeftAlone = ({ key }: Cell) => leftAlone.some(({ prefix }) => key.sk.startsWith(prefix));
  const wrong = [...now].filter(([, counter]) => counter.stored !== counter.counted && !isLeftAlone(counter));
  const earlier = (id: string) => before.get(id) ?? { stored: 0, counted: 0 };
  const isSame = ([id, { stored, counted }]: [string, Counter]) =>
    earlier(id).stored === stored && earlier(id).counted === counted;
  // The stream keeps right what was right once.
  const wasRight = ([id]: [string, Counter]) => earlier(id).stored === earlier(id).counted;
  const isRightFromBeginning = ([, counter]: [string, Counter]) =>
    countedSince !== undefined && source.beginningOf(counter) >= countedSince.getTime();
  const moving = wrong.filter((one) => !isSame(one) && !wasRight(one) && !isRightFromBeginning(one));
  let corrected = 0;
  for (const some of Map.groupBy(wrong.filter(isSame), ([, { key }]) => keyText(key)).values()) {
    for (const part of chunks(some, countersAtOnce)) {
      const counters = part.map(([, counter]) => counter);
      if (await correct(access, counters)) corrected += part.length;
      else moving.push(...part);
    }
  }
  return {
    compared: now.size,
    wrong: wrong.length,
    corrected,
    moving: moving.map(([id]) => id),
    leftAlone: leftAlone.map(({ name }) => name),
  };
}

/** An expression of DynamoDB has at most 4 KB. */
const countersAtOnce = 50;

/** Corrects counters of one item. Returns false if the stream has added to one of them meanwhile. */
async function correct({ table, tableName }: TableAccess, wrong: readonly Counter[]): Promise<boolean> {
  const { key } = wrong[0]!;
  const expires_at = wrong.some(isExpiry)
    ? undefined // It is one of those that are set.
    : wrong.find((counter) => counter.expires_at !== undefined)?.expires_at;
  const sets = wrong.map((_, i) => `#c${i} = :new${i}`);
  const conditions = wrong.map(({ stored }, i) =>
    stored === 0 ? `(attribute_not_exists(#c${i}) OR #c${i} = :old${i})` : `#c${i} = :old${i}`,
  );
  const values = wrong.flatMap(({ stored, counted }, i) => [
    [`:old${i}`, stored],
    [`:new${i}`, counted],
  ]);
  const update = new UpdateCommand({
    TableName: tableName,
    Key: key,
    UpdateExpression: `SET ${[...sets, ...(expires_at === undefined ? [] : ['expires_at = :expires'])].join(', ')}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(wrong.map(({ name }, i) => [`#c${i}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(values),
      ...(expires_at !== undefined && { ':expires': expires_at }),
    },
  });
  try {
    await table.send(update);
    return true;
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}
