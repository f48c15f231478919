import { describe, expect, test } from 'vitest';
import { areBeginnings, customerWords, foldedWords } from '#domain/orders/customer-name.ts';
import { indexKeyOf } from '#platform/table/keys.ts';
import { addressTexts } from '#schemas/catalogues/limits.ts';

describe('a name is compared', () => {
  test.each([
    ['Müller', 'Mueller'],
    ['MÜLLER', 'muller'],
    ['Łukasz Wałęsa', 'lukasz walesa'],
    ['Søren Ångström', 'Soeren Angstrom'],
    ['Großmann', 'Grossmann'],
    ["O'Brien-Smith", 'o brien smith'],
    ['Αθηνά', 'αθηνα'],
    ['  Mara   Lindqvist ', 'mara lindqvist'],
  ])('as the same: %s and %s', (one, other) => {
    expect(foldedWords(one)).toEqual(foldedWords(other));
  });

  test('by its last word and the others', () => {
    expect(customerWords('Anna van der Berg')).toEqual({ last: 'berg', others: ['anna', 'van', 'der'] });
    expect(customerWords('Berg')).toEqual({ last: 'berg', others: [] });
  });

  test('not at all if it has no letter', () => {
    expect(customerWords(' -- # ')).toBeUndefined();
  });
});

test('beginnings belong to different words of a name, in any order', () => {
  expect(areBeginnings(['a'], ['anna', 'maria'])).toBe(true);
  expect(areBeginnings(['maria', 'anna'], ['anna', 'maria'])).toBe(true);
  expect(areBeginnings(['an', 'ann'], ['anna'])).toBe(false);
  expect(areBeginnings([], [])).toBe(true);
});

test('the longest name fits into the keys of an index', () => {
  for (const name of ['𝔊'.repeat(addressTexts.name / 2), '漢 '.repeat(addressTexts.name / 2)]) {
    const keys = indexKeyOf.ordersByCustomer(
      's'.repeat(63),
      customerWords(name)!,
      new Date().toISOString(),
      'u'.repeat(36),
    );
    expect(Buffer.byteLength(keys.name_pk)).toBeLessThan(2048);
    expect(Buffer.byteLength(keys.name_sk)).toBeLessThan(1024);
  }
});
