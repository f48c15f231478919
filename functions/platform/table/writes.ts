import { setTimeout as pause } from 'node:timers/promises';
import {
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { ServiceError } from '#platform/errors.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import { table, tableName } from './client.ts';

type Actions = NonNullable<TransactWriteCommandInput['TransactItems']>;

/**
 * The condition of a write failed, or others kept writing to the same items. `positions` are the failed actions of the
 * transaction. It is empty if only collisions happened.
 */
export class WriteConflict extends Error {
  readonly positions: readonly number[];

  constructor(positions: readonly number[]) {
    super(`write conflict, failed conditions: [${positions.join(', ')}]`);
    this.name = 'WriteConflict';
    this.positions = positions;
  }
}

/** Waits for a write, and throws this API error if its condition fails. */
export async function throwOnConflict(key: ErrorKey, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    throw error instanceof WriteConflict && error.positions.length > 0 ? new ServiceError(key) : error;
  }
}

/** Writes all actions or none. Throws WriteConflict if a condition fails. Collisions with other writers are retried. */
export function transact(actions: Actions): Promise<void> {
  return write(() => table.send(new TransactWriteCommand({ TransactItems: actions })));
}

/** As `transact`. A single put needs no transaction, which would cost twice as much. */
export function commit(actions: Actions): Promise<void> {
  const [{ Put }, ...others] = actions as [Action, ...Action[]];
  return Put && others.length === 0
    ? write(() => table.send(new PutCommand(Put as PutCommandInput)))
    : transact(actions);
}

const maxSends = 5;

/** Runs a conditional write. Collisions with another transaction are retried a limited number of times. */
export async function write(send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await send();
      return;
    } catch (error) {
      const failed = failedPositions(error);
      if (failed.length > 0) throw new WriteConflict(failed);
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

/** Fails if the item exists. */
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
