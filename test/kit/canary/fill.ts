import type { Schema } from '#test/fuzz/valid-values.ts';
import { accepts } from '#test/fuzz/valid-values.ts';
import type { Words } from './words.ts';

/** By the way to the field, `*` for an element: what it gets instead of a word. `omitted` leaves it out. */
export type Given = Readonly<Record<string, unknown>>;
export const omitted = Symbol('omitted');

/** A value with every field that the schema knows, and with a word in every text that takes one. */
export function filled(schema: Schema, words: Words, operation: string, given: Given = {}): unknown {
  const used = new Set<string>();
  const value = fill(schema, [], { words, operation, given, used });
  const unknown = Object.keys(given).filter((path) => !used.has(path));
  if (unknown.length > 0) throw new Error(`${operation} has no ${unknown.join(', ')}.`);
  return value;
}

interface Filling {
  words: Words;
  operation: string;
  given: Given;
  used: Set<string>;
}

function fill(schema: Schema, path: string[], filling: Filling): unknown {
  const way = path.join('.');
  if (Object.hasOwn(filling.given, way)) {
    filling.used.add(way);
    return filling.given[way];
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.find((one) => one !== null);
  if (schema.anyOf) return fill(schema.anyOf.find((one) => one.type !== 'null')!, path, filling);
  switch (typeOf(schema)) {
    case 'string':
      return text(schema, way, filling);
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return [fill(schema.items ?? {}, [...path, '*'], filling)];
    default:
      return object(schema, path, filling);
  }
}

const typeOf = ({ type = 'object' }: Schema): string =>
  Array.isArray(type) ? (type.find((one) => one !== 'null') ?? 'null') : type;

function object(schema: Schema, path: string[], filling: Filling): object {
  const { properties = {}, additionalProperties: others } = schema;
  const fields = Object.entries(properties).map(([name, field]) => [name, fill(field, [...path, name], filling)]);
  if (typeof others === 'object') {
    const name = filling.words.at(`${filling.operation} ${[...path, '(name)'].join('.')}`);
    fields.push([name, fill(others, [...path, '*'], filling)]);
  }
  return Object.fromEntries(fields.filter(([, value]) => value !== omitted));
}

/** Fields whose texts the rules know, although the schema takes any. */
const choices: Readonly<Record<string, string>> = { carrier_reference: 'dhl', timezone: 'Europe/Berlin' };

/** Nobody is told of what happened long ago. */
export const hourAgo = new Date(Date.now() - 3_600_000).toISOString();

function text(schema: Schema, way: string, { words, operation }: Filling): string {
  if (schema.format === 'date-time') return hourAgo;
  const choice = choices[way.split('.').at(-1)!];
  if (choice !== undefined) return choice;
  const word = words.at(`${operation} ${way}`);
  const forms = [word, `https://canary.example/${word}`, 'EUR', '7.25'];
  const form = forms.find((one) => accepts(schema, one));
  if (form === undefined) throw new Error(`No word fits ${operation} ${way}: ${JSON.stringify(schema)}`);
  return form;
}
