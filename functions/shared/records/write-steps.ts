import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { ErrorKey } from '#schemas/errors.ts';
import { ApiError } from '#shared/api-error.ts';
import { ConditionLost, transact } from '#shared/conditional-writes.ts';

/** One action of a transaction, and what its lost condition means. */
export interface WriteStep {
  action: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
  /** Without one a lost condition is a lost race: whoever reads again may win. */
  lost?: ErrorKey;
}

/** All steps or none. A lost race comes first: what else was lost may look different after reading again. */
export async function carryOut(steps: readonly WriteStep[]): Promise<void> {
  try {
    await transact(steps.map(({ action }) => action));
  } catch (error) {
    if (!(error instanceof ConditionLost)) throw error;
    const meanings = error.positions.map((position) => steps[position]!.lost);
    const [key] = meanings;
    throw key === undefined || meanings.includes(undefined) ? error : new ApiError(key);
  }
}
