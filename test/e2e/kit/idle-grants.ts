import { isAllowed } from '#lib/local/iam/evaluate.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import type { Grant } from './grants.ts';
import { functionOf, without } from './narrowed-stack.ts';

/**
 * Grants that nothing needed of what their functions did since `stack.usage.start()`: each request would have been
 * allowed without them, too. So one tour of all operations judges every grant.
 */
export function idleGrants(stack: LocalStack, grants: readonly Grant[]): string[] {
  return grants.filter((grant) => isIdle(stack, grant)).map(nameOf);
}

function isIdle(stack: LocalStack, grant: Grant): boolean {
  const statements = stack.statements(functionOf(grant));
  const left = statements.toSpliced(grant.statement, 1, ...without(statements[grant.statement]!, grant));
  return stack.usage.accesses(functionOf(grant)).every((access) => isAllowed(left, access));
}

const nameOf = ({ policy, action, keys, statement }: Grant) =>
  `${action} on ${keys ?? `its resource, statement ${statement}`} (${policy})`;
