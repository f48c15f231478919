import { expect, test } from 'vitest';
import { mailLanguage } from '#domain/emails/mail-language.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';

test('the language of the last visit comes first', () => {
  expect(mailLanguage({ visited: 'fi', country: 'DE', shop: 'en' })).toBe('fi');
});

test.each([
  ['de-DE', 'de'],
  ['fr_FR', 'fr'],
  ['it', 'it'],
  ['EL-gr', 'gr'],
  ['nb-NO', 'es'],
  ['', 'es'],
  ['dex', 'es'],
  [7, 'es'],
  [null, 'es'],
  [undefined, 'es'],
])('without a visit, the language of the order comes before the country: %j', (ordered, language) => {
  expect(mailLanguage({ visited: null, ordered, country: 'ES', shop: 'hu' })).toBe(language);
  expect(mailLanguage({ visited: 'fi', ordered, country: 'ES', shop: 'hu' })).toBe('fi');
});

test.each([
  ['DE', 'de'],
  ['at', 'de'],
  [' GB ', 'en'],
  ['IE', 'en'],
  ['GR', 'gr'],
  ['CY', 'gr'],
  ['CZ', 'cs'],
  ['BR', 'pt'],
  ['FI', 'fi'],
  ['AX', 'sv'],
])('without a visit, a customer in %j reads %s', (country, language) => {
  expect(mailLanguage({ visited: null, country, shop: 'hu' })).toBe(language);
});

test.each(['BE', 'CH', 'LU', 'CA', 'NO', 'RO', 'XX', 'Germany', '', null, undefined])(
  'a country with several of our languages, or with none, says nothing: %j',
  (country) => {
    expect(mailLanguage({ visited: undefined, country, shop: 'hu' })).toBe('hu');
  },
);

test('a shop without a language writes English', () => {
  expect(mailLanguage({ visited: null, country: null, shop: null })).toBe('en');
});

test('every language is that of a country', () => {
  const codes = Array.from({ length: 26 * 26 }, (_, i) => String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26)));
  const found = new Set(codes.map((country) => mailLanguage({ visited: null, country, shop: null })));
  expect([...found].sort()).toEqual([...languages].sort());
});
