import { partitionOf } from '#platform/table/keys.ts';
import { getItem, itemsIn, type Key, queryPages } from '#platform/table/reads.ts';
import { type Action, commit, tryCommit, update } from '#platform/table/writes.ts';
import { privacyLimits as limits } from '#schemas/catalogues/limits.ts';
import { dueAt, isDue, isHeld, type Work } from './work.ts';

/** Enough for the turns of a minute. What is not among them is due in the next. */
const maxListed = 1000;

/** What is due, earliest first. */
export async function dueWork(now: Date): Promise<Work[]> {
  const query = {
    ...itemsIn(partitionOf.privacyWork(), { index: 'lists', to: `${now.toISOString()}~` }),
    // A request can be long: it may name a hundred orders.
    ProjectionExpression: 'pk, sk, shop_slug',
  };
  const found: Work[] = [];
  for await (const page of queryPages({ ...query, Limit: maxListed })) {
    found.push(...(page as unknown as Work[]));
    if (found.length >= maxListed) break;
  }
  return found;
}

/** The work as it is now, held for the caller. Undefined if it is not due, somebody else holds it, or it has gone. */
export async function hold({ pk, sk }: Key, now: Date): Promise<Work | undefined> {
  const work = await getItem<Work>({ pk, sk });
  if (!work || !isDue(work, now) || isHeld(work, now)) return undefined;
  const heldUntil = now.getTime() + limits.heldSeconds * 1000;
  const isTaken = await tryCommit([
    update(
      { pk, sk },
      {
        UpdateExpression: 'SET held_until = :until ADD version :one, tries :one',
        ConditionExpression: 'version = :read',
        ExpressionAttributeValues: { ':until': heldUntil, ':one': 1, ':read': work.version },
      },
    ),
  ]);
  if (!isTaken) return undefined;
  return { ...work, version: work.version + 1, tries: (work.tries ?? 0) + 1, held_until: heldUntil };
}

/** Gives the work back, to be taken again at that time. Nothing happens if another round has it by now. */
export async function release(work: Work, at: Date, { isWell }: { isWell: boolean }): Promise<void> {
  const { list_pk, list_sk } = dueAt(work.shop_slug, work.sk, at);
  await tryCommit([
    ifHeld(work, {
      UpdateExpression: `SET list_pk = :pk, list_sk = :sk REMOVE held_until${isWell ? ', tries' : ''}`,
      ExpressionAttributeValues: { ':pk': list_pk, ':sk': list_sk },
    }),
  ]);
}

/** Sets what is given, and removes what is undefined, if the caller still holds the work. */
export function saveIfHeld(work: Work, values: object): Promise<void> {
  const entries = Object.entries(values);
  const set = entries.filter(([, value]) => value !== undefined);
  const gone = entries.filter(([, value]) => value === undefined);
  return commit([
    ifHeld(work, {
      UpdateExpression: [
        ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
        ...(gone.length > 0 ? [`REMOVE ${gone.map(([name]) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
    }),
  ]);
}

type Change = Pick<NonNullable<Action['Update']>, 'UpdateExpression' | 'ExpressionAttributeNames'> & {
  ExpressionAttributeValues?: Record<string, unknown>;
};

/** A change of the item of the work, if the caller still holds it. */
export const ifHeld = ({ pk, sk, version }: Work, { ExpressionAttributeValues, ...change }: Change): Action =>
  update(
    { pk, sk },
    {
      ...change,
      ConditionExpression: 'version = :held',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':held': version },
    },
  );
