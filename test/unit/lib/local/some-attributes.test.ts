import { expect, test } from 'vitest';
import { someAttributes } from '#lib/local/dynamodb/some-attributes.ts';

const names = new Set(['pk', 'h1', 'text']);

test('the named attributes of an item are read, and no others', () => {
  const item = { pk: { S: 'a' }, h1: { N: '12' }, h2: { N: '3' }, data: { B: 'AA==' } };
  expect(someAttributes(JSON.stringify(item), names)).toEqual({ pk: { S: 'a' }, h1: { N: '12' } });
});

test.each<[string, object]>([
  ['has quotes', { text: { S: 'say "x" {"N":"1"} "},' } }],
  ['ends with a backslash', { text: { S: 'C:\\' }, h1: { N: '1' } }],
  ['has quotes in a value that is not asked for', { other: { S: '"},"h1":{"N":"9"}' }, h1: { N: '1' } }],
  ['has a map with the same name', { other: { M: { h1: { N: '9' } } }, h1: { N: '1' } }],
  ['has a list', { other: { L: [{ N: '1' }] }, h1: { N: '1' } }],
  ['has a set', { other: { SS: ['h1', 'x'] }, h1: { N: '1' } }],
  ['has a boolean', { other: { BOOL: true }, h1: { N: '1' } }],
  ['has an empty text', { text: { S: '' }, h1: { N: '1' } }],
  ['has a name with quotes', { 'a"b': { S: 'x' }, h1: { N: '1' } }],
  ['has nothing', {}],
])('of an item that %s the same is read as JSON has', (_, item) => {
  const asked = Object.entries(item).filter(([name]) => names.has(name));
  expect(someAttributes(JSON.stringify(item), names)).toEqual(Object.fromEntries(asked));
});
