import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '#platform/http/api-error.ts';
import { table } from '#platform/table/client.ts';
import { ConditionLost, transact, write } from '#platform/table/conditional-writes.ts';
import type { Action } from '#platform/table/write-actions.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';

/** One action of a transaction, and what its lost condition means. */
export interface WriteStep {
  action: Action;
  /** Without one a lost condition is a lost race: whoever reads again may win. */
  lost?: ErrorKey;
}

/** All steps or none. A lost race comes first: what else was lost may look different after reading again. */
export async function carryOut(steps: readonly WriteStep[]): Promise<void> {
  try {
    await send(steps.map(({ action }) => action));
  } catch (error) {
    if (!(error instanceof ConditionLost)) throw error;
    const meanings = error.positions.map((position) => steps[position]!.lost);
    const [key] = meanings;
    throw key === undefined || meanings.includes(undefined) ? error : new ApiError(key);
  }
}

/** In a transaction a write costs twice as much, so one that stands alone goes alone. */
function send(actions: Action[]): Promise<void> {
  const [{ Put, Delete }] = actions as [Action, ...Action[]];
  if (actions.length === 1 && Put) return write(() => table.send(new PutCommand(Put)));
  if (actions.length === 1 && Delete) return write(() => table.send(new DeleteCommand(Delete)));
  return transact(actions);
}
