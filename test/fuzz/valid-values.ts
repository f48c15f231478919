import fc from 'fast-check';
import { hostileNames, hostileTexts } from './hostile-values.ts';
import type { Random } from './random.ts';
import type { SeenValues } from './seen-values.ts';

/** The parts of JSON Schema that the declarations use. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  maxProperties?: number;
}

export interface Source {
  random: Random;
  seen: SeenValues;
  /** The time of the request. */
  now: number;
  /** URLs that may be called. */
  urls: readonly string[];
  /** How likely an optional field is sent. */
  density: number;
}

/** A value that a schema accepts. `name` is the name of its field: values of this name that were seen are used again. */
export function validValue(schema: Schema, source: Source, name = '', depth = 0): unknown {
  const { random } = source;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return validValue(random.pick(schema.anyOf), source, name, depth);
  if (schema.default !== undefined && random.chance(0.1)) return schema.default;
  switch (typeOf(schema, random)) {
    case 'string':
      return validText(schema, source, name);
    case 'integer':
      return validNumber(schema, random, true);
    case 'number':
      return validNumber(schema, random, false);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'array':
      return validList(schema, source, name, depth);
    default:
      return validObject(schema, source, depth);
  }
}

function typeOf({ type = 'object' }: Schema, random: Random): string {
  if (!Array.isArray(type)) return type;
  const others = type.filter((one) => one !== 'null');
  return type.length > others.length && random.chance(0.15) ? 'null' : random.pick(others);
}

function validNumber({ minimum = -1000, maximum = 100_000 }: Schema, random: Random, isWhole: boolean): number {
  if (random.chance(0.1)) return random.pick([minimum, maximum]);
  const most = Math.min(maximum, minimum + (random.chance(0.7) ? 100 : 10_000_000));
  if (isWhole) return random.between(Math.ceil(minimum), Math.floor(most));
  return Number((minimum + random.number() * (most - minimum)).toFixed(random.pick([0, 2, 2, 4])));
}

function validList(schema: Schema, source: Source, name: string, depth: number): unknown[] {
  const { minItems = 0, maxItems = 10, items = {} } = schema;
  const { random } = source;
  const few = random.chance(0.02) && depth === 0 ? Math.min(maxItems, 60) : Math.min(maxItems, depth > 2 ? 1 : 3);
  const length = Math.max(minItems, random.between(0, few));
  return Array.from({ length }, () => validValue(items, source, name, depth + 1));
}

function validObject(schema: Schema, source: Source, depth: number): object {
  const { properties = {}, required = [], additionalProperties: others, maxProperties = 5 } = schema;
  const { random, density } = source;
  const chance = depth > 3 ? density / 3 : density;
  const fields = Object.entries(properties)
    .filter(([name, field]) => (required.includes(name) && field.default === undefined) || random.chance(chance))
    .map(([name, field]) => [name, validValue(field, source, name, depth + 1)] as const);
  const free =
    typeof others === 'object'
      ? Array.from({ length: random.below(Math.min(maxProperties, 4)) }, () => [
          random.pick(random.chance(0.5) ? ['title', 'description', 'monday', 'note'] : hostileNames),
          validValue(others, source, '', depth + 1),
        ])
      : [];
  return Object.fromEntries([...fields, ...free]);
}

function validText(schema: Schema, source: Source, name: string): string {
  const { random, seen } = source;
  const known = random.chance(0.6) ? seen.pick(random, name) : undefined;
  if (known !== undefined && accepts(schema, known)) return known;
  if (schema.format === 'uuid') return random.uuid();
  if (schema.format === 'date-time') return validTime(source);
  if (schema.format === 'date') return validDay(source);
  if (schema.format === 'uri') return random.pick(source.urls);
  return random.pick(textsFor(schema));
}

/** Near the time of the request, in the forms that callers use. */
function validTime({ random, now }: Source): string {
  const time = new Date(now + random.between(-3_000_000, 3_000_000) * random.pick([1, 60, 1000]));
  const text = time.toISOString();
  const offset = random.pick(['+02:00', '-05:30', '']);
  return random.pick([text, text.replace(/\.\d+/, ''), text.replace('Z', offset)]);
}

/** Near the time of the request, or at the ends of what a day can be. */
function validDay({ random, now }: Source): string {
  if (random.chance(0.1)) return random.pick(['0000-01-01', '9999-12-31', '2024-02-29', '2027-01-01']);
  return new Date(now + random.between(-200, 20) * 24 * 3600 * 1000).toISOString().slice(0, 10);
}

const words = Array.from({ length: 12 }, (_, i) => `word-${i}`);
const plainTexts = [
  ...words,
  ...words.map((word) => `${word}@example.com`),
  ...['vip', 'all', 'Größe 💚', 'DE', 'en', 'dhl', '1010', 'JD014600006', '00340434161094042557', '1Z999AA10123456784'],
  ...['event_data.phase', 'context.order.segments', 'a-secret-of-sixteen-letters', '/orders/1?key=2', '#1001', '19.99'],
];

const textsOf = new Map<Schema, string[]>();

/** Texts that a schema accepts. Those of a pattern that no plain text matches come from fast-check, always the same. */
function textsFor(schema: Schema): string[] {
  const known = textsOf.get(schema);
  if (known) return known;
  const { minLength = 0, maxLength = 300, pattern } = schema;
  const longest = 'x'.repeat(Math.min(Math.max(minLength, maxLength), 300));
  const odd = hostileTexts.filter((text) => accepts(schema, text));
  const plain = [...plainTexts, longest, 'y'.repeat(minLength)].filter((text) => accepts(schema, text));
  const texts = [...plain, ...plain, ...odd];
  if (texts.length < 5 && pattern) texts.push(...matching(pattern).filter((text) => accepts(schema, text)));
  if (texts.length === 0) throw new Error(`The fuzz knows no text for ${JSON.stringify(schema)}.`);
  textsOf.set(schema, texts);
  return texts;
}

const matching = (pattern: string) => fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 30 });

export function accepts(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: Schema,
  text: string,
): boolean {
  if (text.length < minLength || text.length > maxLength) return false;
  if (format === 'uuid') return /^[0-9a-f-]{36}$/.test(text);
  if (format === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (format === 'date-time') return /^\d{4}-\d\d-\d\dT/.test(text);
  if (format === 'uri' && !URL.canParse(text)) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(text);
}
