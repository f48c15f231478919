import { withOffset } from '#platform/time.ts';
import type { Operator } from '#schemas/families/automations.ts';
import type { Condition, Conditions } from './model.ts';

/**
 * Conditions on the payload of an event. They never throw: a value that cannot be compared does not meet its condition.
 */

export interface ConditionOutcome {
  field: string;
  operator: Operator;
  met: boolean;
}

/** The result of each condition. An automation without conditions has no results, and it runs. */
export const outcomesOf = (conditions: Conditions | null, payload: unknown): ConditionOutcome[] =>
  listOf(conditions).map((condition) => ({
    field: condition.field,
    operator: condition.operator,
    met: isMet(condition, payload),
  }));

const listOf = (conditions: Conditions | null): Condition[] =>
  conditions === null ? [] : 'all' in conditions ? conditions.all : conditions.any;

export function areMet(conditions: Conditions | null, outcomes: readonly ConditionOutcome[]): boolean {
  if (conditions === null) return true;
  return 'all' in conditions ? outcomes.every(({ met }) => met) : outcomes.some(({ met }) => met);
}

export function isMet({ field, operator, value }: Condition, payload: unknown): boolean {
  const found = valuesAt(payload, field);
  if (operator === 'exists') return found.some(isThere) === (value !== false);
  if (operator === 'neq') return !isMet({ field, operator: 'eq', value }, payload);
  if (operator === 'not_in') return !isMet({ field, operator: 'in', value }, payload);
  if (operator === 'eq' && value === null) return !found.some(isThere);
  return found.some((actual) => tests[operator](actual, value));
}

const isThere = (value: unknown) => value !== undefined && value !== null;

type Test = (actual: unknown, expected: Condition['value']) => boolean;

const tests: Record<Exclude<Operator, 'exists' | 'neq' | 'not_in'>, Test> = {
  eq: (actual, expected) => actual === expected,
  in: (actual, expected) => Array.isArray(expected) && expected.some((one) => one === actual),
  gt: ordered((difference) => difference > 0),
  gte: ordered((difference) => difference >= 0),
  lt: ordered((difference) => difference < 0),
  lte: ordered((difference) => difference <= 0),
  contains: (actual, expected) => {
    if (Array.isArray(actual)) return actual.some((element) => element === expected);
    return typeof actual === 'string' && typeof expected === 'string' && actual.includes(expected);
  },
};

function ordered(holds: (difference: number) => boolean): Test {
  return (actual, expected) => {
    const [a, b] = typeof expected === 'number' ? [actual, expected] : [timeOf(actual), timeOf(expected)];
    return typeof a === 'number' && typeof b === 'number' && holds(a - b);
  };
}

const timeForm = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Milliseconds of a date or date-time; undefined for everything else. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 40 || !timeForm.test(value)) return undefined;
  const time = Date.parse(withOffset(value));
  return Number.isNaN(time) ? undefined : time;
}

/** Nested lists multiply the number of values. Values after this many are ignored. */
const maxValues = 10_000;

/** The values at a path. A path that goes through a list without an index gives one value for each element. */
export function valuesAt(root: unknown, path: string): unknown[] {
  let found: unknown[] = [root];
  for (const part of path.split('.')) {
    found = found.flatMap((value) => step(value, part)).slice(0, maxValues);
  }
  return found;
}

function step(value: unknown, part: string): unknown[] {
  if (!Array.isArray(value)) return ownValue(value, part);
  if (/^\d{1,9}$/.test(part)) return Number(part) < value.length ? [value[Number(part)]] : [];
  return value.flatMap((element) => ownValue(element, part));
}

/** The payload's own fields only, never inherited ones such as `constructor`. */
function ownValue(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return [];
  return [(value as Record<string, unknown>)[name]];
}
