import type { Ajv, Code, KeywordCxt } from 'ajv';
import { _ } from 'ajv';
import { replaceCode } from './replace-code.ts';

/**
 * Callers write times, booleans and amounts in more ways than JSON Schema knows. The validators replace them with the
 * usual form before they check it, so no function sees the others.
 */

/** A date-time without an offset is UTC. In a filter (`day`), a date alone means the start or the end of that day. */
export function addDateTimes(ajv: Ajv): void {
  ajv.addKeyword('day');
  replaceCode(ajv, 'format', (checkFormat) => (part, ruleType) => {
    if (part.schema === 'date-time' && ruleType === 'string') completeDateTime(part);
    checkFormat(part, ruleType);
  });
}

const timesOfDay = { start: 'T00:00:00.000Z', end: 'T23:59:59.999Z' };

function completeDateTime(part: KeywordCxt): void {
  const { gen, data, parentSchema } = part;
  const { day } = parentSchema as { day?: keyof typeof timesOfDay };
  const hasNoOffset = _`/^[0-9-]{10}[t\\s][0-9]{2}:[0-9]{2}:[0-9.]+$/i.test(${data})`;
  gen.if(hasNoOffset, () => replaceData(part, _`${data} + "Z"`));
  if (day) gen.if(_`/^[0-9-]{10}$/.test(${data})`, () => replaceData(part, _`${data} + ${timesOfDay[day]}`));
}

/** `data` is a copy of the value in its object. */
function replaceData({ gen, data, it }: KeywordCxt, value: Code): void {
  gen.assign(data, value);
  gen.assign(_`${it.parentData}[${it.parentDataProperty}]`, data);
}

/** `True`, `FALSE`, `1` and `0` in a query are booleans. ajv itself converts `true` and `false`. */
export function addBooleanTexts(ajv: Ajv): void {
  replaceCode(ajv, 'properties', (checkProperties) => (part, ruleType) => {
    const fields = Object.entries(part.schema as Record<string, { type?: unknown }>);
    for (const [name, { type }] of fields) if (type === 'boolean') unifyBoolean(part, name);
    checkProperties(part, ruleType);
  });
}

/** Some shops write an amount as a number, where the contract has a text. */
export function addNumbersAsTexts(ajv: Ajv): void {
  ajv.addKeyword('numberAsText');
  replaceCode(ajv, 'properties', (checkProperties) => (part, ruleType) => {
    const fields = Object.entries(part.schema as Record<string, { numberAsText?: true }>);
    for (const [name, { numberAsText }] of fields) if (numberAsText) writeAsText(part, name);
    checkProperties(part, ruleType);
  });
}

/** JSON cannot write what is not finite: it comes from a number that is too large. */
function writeAsText({ gen, data }: KeywordCxt, name: string): void {
  const value = _`${data}[${name}]`;
  gen.if(_`Number.isFinite(${value})`, () => gen.assign(value, _`String(${value})`));
}

function unifyBoolean({ gen, data }: KeywordCxt, name: string): void {
  const value = _`${data}[${name}]`;
  const word = _`${value} === "1" ? "true" : ${value} === "0" ? "false" : ${value}.toLowerCase()`;
  gen.if(_`typeof ${value} === "string"`, () => gen.assign(value, word));
}
