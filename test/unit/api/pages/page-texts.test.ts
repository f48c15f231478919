import { expect, test } from 'vitest';
import { loadPageTexts } from '#api/pages/texts/page-texts.ts';
import { claimReasons, claimStatuses, resolutionPreferences } from '#schemas/catalogues/enumerations.ts';

const texts = await loadPageTexts('en');

/** Every text with its place. */
const textsIn = (value: unknown, place = ''): [string, string][] =>
  typeof value === 'string'
    ? [[place, value]]
    : Object.entries(value as object).flatMap(([name, inner]) => textsIn(inner, place ? `${place}.${name}` : name));

test('the texts of the pages name every reason, status and preference of a claim', () => {
  expect(Object.keys(texts.reasons).sort()).toEqual([...claimReasons].sort());
  expect(Object.keys(texts.claims.statuses).sort()).toEqual([...claimStatuses].sort());
  expect(Object.keys(texts.claims.next).sort()).toEqual([...claimStatuses].sort());
  expect(Object.keys(texts.resolutions).sort()).toEqual([...resolutionPreferences].sort());
});

test('the texts of the pages have no exclamation mark, no padding and no markup', () => {
  const wrong = textsIn(texts).filter(([, text]) => text === '' || text !== text.trim() || /[!<>&_]| {2}/.test(text));
  expect(wrong).toEqual([]);
});
