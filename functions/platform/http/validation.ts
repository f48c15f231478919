import validator from '@middy/validator';
import { valueError } from '#platform/errors.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import { requestLimits } from '#schemas/catalogues/limits.ts';
import { linkFaults } from '#schemas/catalogues/links.ts';
import { isRaw } from './body.ts';
import type { BodyValidator, Fault, GatewayEvent, Middleware, RuntimeOperation, Validator } from './request.ts';
import { textFaults } from './text-faults.ts';

/** Checks path, query and body against the declaration and reports all errors (a hundred of each), not only the first. */
export function validation(operation: RuntimeOperation): Middleware | undefined {
  const { params, query } = operation;
  const findFaults = faultFinder(operation);
  let body: BodyValidator | undefined;
  if (!params && !query && !operation.body) return undefined;
  const check: { (event: GatewayEvent): boolean; errors?: FieldError[] } = (event) => {
    event.pathParameters ??= {};
    event.queryStringParameters ??= {};
    check.errors = [
      ...findFaults('path', params, event.pathParameters),
      ...findFaults('query', query, event.queryStringParameters),
      ...findFaults('body', bodyValidator(body, event), event.body),
    ];
    return check.errors.length === 0;
  };
  const { before } = validator({ eventSchema: check as never }) as { before: (request: object) => void };
  return {
    before: async (request) => {
      body ??= await operation.body?.();
      before(request);
    },
  };
}

type FaultFinder = (place: string, validate: Validator | undefined, value: unknown) => FieldError[];

/** What a signed request sends is repaired instead, and its unknown fields are kept without being looked at. */
const faultFinder = ({ role }: RuntimeOperation): FaultFinder =>
  role === 'signed' ? (place, validate, value) => toFieldErrors(place, shapeFaults(validate, value)) : faultsOf;

/** What is wrong with a value, by its shape and its texts. The validator also removes undeclared fields. */
export const faultsOf: FaultFinder = (place, validate, value) =>
  toFieldErrors(place, [...shapeFaults(validate, value), ...textFaults(value)]);

const shapeFaults = (validate: Validator | undefined, value: unknown): Fault[] =>
  !validate || validate(value) ? [] : (validate.errors ?? []);

/** A body whose shape depends on a path parameter is not checked if that parameter is invalid. */
function bodyValidator(body: BodyValidator | undefined, event: GatewayEvent): Validator | undefined {
  if (isRaw(event)) return undefined;
  if (typeof body !== 'object') return body;
  const value = event.pathParameters?.[body.parameter] ?? '';
  return Object.hasOwn(body.shapes, value) ? body.shapes[value] : undefined;
}

/**
 * Converts the errors of ajv to the form of the contract. The validators stop after a hundred, so nobody knows how many
 * there are.
 */
export function toFieldErrors(place: string, faults: Fault[]): FieldError[] {
  const errors = relevantFaults(faults)
    .slice(0, requestLimits.faults)
    .map((fault) => toFieldError(place, fault));
  return faults.length <= requestLimits.faults ? errors : [...errors, valueError([place], unchecked)];
}

const unchecked = `may have more errors: the service stops after ${requestLimits.faults}`;

function relevantFaults(faults: Fault[]): Fault[] {
  const wrongTypes = new Set(faults.filter(isTypeFault).map(({ instancePath }) => instancePath));
  // A value of the wrong type always breaks other rules too, such as its length. Reporting them would not help.
  return faults.filter((fault) => isTypeFault(fault) || !wrongTypes.has(fault.instancePath));
}

function toFieldError(place: string, fault: Fault): FieldError {
  const loc = [place, ...pathOf(fault.instancePath)];
  if (fault.keyword === 'required') {
    return { loc: [...loc, String(fault.params.missingProperty)], msg: 'is required', type: 'missing' };
  }
  return { loc, msg: messageOf(fault), type: isTypeFault(fault) ? 'type_error' : 'value_error' };
}

const isTypeFault = ({ keyword }: Fault) => keyword === 'type' || keyword === 'file';

/** `/products/0/title` → `products`, 0, `title`. */
function pathOf(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d{1,15}$/.test(part) ? Number(part) : part.slice(0, maxNameLength).toWellFormed()));
}

/** The longest field name that an error repeats. */
const maxNameLength = 255;

function messageOf({ keyword, params, propertyName }: Fault): string {
  const message = messages[keyword]?.(params) ?? 'is not valid';
  return propertyName === undefined ? message : `has a field name that ${message}`;
}

type Parameters = Record<string, unknown>;

/** Our own texts, because the compiled validators contain none, which keeps them small. */
const messages: Record<string, (params: Parameters) => string> = {
  type: ({ type }) => `must be ${[type as string | string[]].flat().map(typeName).join(' or ')}`,
  file: () => 'must be one part that contains a file',
  enum: ({ allowedValues }) => `must be one of ${listed(allowedValues as unknown[])}`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  format: ({ format }) => `must be a valid ${format}`,
  pattern: ({ pattern }) => linkFaults[String(pattern)] ?? `must match the pattern ${pattern}`,
  minLength: ({ limit }) => `must have at least ${limit} ${limit === 1 ? 'character' : 'characters'}`,
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => `must have at least ${limit} ${limit === 1 ? 'item' : 'items'}`,
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  maxProperties: ({ limit }) => `must have at most ${limit} fields`,
  maxUnknownBytes: ({ limit }) =>
    `must have at most ${limit} bytes of JSON in the fields that the service does not know`,
  minimum: ({ limit }) => `must be ${limit} or more`,
  maximum: ({ limit }) => `must be ${limit} or less`,
  wellFormed: () => 'must not contain half of a character (an unpaired surrogate such as \\ud83d)',
  depth: ({ limit }) => `must not be nested deeper than ${limit} levels`,
};

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

const typeName = (type: string): string => typeNames[type] ?? type;

/** The catalogue of events has too many values for an error message. The API description lists them all. */
const maxValues = 40;

function listed(values: readonly unknown[]): string {
  const text = values.slice(0, maxValues).map(String).join(', ');
  return values.length <= maxValues ? text : `${text}, … (${values.length} values, see the description of the API)`;
}
