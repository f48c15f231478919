import { expect, test } from 'vitest';
import { countryName, placeName } from '#lib/console/ui/countries.ts';

test('a country has its name in the language of the reader', () => {
  expect(countryName('NL', 'en')).toBe('Netherlands');
  expect(countryName('nl', 'de')).toBe('Niederlande');
});

test('what is no code of a country is shown as it is', () => {
  for (const code of ['', 'NLD', '12', 'Nederland']) expect(countryName(code, 'en')).toBe(code);
});

test('a place is shown with the name of its country, and without a code as the carrier wrote it', () => {
  expect(placeName('Amsterdam, NL', 'NL', 'de')).toBe('Amsterdam, Niederlande');
  expect(placeName('NL', 'NL', 'en')).toBe('Netherlands');
  expect(placeName('Los Angeles, CA', undefined, 'en')).toBe('Los Angeles, CA');
});
