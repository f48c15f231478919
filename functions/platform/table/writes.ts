import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { ServiceError } from '#platform/errors.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import { table, tableName } from './client.ts';

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write, or a check of an item that is not written. */
export interface Action extends TransactItem {
  /** The error if its condition fails. Absent if that is a WriteConflict, which a new read may resolve. */
  refusal?: ErrorKey;
  /** What that error says, if it says more than the catalogue. */
  refusalMessage?: string;
}

/**
 * The condition of a write failed, or others kept writing to the same items. `positions` are the failed actions of the
 * transaction. It is empty if only collisions happened.
 */
export class WriteConflict extends Error {
  readonly positions: readonly number[];
  /** The SDK has sent the write more than once: it may have lost its condition to itself. */
  readonly wasSentAgain: boolean;

  constructor(positions: readonly number[], wasSentAgain = false) {
    super(`write conflict, failed conditions: [${positions.join(', ')}]`);
    this.name = 'WriteConflict';
    this.positions = positions;
    this.wasSentAgain = wasSentAgain;
  }
}

/**
 * Writes all actions or none. Throws WriteConflict if a condition fails, or the refusal of the action. A conflict comes before
 * a refusal, because that may disappear after a new read. Collisions with other writers are retried.
 */
export function commit(actions: readonly Action[]): Promise<void> {
  return commitWith(actions, () => send(actions));
}

/**
 * As `commit`, but a single action is a transaction too. A transaction has a token: if its answer is lost and the SDK sends it
 * again, it has succeeded, where a single write would lose its condition to itself, and who decides anew would act twice.
 */
export const commitOnce = (actions: readonly Action[]): Promise<void> => commitWith(actions, () => transact(actions));

async function commitWith(actions: readonly Action[], write: () => Promise<unknown>): Promise<void> {
  try {
    await retryOnCollision(write);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    const refused = error.positions.map((position) => actions[position]!);
    const [first] = refused;
    if (!first?.refusal || refused.some(({ refusal }) => refusal === undefined)) throw error;
    throw new ServiceError(first.refusal, first.refusalMessage === undefined ? {} : { message: first.refusalMessage });
  }
}

/** As `commit`. False if a condition failed. */
export async function tryCommit(actions: readonly Action[]): Promise<boolean> {
  try {
    await commit(actions);
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

/** A conflict without positions only means that others kept writing at the same time. */
export const isRefused = (error: unknown): error is WriteConflict =>
  error instanceof WriteConflict && error.positions.length > 0;

/** A transaction costs twice as much, so a single write is sent alone. */
function send(actions: readonly Action[]): Promise<unknown> {
  const [{ Put, Update, Delete }, ...others] = actions as [Action, ...Action[]];
  if (others.length === 0) {
    if (Put) return table.send(new PutCommand(Put));
    if (Update) return table.send(new UpdateCommand(Update as UpdateCommandInput));
    if (Delete) return table.send(new DeleteCommand(Delete));
  }
  return transact(actions);
}

function transact(actions: readonly Action[]): Promise<unknown> {
  const TransactItems = actions.map(({ refusal: _, refusalMessage: __, ...action }) => action);
  return table.send(new TransactWriteCommand({ TransactItems }));
}

const maxSends = 5;

/** Collisions with another transaction are retried a limited number of times. */
async function retryOnCollision(send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await send();
      return;
    } catch (error) {
      const failed = failedPositions(error);
      if (failed.length > 0) throw new WriteConflict(failed, attemptsOf(error) > 1);
      if (!isCollision(error) && !isThrottled(error)) throw error;
      if (attempt === maxSends) throw isThrottled(error) ? throttled() : new WriteConflict([]);
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}

const attemptsOf = (error: unknown): number => (error as Cancelled).$metadata?.attempts ?? 1;

interface Cancelled {
  name?: string;
  $metadata?: { attempts?: number };
  CancellationReasons?: { Code?: string }[];
}

function failedPositions(error: unknown): number[] {
  const { name, CancellationReasons: reasons = [] } = error as Cancelled;
  if (name === 'ConditionalCheckFailedException') return [0];
  return reasons.flatMap(({ Code }, position) => (Code === 'ConditionalCheckFailed' ? [position] : []));
}

function isCollision(error: unknown): boolean {
  const { name = '' } = error as Cancelled;
  return collisions.has(name) || reasonsOf(error).includes('TransactionConflict');
}

const collisions = new Set(['TransactionConflictException', 'TransactionInProgressException']);

function isThrottled(error: unknown): boolean {
  const reasons = reasonsOf(error);
  return reasons.includes('ThrottlingError') || reasons.includes('ProvisionedThroughputExceeded');
}

const throttled = () => Object.assign(new Error('A transaction was throttled.'), { name: 'ThrottlingException' });

const reasonsOf = (error: unknown) => ((error as Cancelled).CancellationReasons ?? []).map(({ Code }) => Code);

type Values = Record<string, unknown>;

const onCondition = (ConditionExpression?: string, values?: Values) =>
  ConditionExpression ? { ConditionExpression, ExpressionAttributeValues: values } : {};

/** @param names of attributes that are reserved words in DynamoDB */
export const put = (Item: object, condition?: string, values?: Values, names?: Record<string, string>): Action => ({
  Put: {
    TableName: tableName(),
    Item,
    ...onCondition(condition, values),
    ...(names && { ExpressionAttributeNames: names }),
  },
});

/** @param names of attributes that are reserved words in DynamoDB */
export const remove = (Key: object, condition?: string, values?: Values, names?: Record<string, string>): Action => ({
  Delete: {
    TableName: tableName(),
    Key,
    ...onCondition(condition, values),
    ...(names && { ExpressionAttributeNames: names }),
  },
});

/** Fails if the item exists. */
export const insert = (item: object): Action => put(item, 'attribute_not_exists(pk)');

/** The next version of an item. Fails unless the stored one is the version before it, or for the first version, if there is one. */
export const putVersion = <Item extends { version: number }>(item: Item): Action =>
  item.version === 1
    ? put(item, 'attribute_not_exists(version)')
    : put(item, 'version = :before', { ':before': item.version - 1 });

/** Changes attributes of an item. Without a condition it makes the item, if there is none. */
export const update = (
  Key: object,
  change: Omit<NonNullable<TransactItem['Update']>, 'TableName' | 'Key'>,
): Action => ({
  Update: { TableName: tableName(), Key, ...change },
});

const maxRounds = 40;

/**
 * Repeats reading, deciding and writing after a conflict. In each round one writer wins, so many concurrent writers all
 * finish. The pauses spread them out.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof WriteConflict) || round === maxRounds) throw error;
      await pause(Math.random() * Math.min(500, 10 * 2 ** Math.min(round, 6)));
    }
  }
}

/** An UpdateItem that sets these attributes, whatever their names. Undefined ones are not changed. */
export function setAttributes(changes: Record<string, unknown>) {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  return {
    UpdateExpression: `SET ${entries.map((_, i) => `#a${i} = :v${i}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name], i) => [`#a${i}`, name])),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], i) => [`:v${i}`, value])),
  };
}
