import { account, region } from '../template/physical-names.ts';
import { type Conditions, conditionsHold } from './conditions.ts';
import { matchesPattern } from './patterns.ts';

export interface Statement {
  effect: 'Allow' | 'Deny';
  actions: string[];
  notActions: string[];
  resources: string[];
  notResources: string[];
  conditions: Conditions;
}

/** One permission that a request needs. All permissions of a request must be allowed. */
export interface Access {
  action: string;
  resource: string;
  /** Condition keys in lower case and their values. An absent key has no entry. */
  context: Record<string, string[]>;
}

/** The context of every request. On AWS all requests use TLS, and here the loopback counts as TLS. */
const commonContext: Access['context'] = {
  'aws:securetransport': ['true'],
  'aws:requestedregion': [region],
  'aws:principalaccount': [account],
  'aws:resourceaccount': [account],
};

export function isAllowed(statements: readonly Statement[], access: Access): boolean {
  const fullAccess = {
    ...access,
    action: access.action.toLowerCase(),
    context: { ...commonContext, ...access.context },
  };
  const matching = statements.filter((statement) => applies(statement, fullAccess));
  return matching.some(({ effect }) => effect === 'Allow') && !matching.some(({ effect }) => effect === 'Deny');
}

/** The first access that the statements do not allow, if any. */
export function firstDenied(statements: readonly Statement[], accesses: readonly Access[]): Access | undefined {
  return accesses.find((access) => !isAllowed(statements, access));
}

/** `action` must be in lower case, and `context` must include the common context. */
function applies(statement: Statement, { action, resource, context }: Access): boolean {
  return (
    selects(statement.actions, statement.notActions, action, lowerCase) &&
    selects(statement.resources, statement.notResources, resource, asWritten) &&
    conditionsHold(statement.conditions, context, statement.effect)
  );
}

const lowerCase = (text: string) => text.toLowerCase();
const asWritten = (text: string) => text;

function selects(patterns: string[], excluded: string[], value: string, form: (pattern: string) => string): boolean {
  if (excluded.length > 0) return !excluded.some((pattern) => matchesPattern(form(pattern), value));
  return patterns.some((pattern) => matchesPattern(form(pattern), value));
}
