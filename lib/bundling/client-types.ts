import type { TSchema } from 'typebox';
import { allOperations, type DeclaredOperation } from '#schemas/families/index.ts';
import { isBodyByParameter, isForm, isMultipart, pathParameters } from '#schemas/families/operation.ts';
import { ClaimEventPayload, ShipmentEventPayload, WithdrawalEventPayload } from '#schemas/shapes/event-payloads.ts';

/**
 * Writes out the types that schemas/client/types.ts infers, so that the package needs no declarations. A test compiles the
 * same calls against both.
 */
export function clientTypes(): string {
  const shapes = new WrittenShapes();
  const callable = allOperations.filter(({ role }) => role !== 'signed');
  for (const { response } of callable) if (!('mediaType' in response)) shapes.typeOf(response, 'answer');
  const payloads = [ShipmentEventPayload, ClaimEventPayload, WithdrawalEventPayload];
  const events = payloads.map((shape) => shapes.typeOf(shape, 'answer'));
  const entries = callable.map(
    (operation) => `${comment(operation.summary)}${operation.id}: ${callOf(operation, shapes)};`,
  );
  return [
    '/** What a caller sends, and what the answer is. */',
    `export interface Operations {\n${entries.join('\n')}\n}`,
    '/** What the service posts to an endpoint. `source` and `ref` say which of them it is. */',
    `export type WebhookEvent = ${union(events)};`,
    ...shapes.written.values(),
    '',
  ].join('\n');
}

function callOf(operation: DeclaredOperation, shapes: WrittenShapes): string {
  const { path, params, query, body, ifMatch, response } = operation;
  const names = pathParameters(path);
  const param = (name: string) =>
    params?.properties[name] ? shapes.typeOf(params.properties[name], 'request') : 'string';
  return object([
    `params: ${object(names.map((name) => `${name}: ${param(name)};`))};`,
    `query: ${query ? shapes.typeOf(query, 'request') : 'undefined'};`,
    `body: ${body ? bodyOf(body, shapes) : 'undefined'};`,
    `ifMatch: ${ifMatch ? 'string' : 'undefined'};`,
    `answer: ${'mediaType' in response ? 'string' : shapes.typeOf(response, 'answer')};`,
  ]);
}

function bodyOf(body: NonNullable<DeclaredOperation['body']>, shapes: WrittenShapes): string {
  if (isForm(body)) return 'FormData | URLSearchParams';
  if (isMultipart(body)) return `FormData | ${shapes.typeOf(body.multipart, 'request')}`;
  if (!isBodyByParameter(body)) return shapes.typeOf(body, 'request');
  return union(Object.values(body.shapes).map((shape) => shapes.typeOf(shape, 'request')));
}

/** A field with a default may be left out of a request, and is always there in an answer. */
type Direction = 'request' | 'answer';

type Json = Record<string, unknown>;

class WrittenShapes {
  /** The declarations of named shapes, by their names. */
  readonly written = new Map<string, string>();
  readonly #inAnswers = new Set<string>();

  typeOf(schema: TSchema, direction: Direction): string {
    const { title, type, ...rest } = schema as Json & { title?: string };
    if (title === undefined) return this.#inner({ type, ...rest }, direction);
    const types = [type].flat();
    const isNullable = types.length > 1 && types.includes('null');
    const shape: Json = { ...rest, type: isNullable ? types.filter((one) => one !== 'null') : type };
    const name = this.#nameOf(title, shape, direction);
    if (!this.written.has(name)) {
      // A shape may contain itself.
      this.written.set(name, '');
      const kind = shape.properties ? `interface ${name}` : `type ${name} =`;
      this.written.set(name, `export ${kind} ${this.#inner(withoutNull(shape), direction)}`);
    }
    return isNullable ? `${name} | null` : name;
  }

  /** A shape of both directions has two names if they differ. Answers are written first. */
  #nameOf(title: string, shape: Json, direction: Direction): string {
    if (direction === 'answer') this.#inAnswers.add(title);
    return direction === 'request' && this.#inAnswers.has(title) && hasDefault(shape) ? `${title}Input` : title;
  }

  #inner(schema: Json, direction: Direction): string {
    if (schema.file === true) return 'Blob';
    if (schema.enum) return union((schema.enum as unknown[]).map((value) => JSON.stringify(value)));
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return union((options as TSchema[]).map((one) => this.typeOf(one, direction)));
    const types = [schema.type].flat() as string[];
    return union(types.map((type) => this.#ofType(type, schema, direction)));
  }

  #ofType(type: string, schema: Json, direction: Direction): string {
    if (type === 'array') return `(${schema.items ? this.typeOf(schema.items as TSchema, direction) : 'unknown'})[]`;
    if (type === 'object') return this.#object(schema, direction);
    if (type === 'integer') return 'number';
    return ['string', 'number', 'boolean', 'null', 'undefined'].includes(type) ? type : 'unknown';
  }

  #object({ properties, required = [], additionalProperties: others, patternProperties }: Json, direction: Direction) {
    const fields = Object.entries((properties ?? {}) as Record<string, TSchema & Json>).map(([name, field]) => {
      const isLeftOut =
        !(required as string[]).includes(name) || (direction === 'request' && field.default !== undefined);
      const type = this.typeOf(field, direction);
      const written = isLeftOut && direction === 'request' ? union([type, 'undefined']) : type;
      return `${comment(field.description)}${JSON.stringify(name)}${isLeftOut ? '?' : ''}: ${written};`;
    });
    const pattern = Object.values((patternProperties ?? {}) as Record<string, TSchema>)[0];
    const other = pattern ?? (typeof others === 'object' ? (others as TSchema) : undefined);
    if (fields.length > 0)
      return object([...fields, ...(others === true || other ? ['[name: string]: unknown;'] : [])]);
    return `Record<string, ${other ? this.typeOf(other, direction) : 'unknown'}>`;
  }
}

const withoutNull = (shape: Json): Json =>
  shape.enum ? { ...shape, enum: (shape.enum as unknown[]).filter((value) => value !== null) } : shape;

const hasDefault = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  (('default' in schema && 'type' in schema) || Object.values(schema).some(hasDefault));

const object = (fields: readonly string[]): string => `{\n${fields.join('\n')}\n}`;

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

const comment = (text: unknown): string =>
  typeof text === 'string' ? `/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n` : '';
