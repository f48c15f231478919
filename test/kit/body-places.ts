import { messages } from '#schemas/catalogues/pipeline.ts';
import { allOperations, type DeclaredOperation } from '#schemas/families/index.ts';
import { isBodyByParameter, isForm, isMultipart } from '#schemas/families/operation.ts';

/** The part of a JSON schema that the contract's bodies use. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  maxItems?: number;
  maxProperties?: number;
  additionalProperties?: Schema | boolean;
}

export interface BodyShape {
  /** The operation or the message. */
  name: string;
  role: string;
  shape: Schema;
}

/** A value within a body, and the way to it. `*` stands for an element of a list or map. */
export interface BodyPlace extends BodyShape {
  path: string[];
  schema: Schema;
}

function shapesOf(body: NonNullable<DeclaredOperation['body']>): object[] {
  // The function of a form looks at the fields itself.
  if (isForm(body)) return [];
  if (isMultipart(body)) return [body.multipart];
  return isBodyByParameter(body) ? Object.values(body.shapes) : [body];
}

/** Every shape once, although several operations may share it. */
export const bodyShapes: BodyShape[] = [
  ...new Map<object, BodyShape>([
    ...allOperations.flatMap(({ id, role, body }) =>
      (body ? shapesOf(body) : []).map((shape) => [shape, { name: id, role, shape }] as const),
    ),
    ...Object.entries(messages).map(
      ([name, shape]) => [shape, { name, role: 'message', shape: shape as Schema }] as const,
    ),
  ]).values(),
];

export const isList = ({ items }: Schema) => items !== undefined;

export const elementOf = ({ items, additionalProperties }: Schema) =>
  items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);

/** The places of all bodies whose schema is wanted. */
export const placesOf = (isWanted: (schema: Schema) => boolean): BodyPlace[] =>
  bodyShapes.flatMap((body) =>
    placesIn(body.shape)
      .filter(({ schema }) => isWanted(schema))
      .map((place) => ({ ...body, ...place })),
  );

export function placesIn(schema: Schema, path: string[] = []): Pick<BodyPlace, 'path' | 'schema'>[] {
  const element = elementOf(schema);
  const fields = Object.entries(schema.properties ?? {});
  return [
    { path, schema },
    ...fields.flatMap(([name, field]) => placesIn(field, [...path, name])),
    ...(element ? placesIn(element, [...path, '*']) : []),
  ];
}

type Way = Pick<BodyPlace, 'shape' | 'path'>;

/**
 * The smallest body with the value at the place. Everything else that it should have is missing.
 * @param times how many elements a list on the way has
 */
export function bodyWith({ shape, path: [name, ...path] }: Way, value: unknown, times = 1): unknown {
  if (name === undefined) return value;
  if (name !== '*') return { [name]: bodyWith({ shape: shape.properties![name]!, path }, value, times) };
  const element = bodyWith({ shape: elementOf(shape)!, path }, value, times);
  return isList(shape) ? new Array(times).fill(element) : { name: element };
}

/** The `loc` of the place in that body. */
export const locOf = ({ shape, path: [name, ...path] }: Way): (string | number)[] => {
  if (name === undefined) return [];
  if (name !== '*') return [name, ...locOf({ shape: shape.properties![name]!, path })];
  return [isList(shape) ? 0 : 'name', ...locOf({ shape: elementOf(shape)!, path })];
};
