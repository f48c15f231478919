import { expect, test } from 'vitest';
import { chooseLanguage } from '#platform/http/negotiation.ts';

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-at', 'de'],
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
])('Accept-Language %j in a Polish shop means %s', (header, language) => {
  expect(chooseLanguage(header, 'pl')).toBe(language);
});

test('English is the default when nothing else matches', () => {
  expect(chooseLanguage('ja', null)).toBe('en');
  expect(chooseLanguage(undefined, 'xx')).toBe('en');
});
