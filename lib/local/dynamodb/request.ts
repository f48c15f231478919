import { serialization, validation } from './errors.ts';
import { isObject } from './values.ts';

export type Request = Record<string, unknown>;

const isPresent = (value: unknown) => value !== undefined && value !== null;

export function optionalText(request: Request, name: string): string | undefined {
  const value = request[name];
  if (!isPresent(value)) return undefined;
  if (typeof value !== 'string') throw serialization(`${name} must be a string`);
  return value;
}

export function requiredText(request: Request, name: string): string {
  const value = optionalText(request, name);
  if (value === undefined) throw missing(name);
  return value;
}

export function flag(request: Request, name: string): boolean {
  const value = request[name];
  if (!isPresent(value)) return false;
  if (typeof value !== 'boolean') throw serialization(`${name} must be a boolean`);
  return value;
}

export function optionalInteger(request: Request, name: string, minimum: number, at = name): number | undefined {
  const value = request[name];
  if (!isPresent(value)) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw serialization(`${name} must be an integer`);
  if (value < minimum) {
    throw constraint(at, String(value), `Member must have value greater than or equal to ${minimum}`);
  }
  return value;
}

/** `at` is the path of the field in the request, if it is not at the top. */
export function choice<Option extends string>(
  request: Request,
  name: string,
  options: readonly Option[],
  at = name,
): Option | undefined {
  const value = optionalText(request, name);
  if (value === undefined) return undefined;
  const option = options.find((candidate) => candidate === value);
  if (!option) throw constraint(at, value, oneOf(options));
  return option;
}

const oneOf = (options: readonly string[]) => `Member must satisfy enum value set: [${options.join(', ')}]`;

const CHOICES = {
  ReturnConsumedCapacity: ['INDEXES', 'TOTAL', 'NONE'],
  ReturnItemCollectionMetrics: ['SIZE', 'NONE'],
  ReturnValues: ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'],
  ReturnValuesOnConditionCheckFailure: ['ALL_OLD', 'NONE'],
  Select: ['SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'],
} as const;
type Choices = typeof CHOICES;
type ChoiceName = keyof Choices;
const CHOICE_NAMES = Object.keys(CHOICES) as ChoiceName[];

/** The value of a parameter that many operations share. `assertChoices` has validated it. */
export const chosen = <Name extends ChoiceName>(request: Request, name: Name) =>
  (request[name] ?? undefined) as Choices[Name][number] | undefined;

/**
 * Reports all invalid parameters in one error, before the table is read. An invalid table name comes first, as in AWS.
 */
export function assertChoices(request: Request): void {
  let problems: string[] | undefined;
  for (const name of CHOICE_NAMES) {
    const value = optionalText(request, name);
    if (value === undefined || (CHOICES[name] as readonly string[]).includes(value)) continue;
    problems ??= [];
    problems.push(problemAt(name, `'${value}'`, oneOf(CHOICES[name])));
  }
  if (!problems) return;
  const table = optionalText(request, 'TableName');
  if (table !== undefined && !table.startsWith('arn:')) assertTableName(table, 1);
  const count = problems.length === 1 ? '1 validation error' : `${problems.length} validation errors`;
  throw validation(`${count} detected: ${problems.join('; ')}`);
}

const TABLE_NAME = /^[A-Za-z0-9_.-]+$/;
const MAX_TABLE_NAME = 255;

export function assertTableName(name: string, minimum = 3, at = 'tableName'): void {
  assertLength(at, name, minimum, MAX_TABLE_NAME);
  if (!TABLE_NAME.test(name)) {
    throw constraint(at, name, 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+');
  }
}

export function assertLength(at: string, text: string, minimum: number, maximum: number): void {
  if (text.length < minimum) throw constraint(at, text, `Member must have length greater than or equal to ${minimum}`);
  if (text.length > maximum) throw constraint(at, text, `Member must have length less than or equal to ${maximum}`);
}

export function optionalObject(request: Request, name: string): Request | undefined {
  const value = request[name];
  if (!isPresent(value)) return undefined;
  if (!isObject(value)) throw serialization(`${name} must be an object`);
  return value;
}

export function requiredObject(request: Request, name: string): Request {
  const value = optionalObject(request, name);
  if (value === undefined) throw missing(name);
  return value;
}

export function optionalObjects(request: Request, name: string): Request[] {
  const value = request[name];
  if (!isPresent(value)) return [];
  if (!Array.isArray(value)) throw serialization(`${name} must be a list`);
  return value.map((element) => {
    if (!isObject(element)) throw serialization(`${name} must be a list of objects`);
    return element;
  });
}

export const missing = (name: string) => constraint(name, 'null', 'Member must not be null', '');

export function constraint(name: string, value: string, rule: string, quote = "'") {
  return validation(`1 validation error detected: ${problemAt(name, `${quote}${value}${quote}`, rule)}`);
}

/** As AWS spells the names of the request's fields in its complaints. */
export const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

function problemAt(name: string, value: string, rule: string): string {
  return `Value ${value} at '${lowerFirst(name)}' failed to satisfy constraint: ${rule}`;
}

const LEGACY = [
  'AttributesToGet',
  'AttributeUpdates',
  'ConditionalOperator',
  'Expected',
  'KeyConditions',
  'QueryFilter',
  'ScanFilter',
];

const EXPRESSIONS = [
  'UpdateExpression',
  'ConditionExpression',
  'FilterExpression',
  'KeyConditionExpression',
  'ProjectionExpression',
];

export function refuseLegacy(request: Request): void {
  const found = LEGACY.filter((name) => isPresent(request[name]));
  if (found.length === 0) return;
  const expressions = EXPRESSIONS.filter((name) => isPresent(request[name]));
  if (expressions.length > 0) {
    throw validation(
      `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${found.join(', ')}} Expression parameters: {${expressions.join(', ')}}`,
    );
  }
  throw validation(`${found[0]} is a legacy parameter that this engine does not support: use an expression`);
}
