import type { Statement } from '#lib/local/iam/evaluate.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { type Grant, leadingKeys } from './grants.ts';

/** Runs something on a stack whose functions lack the grants. */
export async function lacking<T>(stack: LocalStack, grants: readonly Grant[], work: () => Promise<T>): Promise<T> {
  const restore = grants.map((grant) => takeAway(stack, grant));
  try {
    return await work();
  } finally {
    for (const giveBack of restore) giveBack();
  }
}

function takeAway(stack: LocalStack, grant: Grant): () => void {
  const statements = stack.statements(functionOf(grant));
  const whole = [...statements];
  statements.splice(grant.statement, 1, ...without(statements[grant.statement]!, grant));
  return () => {
    statements.splice(0, statements.length, ...whole);
  };
}

/** The rest of a statement: the other actions unchanged, and this one with the other keys. */
export function without(statement: Statement, { action, keys }: Grant): Statement[] {
  const conditions = Object.fromEntries(
    Object.entries(statement.conditions).map(([operator, values]) => {
      const others = values[leadingKeys]?.filter((key) => key !== keys);
      return [operator, others && operator.startsWith('ForAllValues:') ? { ...values, [leadingKeys]: others } : values];
    }),
  );
  return [
    { ...statement, actions: statement.actions.filter((other) => other !== action) },
    ...(keys === undefined ? [] : [{ ...statement, actions: [action], conditions }]),
  ];
}

/** The CDK names the policy of a function's role after the function. */
export const functionOf = ({ policy }: Grant) => policy.replace(/RoleDefaultPolicy.*$/, '');
