import { setTimeout as pause } from 'node:timers/promises';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ErrorKey } from '#schemas/errors.ts';
import { ApiError } from './api-error.ts';
import { table } from './table.ts';

type Actions = NonNullable<TransactWriteCommandInput['TransactItems']>;

/** A condition of a write did not hold. `positions` tells which of a transaction's actions it was. */
export class ConditionLost extends Error {
  readonly positions: readonly number[];

  constructor(positions: readonly number[]) {
    super(`condition lost at ${positions.join(', ')}`);
    this.name = 'ConditionLost';
    this.positions = positions;
  }
}

/** Waits for a write and answers its lost condition with an error of the catalogue. */
export async function lostMeans(key: ErrorKey, writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    throw error instanceof ConditionLost ? new ApiError(key) : error;
  }
}

/** All actions or none. A lost condition is a ConditionLost; a collision with another writer is tried again. */
export function transact(actions: Actions): Promise<void> {
  return write(() => table.send(new TransactWriteCommand({ TransactItems: actions })));
}

const attempts = 5;

/** Runs a conditional write; collisions with a transaction under way are tried again a bounded number of times. */
export async function write(send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await send();
      return;
    } catch (error) {
      const lost = lostPositions(error);
      if (lost.length > 0) throw new ConditionLost(lost);
      if (!isCollision(error) || attempt === attempts) throw error;
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}

interface Cancelled {
  name?: string;
  CancellationReasons?: { Code?: string }[];
}

function lostPositions(error: unknown): number[] {
  const { name, CancellationReasons: reasons = [] } = error as Cancelled;
  if (name === 'ConditionalCheckFailedException') return [0];
  return reasons.flatMap(({ Code }, position) => (Code === 'ConditionalCheckFailed' ? [position] : []));
}

function isCollision(error: unknown): boolean {
  const { name, CancellationReasons: reasons = [] } = error as Cancelled;
  return name === 'TransactionConflictException' || reasons.some(({ Code }) => Code === 'TransactionConflict');
}
