/**
 * Event filter patterns of event source mappings. Every key of a pattern must match. One matching rule in its list is
 * enough.
 */
export type Pattern = { [key: string]: Pattern | Rule[] | Pattern[] };
type Rule = string | number | boolean | null | Comparison;
interface Comparison {
  prefix?: string;
  suffix?: string;
  exists?: boolean;
  numeric?: (string | number)[];
  'anything-but'?: unknown;
  'equals-ignore-case'?: string;
}

interface FilterCriteria {
  Filters?: { Pattern?: string }[];
}

/** One matching filter is enough. Without filters every record passes. */
export function createFilter(criteria: unknown): (record: unknown) => boolean {
  const filters = (criteria as FilterCriteria | undefined)?.Filters ?? [];
  const patterns = filters.map(({ Pattern: text }) => JSON.parse(text ?? '{}') as Pattern);
  return (record) => patterns.length === 0 || patterns.some((pattern) => matches(pattern, record));
}

export function matches(pattern: Pattern, value: unknown): boolean {
  return Object.entries(pattern).every(([key, expected]) => {
    if (key === '$or') return (expected as Pattern[]).some((alternative) => matches(alternative, value));
    const actual = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (Array.isArray(expected)) return (expected as Rule[]).some((rule) => satisfies(rule, actual));
    // A list of objects matches if one of them does.
    return Array.isArray(actual) ? actual.some((item) => matches(expected, item)) : matches(expected, actual);
  });
}

function satisfies(rule: Rule, actual: unknown): boolean {
  // A filter sees only leaves: of an object it does not even know that it is there.
  if (isRecord(rule) && 'exists' in rule) return (actual !== undefined && !isRecord(actual)) === rule.exists;
  if (actual === undefined) return false;
  return Array.isArray(actual) ? actual.some((item) => satisfiesOne(rule, item)) : satisfiesOne(rule, actual);
}

function satisfiesOne(rule: Rule, actual: unknown): boolean {
  if (!isRecord(rule)) return rule === actual;
  const comparison = rule as Comparison;
  if (comparison.prefix !== undefined) return typeof actual === 'string' && actual.startsWith(comparison.prefix);
  if (comparison.suffix !== undefined) return typeof actual === 'string' && actual.endsWith(comparison.suffix);
  if (comparison.numeric) return typeof actual === 'number' && inRange(comparison.numeric, actual);
  if (comparison['equals-ignore-case'] !== undefined) {
    return typeof actual === 'string' && actual.toLowerCase() === comparison['equals-ignore-case'].toLowerCase();
  }
  if ('anything-but' in comparison) return isAnythingBut(comparison['anything-but'], actual);
  throw new Error(`The local stack does not support the filter rule ${JSON.stringify(rule)}.`);
}

function isAnythingBut(excluded: unknown, actual: unknown): boolean {
  const rules = (Array.isArray(excluded) ? excluded : [excluded]) as Rule[];
  return !rules.some((rule) => satisfiesOne(rule, actual));
}

const comparisons: Record<string, (actual: number, bound: number) => boolean> = {
  '=': (actual, bound) => actual === bound,
  '<': (actual, bound) => actual < bound,
  '<=': (actual, bound) => actual <= bound,
  '>': (actual, bound) => actual > bound,
  '>=': (actual, bound) => actual >= bound,
};

function inRange(bounds: (string | number)[], actual: number): boolean {
  for (let index = 0; index < bounds.length; index += 2) {
    const compare = comparisons[String(bounds[index])];
    if (!compare?.(actual, Number(bounds[index + 1]))) return false;
  }
  return bounds.length > 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
