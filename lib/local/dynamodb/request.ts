import { serialization, validation } from './errors.ts';
import { isObject } from './values.ts';

export type Request = Record<string, unknown>;

const given = (value: unknown) => value !== undefined && value !== null;

export function optionalText(request: Request, name: string): string | undefined {
  const value = request[name];
  if (!given(value)) return undefined;
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
  if (!given(value)) return false;
  if (typeof value !== 'boolean') throw serialization(`${name} must be a boolean`);
  return value;
}

export function optionalInteger(request: Request, name: string, minimum: number): number | undefined {
  const value = request[name];
  if (!given(value)) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw serialization(`${name} must be an integer`);
  if (value < minimum) {
    throw constraint(name, String(value), `Member must have value greater than or equal to ${minimum}`);
  }
  return value;
}

export function choice<Option extends string>(
  request: Request,
  name: string,
  options: readonly Option[],
): Option | undefined {
  const value = optionalText(request, name);
  if (value === undefined) return undefined;
  const option = options.find((candidate) => candidate === value);
  if (!option) throw constraint(name, value, `Member must satisfy enum value set: [${options.join(', ')}]`);
  return option;
}

export function optionalObject(request: Request, name: string): Request | undefined {
  const value = request[name];
  if (!given(value)) return undefined;
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
  if (!given(value)) return [];
  if (!Array.isArray(value)) throw serialization(`${name} must be a list`);
  return value.map((element) => {
    if (!isObject(element)) throw serialization(`${name} must be a list of objects`);
    return element;
  });
}

export const missing = (name: string) => constraint(name, 'null', 'Member must not be null', '');

export function constraint(name: string, value: string, rule: string, quote = "'") {
  const field = name.charAt(0).toLowerCase() + name.slice(1);
  return validation(
    `1 validation error detected: Value ${quote}${value}${quote} at '${field}' failed to satisfy constraint: ${rule}`,
  );
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

export function refuseLegacy(request: Request): void {
  const found = LEGACY.find((name) => given(request[name]));
  if (found) throw validation(`${found} is a legacy parameter that this engine does not take: use an expression`);
}
