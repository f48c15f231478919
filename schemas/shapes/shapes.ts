import Type, { type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import { languages } from '../catalogues/enumerations.ts';
import { callableUrlPattern, linkPattern, maxLinkLength } from '../catalogues/links.ts';

/** Several families use these building blocks. */

/**
 * An object of a request or a response. Unknown fields of a request are removed before the function sees them, so the
 * service never stores an undeclared field. `title` names the shape in the description.
 */
export function Shape<T extends TProperties>(title: string, properties: T, options: object = {}): TObject<T> {
  return Type.Object(properties, { title, additionalProperties: false, ...options });
}

/** The value or null, as one schema. `anyOf` would report three errors for each fault instead of one. */
export function Nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const { type, enum: values, ...rest } = schema as { type?: string; enum?: unknown[] };
  if (values !== undefined) return Type.Unsafe({ ...rest, type: ['string', 'null'], enum: [...values, null] });
  return Type.Unsafe({ ...rest, type: [type, 'null'] });
}

/** A field that the caller may leave out. The type shows that, so the types of the client know it too. */
export const Defaulted = <T extends TSchema>(schema: T, value: Static<T>): T & { default: Static<T> } =>
  Object.assign(schema, { default: value });

export const Choice = <const T extends readonly string[]>(values: T, options: object = {}): TUnsafe<T[number]> =>
  Type.Unsafe({ type: 'string', enum: [...values], ...options });

/** The maximum length refuses `urn:uuid:…`, which the format alone would accept. */
export const Uuid = (options: object = {}) => Type.String({ format: 'uuid', maxLength: 36, ...options });
/** The format alone accepts any number of digits after the point. */
export const DateTime = (options: object = {}) => Type.String({ format: 'date-time', maxLength: 64, ...options });
/** A time filter also takes a date alone. `day` is the end of that day that it means. */
export const TimeFrom = (description: string) =>
  DateTime({ day: 'start', description: `${description} A date alone means the start of that day in UTC.` });
export const TimeTo = (description: string) =>
  DateTime({ day: 'end', description: `${description} A date alone means the end of that day in UTC.` });
/** An absolute address that somebody opens. */
export const Url = (options: object = {}) =>
  Type.String({ format: 'uri', pattern: linkPattern, minLength: 1, maxLength: maxLinkLength, ...options });
/** An address that the service calls. */
export const CallableUrl = (options: object = {}) => Url({ pattern: callableUrlPattern, ...options });
/** Every text has a maximum length. Without one, a caller could exceed the table's limit for an item. */
export const Text = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options });

/** A link that the contract calls a string: also a relative one, or one without a scheme. */
export const Link = (options: object = {}) =>
  Type.String({ maxLength: maxLinkLength, pattern: linkPattern, ...options });
/** Which links a page shows. */
export const shownLinks = 'Tracking pages show it if it begins with `http://`, `https://`, `//`, `mailto:` or `tel:`.';
export const shownPictures = 'Tracking pages show it if it begins with `http://`, `https://` or `//`.';
/** A part of a multipart body with a file name or a file's media type. The function gets its bytes unchanged. */
export const File = (options: object = {}): TUnsafe<Uint8Array> => Type.Unsafe({ file: true, ...options });
export const LanguageTag = (options: object = {}) => Choice(languages, options);

/** An option of a shape whose texts are in the language that the request asks for. */
export const translated = { translated: true };

/** For somebody who edits the texts. */
export const Untranslated = Type.Optional(
  Type.Boolean({
    description: 'Whether to return the texts as they were written, whatever `Accept-Language` says. Default: false.',
  }),
);

interface JsonBounds {
  /** Of lists and objects within each other. */
  levels: number;
  entries: number;
  name: number;
  text: number;
}

const scalars = ['string', 'number', 'boolean', 'null'];

/** Any JSON within bounds. It names each level, because a shape that contains itself would have no bound. */
export function BoundedJson({ levels, ...bounds }: JsonBounds): TSchema {
  const { entries, name, text } = bounds;
  if (levels === 0) return Type.Unsafe({ type: scalars, maxLength: text });
  const within = BoundedJson({ levels: levels - 1, ...bounds });
  return Type.Unsafe({
    type: [...scalars, 'array', 'object'],
    maxLength: text,
    items: within,
    maxItems: entries,
    additionalProperties: within,
    maxProperties: entries,
    propertyNames: { maxLength: name },
  });
}

/** `page` and `per_page` of every paged collection. */
export const paging = {
  page: Defaulted(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description:
        'The number of the page. The first page is 1. A page far from the start of the list is exact for everything that is ' +
        'older than a minute. With filters that are not a range of the time that the list is sorted by, a page far from the ' +
        'start of a long list can be refused with 422, unless you read the page before it within the last 15 minutes.',
    }),
    1,
  ),
  per_page: Defaulted(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'The number of results on a page. A page with fewer results is the last one. If one request cannot find enough ' +
        'results for a page, the response is 422 and says how many results a page can have, or how to narrow the search.',
    }),
    30,
  ),
};

/** The response of an operation that returns no data. */
export const Nothing = Type.Null({ description: 'The operation succeeded. The body is `null`.' });

/** The response of an operation that has no body. */
export const Empty = Type.Undefined({ description: 'The operation succeeded. The response has no body.' });
