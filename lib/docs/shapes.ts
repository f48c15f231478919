import { escaped, inline, type Links } from './markdown.ts';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  deprecated?: boolean;
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
  propertyNames?: Schema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
}

export const nameOf = ({ $ref }: Schema): string | undefined => /^#\/components\/schemas\/(.+)$/.exec($ref ?? '')?.[1];

/** The names of the shapes that a schema is made of, those of its fields too. */
export function shapesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(shapesIn);
  if (schema === null || typeof schema !== 'object') return [];
  const own = nameOf(schema as Schema);
  return [...(own === undefined ? [] : [own]), ...Object.values(schema).flatMap(shapesIn)];
}

/** Draws schemas. `linkTo` is where a named shape is explained. */
export class ShapeView {
  readonly #links: Links;
  readonly #linkTo: (shape: string) => string;

  constructor(links: Links, linkTo: (shape: string) => string) {
    this.#links = links;
    this.#linkTo = linkTo;
  }

  /** What a value is, in a few words: `list of Order`, `text or null`. */
  type(schema: Schema): string {
    const name = nameOf(schema);
    if (name !== undefined) return `<a href="${this.#linkTo(name)}">${name}</a>`;
    const choices = schema.oneOf ?? (schema.type === undefined ? schema.anyOf : undefined);
    if (choices) return choices.map((one) => this.type(one)).join(' or ');
    const types = [schema.type ?? []].flat().map((type) => this.#single(type, schema));
    if (types.length === 0) return schema.const === undefined ? 'any value' : `<code>${json(schema.const)}</code>`;
    return types.join(' or ');
  }

  #single(type: string, schema: Schema): string {
    if (type === 'array') return `list of ${schema.items ? plural(this.type(schema.items)) : 'any values'}`;
    if (type === 'string' && schema.format !== undefined) return formats[schema.format] ?? schema.format;
    return words[type] ?? type;
  }

  /** The fields of an object, or of the objects of a list. */
  fields(schema: Schema): string {
    const { properties = {}, required = [], additionalProperties: others } = schema;
    const items = Object.entries(properties).map(([name, field]) =>
      this.field(name, field, required.includes(name) ? 'required' : ''),
    );
    const rest = others !== null && typeof others === 'object' ? [this.field('any other name', others, '')] : [];
    const all = [...items, ...rest];
    return all.length === 0 ? '' : `<dl class="fields">${all.join('')}</dl>`;
  }

  field(name: string, schema: Schema, note: string): string {
    const text = schema.description === undefined ? '' : `<p>${inline(schema.description, this.#links)}</p>`;
    const limits = this.#limits(schema);
    const inner = [schema, schema.items, ...(schema.oneOf ?? [])].map((one) => (one ? this.fields(one) : '')).join('');
    const notes = [note, schema.deprecated ? 'deprecated' : ''].filter(Boolean);
    const marks = notes.map((one) => ` <strong class="note">${one}</strong>`).join('');
    const head = `<dt><code>${escaped(name)}</code> <span class="type">${this.type(schema)}</span>${marks}</dt>`;
    return `${head}<dd>${text}${limits}${inner}</dd>`;
  }

  #limits(schema: Schema): string {
    const parts = [...limitsOf(schema), ...(schema.items ? limitsOf(schema.items).map((one) => `each ${one}`) : [])];
    const choices = schema.enum ?? schema.items?.enum;
    const text = parts.length === 0 ? '' : `<p class="limits">${parts.join(' · ')}</p>`;
    const form = schema.pattern ?? schema.items?.pattern;
    return (
      text +
      (choices ? choicesOf(choices) : '') +
      (form && isLong(form) ? folded('matches a pattern', pattern(form)) : '')
    );
  }
}

/** A word alone; a name of a shape stays as it is. */
const plural = (type: string) => (/^[a-z-]+( number| address)?$/.test(type) ? `${type}s`.replace('sss', 'sses') : type);

const words: Record<string, string> = { string: 'text', boolean: 'true or false', integer: 'whole number' };
const formats: Record<string, string> = {
  uuid: 'uuid',
  'date-time': 'date-time',
  date: 'date',
  uri: 'link',
  email: 'e-mail address',
  binary: 'file',
};

const json = (value: unknown) => escaped(JSON.stringify(value));

function choicesOf(values: unknown[]): string {
  const list = values.map((value) => `<code>${escaped(value === null ? 'null' : String(value))}</code>`).join(', ');
  if (values.length <= 12) return `<p class="limits">one of ${list}</p>`;
  return folded(`one of ${values.length} values`, list);
}

const folded = (summary: string, html: string) =>
  `<details><summary>${summary}</summary><p class="limits">${html}</p></details>`;

const pattern = (text: string) => `<code>${escaped(text)}</code>`;
const isLong = (text: string) => text.length > 60;

function limitsOf(schema: Schema): string[] {
  const range = (low: number | undefined, high: number | undefined, of: string) => {
    if (low === undefined && high === undefined) return [];
    if (high === undefined) return [`at least ${low}${of}`];
    return [low === undefined || low === 0 ? `up to ${high}${of}` : `${low} to ${high}${of}`];
  };
  // Its form says how long a uuid or a time is.
  const isOfForm = ['uuid', 'date-time', 'date'].includes(schema.format ?? '');
  return [
    ...(isOfForm ? [] : range(schema.minLength, schema.maxLength, ' characters')),
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minItems, schema.maxItems, ' entries'),
    ...range(undefined, schema.maxProperties, ' fields'),
    ...(schema.pattern === undefined || isLong(schema.pattern) ? [] : [`matches ${pattern(schema.pattern)}`]),
    ...(schema.default === undefined ? [] : [`default <code>${json(schema.default)}</code>`]),
  ];
}
