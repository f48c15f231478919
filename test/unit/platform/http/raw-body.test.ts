import { expect, test } from 'vitest';
import { parseRaw } from '#platform/http/body.ts';

const parse = (text: string) => parseRaw(Buffer.from(text));

test.each(['', '{', '{"a":1', 'webhook_id=1', 'undefined'])('%j is no JSON', (text) => {
  expect(parse(text)).toBeUndefined();
});

test('a body is read as it is', () => {
  expect(parse('{"a":[1,"\u00e4ü",null]}')).toEqual({ a: [1, 'äü', null] });
});

test('half a character is replaced', () => {
  expect(parse('{"a":"x\\ud83d","b":["\\udc00y","\\ud83d\\ude00"]}')).toEqual({
    a: 'x\ufffd',
    b: ['\ufffdy', '\u{1f600}'],
  });
});

test('a name that would change a prototype is left out, and the rest is read', () => {
  const value = parse('{"__proto__":{"x":1},"a":{"constructor":{"prototype":{}},"b":1}}') as { a: object };
  expect(Object.keys(value)).toEqual(['a']);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value.a)).toEqual(['b']);
});

test('lists within each other without end are no JSON', () => {
  expect(() => parse(`${'['.repeat(1_000_000)}"\\u0041"`)).not.toThrow();
});
