import { expect, test } from 'vitest';
import { chooseLanguage } from '#platform/http/negotiation.ts';

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-at', 'de'],
  ['de_DE', 'de'],
  ['ja_JP, fr_CA;q=0.8, de_AT;q=0.9', 'de'],
  ['ja, fr;q=0.8, de;q=0.9', 'de'],
  ['el', 'gr'],
  ['gr', 'gr'],
  ['el-GR', 'gr'],
  ['*', 'pl'],
  ['ja', 'pl'],
  ['', 'pl'],
  [';;;q=,,', 'pl'],
  ['fr;q=0', 'pl'],
  [undefined, 'pl'],
  ['xx, *;q=0.5', 'pl'],
  ['*;q=0.5', 'pl'],
  [' * ', 'pl'],
  ['*;q=0', 'pl'],
  ['*, de;q=0.9', 'pl'],
  ['de;q=0.3, *;q=0.8', 'pl'],
  ['de, *;q=0.5', 'de'],
  ['de;q=0.5, *;q=0.5', 'de'],
  ['ja, de-CH;q=0.7, *;q=0.1', 'de'],
  ['ja-JP, el;q=0.4, *;q=0.2', 'gr'],
  ['pl;q=0, *', 'en'],
  ['pl;q=0.1, *;q=0.5', 'en'],
  ['pl;q=0, en;q=0, *;q=0.5', 'cs'],
])('Accept-Language %j in a Polish shop means %s', (header, language) => {
  expect(chooseLanguage(header, 'pl')).toBe(language);
});

test('a wildcard means English if there is no shop, and Greek in a Greek shop', () => {
  expect(chooseLanguage('xx, *;q=0.5', undefined)).toBe('en');
  expect(chooseLanguage('xx, *;q=0.5', 'gr')).toBe('gr');
});

test('English is the default when nothing else matches', () => {
  expect(chooseLanguage('ja', null)).toBe('en');
  expect(chooseLanguage(undefined, 'xx')).toBe('en');
});
