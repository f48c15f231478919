import { matchesPattern } from './patterns.ts';

/** Operator → condition key → expected values, as in a policy document. */
export type Conditions = Record<string, Record<string, string[]>>;

type Matches = (expected: string, actual: string) => boolean;

const equals: Matches = (expected, actual) => expected === actual;
const equalsIgnoringCase: Matches = (expected, actual) => expected.toLowerCase() === actual.toLowerCase();

const positive: Record<string, Matches> = {
  StringEquals: equals,
  StringEqualsIgnoreCase: equalsIgnoringCase,
  StringLike: matchesPattern,
  ArnEquals: matchesPattern,
  ArnLike: matchesPattern,
  Bool: equalsIgnoringCase,
};

const negative: Record<string, Matches> = {
  StringNotEquals: equals,
  StringNotEqualsIgnoreCase: equalsIgnoringCase,
  StringNotLike: matchesPattern,
  ArnNotEquals: matchesPattern,
  ArnNotLike: matchesPattern,
};

/**
 * Whether all conditions of a statement are met. An unknown operator fails closed: an Allow with it does not apply, and
 * a Deny with it does.
 */
export function conditionsHold(
  conditions: Conditions,
  context: Record<string, string[]>,
  effect: 'Allow' | 'Deny',
): boolean {
  return Object.entries(conditions).every(([operator, keys]) =>
    Object.entries(keys).every(
      ([key, expected]) => holds(operator, expected, context[key.toLowerCase()]) ?? effect === 'Deny',
    ),
  );
}

function holds(operator: string, expected: string[], actual: string[] | undefined): boolean | undefined {
  if (operator === 'Null') return expected.some((value) => (value.toLowerCase() === 'true') === !actual?.length);
  const { set, name, ifExists } = parse(operator);
  if (!positive[name] && !negative[name]) return undefined;
  if (ifExists && !actual?.length) return true;
  const one = (value: string) => holdsForValue(name, expected, value);
  // ForAllValues is true for an empty set in AWS, so a Scan passes a ForAllValues on dynamodb:LeadingKeys. A policy
  // prevents that with Null: {"dynamodb:LeadingKeys": "false"}.
  if (set === 'ForAllValues') return (actual ?? []).every(one);
  if (set === 'ForAnyValue') return (actual ?? []).some(one);
  if (!actual?.length) return name in negative;
  return name in negative ? actual.every(one) : actual.some(one);
}

function holdsForValue(name: string, expected: string[], actual: string): boolean {
  const matches = positive[name];
  if (matches) return expected.some((value) => matches(value, actual));
  return !expected.some((value) => negative[name]?.(value, actual));
}

function parse(operator: string): { set: string | undefined; name: string; ifExists: boolean } {
  const [first, second] = operator.split(':');
  const full = second ?? first ?? '';
  const ifExists = full.endsWith('IfExists');
  const name = ifExists ? full.slice(0, -'IfExists'.length) : full;
  const known = second === undefined || first === 'ForAllValues' || first === 'ForAnyValue';
  return { set: second === undefined ? undefined : first, name: known ? name : '', ifExists };
}
