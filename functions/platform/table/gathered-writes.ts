import DataLoader from 'dataloader';
import { type Action, commit } from './writes.ts';

/** DynamoDB takes 100. The fewer there are, the fewer calls are written again if one of them fails. */
const maxActions = 30;

/** A transaction takes longer. Without it, callers lose step after a failure, and from then on each would write alone. */
const gatheredMs = 5;

/**
 * Like `commit`, but calls of the same moment share transactions, and checks of the same item: due triggers take two thirds of the time.
 * For callers that have nothing to do with each other: if DynamoDB refuses a shared transaction, whatever the reason, each of its calls
 * is written again alone, and fails alone. If there is no answer, all of them fail: nobody has the time to wait once more. A single write
 * stays alone, because a transaction would cost twice as much. The values of checks are texts and numbers.
 */
export async function gatheredCommit(actions: readonly Action[]): Promise<void> {
  await (actions.length === 1 ? commit(actions) : loader.load(actions));
}

type Call = readonly Action[];

// No cache: two calls with equal actions are two calls.
const loader = new DataLoader<Call, undefined>(
  async (calls) => (await Promise.all(transactionsOf(calls).map(commitTogether))).flat(),
  { cache: false, batchScheduleFn: (send) => setTimeout(send, gatheredMs) },
);

function transactionsOf(calls: readonly Call[]): Call[][] {
  const transactions: Call[][] = [];
  let free = 0;
  for (const call of calls) {
    if (call.length > free) {
      transactions.push([]);
      free = maxActions;
    }
    transactions.at(-1)!.push(call);
    free -= call.length;
  }
  return transactions;
}

/** The errors of the calls that failed. */
async function commitTogether(calls: readonly Call[]): Promise<(undefined | Error)[]> {
  const done = () => undefined;
  const alone = () => Promise.all(calls.map((call) => commit(call).then(done, (error: Error) => error)));
  if (calls.length === 1) return alone();
  return commit(withoutRepeatedChecks(calls.flat())).then(
    () => calls.map(done),
    (error: Error) => (error.name === 'TimeoutError' ? calls.map(() => error) : alone()),
  );
}

/** DynamoDB refuses two actions on one item. Those that differ are left, and so each of their calls is written alone. */
const withoutRepeatedChecks = (actions: Call): Action[] => [
  ...new Map(actions.map((action) => [JSON.stringify(action.ConditionCheck) ?? action, action])).values(),
];
