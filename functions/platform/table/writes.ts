import { setTimeout as pause } from 'node:timers/promises';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '#platform/http/errors.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import { table, tableName } from './client.ts';

type Actions = NonNullable<TransactWriteCommandInput['TransactItems']>;

/**
 * A condition of a write did not hold, or others wrote to the same items all the time. `positions` tells which of a
 * transaction's actions it was; it is empty after collisions.
 */
export class WriteConflict extends Error {
  readonly positions: readonly number[];

  constructor(positions: readonly number[]) {
    super(`condition lost at ${positions.join(', ')}`);
    this.name = 'WriteConflict';
    this.positions = positions;
  }
}

/** Waits for a write and answers its lost condition with an error of the catalogue. */
export async function lostMeans(key: ErrorKey, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    throw error instanceof WriteConflict && error.positions.length > 0 ? new ApiError(key) : error;
  }
}

/** All actions or none. A lost condition is a WriteConflict; a collision with another writer is tried again. */
export function transact(actions: Actions): Promise<void> {
  return write(() => table.send(new TransactWriteCommand({ TransactItems: actions })));
}

const maxSends = 5;

/** Runs a conditional write; collisions with a transaction under way are tried again a bounded number of times. */
export async function write(send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await send();
      return;
    } catch (error) {
      const lost = failedPositions(error);
      if (lost.length > 0) throw new WriteConflict(lost);
      if (!isCollision(error) && !isThrottled(error)) throw error;
      if (attempt === maxSends) throw isThrottled(error) ? throttled() : new WriteConflict([]);
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}

interface Cancelled {
  name?: string;
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

/** The actions that a transaction is made of. */
export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export function put(Item: object, ConditionExpression?: string, values?: Record<string, unknown>): Action {
  return {
    Put: {
      TableName: tableName(),
      Item,
      ...(ConditionExpression && { ConditionExpression, ExpressionAttributeValues: values }),
    },
  };
}

/** Only where there is no such item yet. */
export const insert = (item: object): Action => {
  const action = put(item);
  return { Put: { ...action.Put!, ConditionExpression: 'attribute_not_exists(pk)' } };
};

export function remove(Key: object, ConditionExpression?: string, values?: Record<string, unknown>): Action {
  return {
    Delete: {
      TableName: tableName(),
      Key,
      ...(ConditionExpression && { ConditionExpression, ExpressionAttributeValues: values }),
    },
  };
}

const maxRounds = 40;

/**
 * Reads, decides and writes again where somebody else wrote in between. Each round that one writer loses another one
 * won, so a crowd of writers gets through; the pauses spread them out.
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

/** An UpdateItem that sets the given attributes, whatever their names: undefined ones are left as they are. */
export function setAttributes(changes: Record<string, unknown>) {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  return {
    UpdateExpression: `SET ${entries.map((_, i) => `#a${i} = :v${i}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name], i) => [`#a${i}`, name])),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], i) => [`:v${i}`, value])),
  };
}
