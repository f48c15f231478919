import { describe, expect, test } from 'vitest';
import {
  areBeginnings,
  customerWords,
  foldedWords,
  listedName,
  nameEntries,
  plainWords,
} from '#domain/orders/customer-name.ts';
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

describe('a name that is found by its beginnings', () => {
  const words = (name: string) => plainWords(name).map(({ text }) => text);

  test.each([
    ['Yılmaz', 'Yilmaz'],
    ['İbrahim', 'ibrahim'],
    ['IŞIK', 'isik'],
    ['Þórður', 'thordur'],
    ['Ħoŋor', 'honor'],
    ['Əliyev', 'eliyev'],
    ['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'],
    ["O'Brien", 'obrien'],
    ['Müller-Lüdenscheidt', 'Muellerluedenscheidt'],
    ['Fischer, Rosa', 'fischer rosa'],
    ['Zoe\u0308', 'Zoë'],
  ])('is the same in two spellings: %s and %s', (one, other) => {
    expect(words(one)).toEqual(words(other));
  });

  test('has an entry for its last word and one for its first, with the other words', () => {
    const order = { uuid: 'u', order_placed_at: '2026-11-01T00:00:00.000Z' };
    const of = (name: string) => nameEntries('blue', { ...order, listed_name: listedName(name)! });
    expect(of('Anna van der Berg')).toEqual({
      ofLast: { name_pk: 'CUSTOMERWORD#blue#be', name_sk: 'berg#2026-11-01T00:00:00.000Z#u#anna van der' },
      ofFirst: { name_pk: 'CUSTOMERWORD#blue#an', name_sk: 'anna#2026-11-01T00:00:00.000Z#u#van der berg' },
    });
    expect(of('Li').ofFirst).toEqual({});
    expect(of('Ali Ali').ofFirst).toEqual({});
    expect(nameEntries('blue', order)).toEqual({ ofLast: {}, ofFirst: {} });
    expect(listedName(' -- # ')).toBeUndefined();
  });

  test('fits into the keys of an index, however long it is', () => {
    for (const name of ['𝔊'.repeat(addressTexts.name / 2), '漢字漢字'.repeat(9).concat(' ').repeat(7)]) {
      const order = { uuid: 'u'.repeat(36), order_placed_at: new Date().toISOString(), listed_name: listedName(name)! };
      const { ofLast } = nameEntries('s'.repeat(63), order) as { ofLast: Record<string, string> };
      expect(Buffer.byteLength(ofLast.name_sk!)).toBeLessThan(1024);
    }
  });
});
