import Type, { type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import { languages } from '../catalogues/enumerations.ts';

/** Building blocks that several families use. */

/**
 * An object of a request or response. Unknown fields of a request are dropped before the function sees them, so
 * nothing undeclared is ever stored. `title` names the shape in the description.
 */
export function Shape<T extends TProperties>(title: string, properties: T, options: object = {}): TObject<T> {
  return Type.Object(properties, { title, additionalProperties: false, ...options });
}

/** The value or null, as one schema: `anyOf` would answer every fault with three errors instead of one. */
export function Nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] };
  if (values !== undefined) return Type.Unsafe({ ...rest, type: ['string', 'null'], enum: [...values, null] });
  return Type.Unsafe({ ...rest, type: [type, 'null'] });
}

export const Choice = <const T extends readonly string[]>(values: T, options: object = {}): TUnsafe<T[number]> =>
  Type.Unsafe({ type: 'string', enum: [...values], ...options });

/** The format alone would also take `urn:uuid:…`. */
export const Uuid = (options: object = {}) => Type.String({ format: 'uuid', maxLength: 36, ...options });
export const DateTime = (options: object = {}) => Type.String({ format: 'date-time', ...options });
/** Of the web: what a browser is to open must not be a `javascript:` of somebody else's. */
export const Url = (options: object = {}) =>
  Type.String({ format: 'uri', pattern: '^[hH][tT][tT][pP][sS]?://', minLength: 1, maxLength: 2048, ...options });
/** Every text has a bound: without one a caller could outgrow the table's item size. */
export const Text = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options });

/** No halves of characters: two different ones would become the same, in a key of the table or in any other text of it. */
export const wellFormed = '^[^\\ud800-\\udfff]*$';
/** A link that a shop gives as text, absolute or not; only what would run in the reader's browser is refused. */
export const Link = (options: object = {}) =>
  Type.String({
    maxLength: 2048,
    pattern: '^(?!\\s*([jJ][aA][vV][aA]|[vV][bB])[sS][cC][rR][iI][pP][tT]:)',
    ...options,
  });
/** A part of a multipart body that has a file name or the type of a file. Its bytes are given as they came. */
export const File = (options: object = {}): TUnsafe<Uint8Array> => Type.Unsafe({ file: true, ...options });
export const LanguageTag = (options: object = {}) => Choice(languages, options);

/** `page` and `per_page` of every paged collection. */
export const paging = {
  page: Type.Integer({ minimum: 1, default: 1, description: 'Counts from 1.' }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 30 }),
};

/** What an operation answers that has nothing to say. */
export const Nothing = Type.Null({ description: 'Done.' });

/** What an operation answers that has no body. */
export const Empty = Type.Undefined({ description: 'Done.' });
