import { describe, expect, test } from 'vitest';
import {
  addCounts,
  type Declared,
  each,
  either,
  erased,
  kept,
  personal,
  personalFields,
  personalPaths,
} from '#platform/personal-data.ts';

interface Letter {
  number: string;
  to?: string;
  note: string | null;
  pages: { text: string; page: number }[];
  stamp?: { price: number; picture?: string } | null;
  changes: { field: string; from: string }[];
}

const letterData: Declared<Letter> = {
  number: kept,
  to: personal('name'),
  note: personal('note', null),
  pages: each<Letter['pages'][number]>({ text: personal('free_text', ''), page: kept }),
  stamp: { price: kept, picture: personal('image') },
  changes: each(
    either<Letter['changes'][number]>(
      ({ field }) => field === 'text',
      { field: kept, from: personal('free_text', '') },
      { field: kept, from: kept },
    ),
  ),
};

const letter: Letter = {
  number: '7',
  to: 'Erika',
  note: 'for Erika',
  pages: [
    { text: 'Dear Erika', page: 1 },
    { text: '', page: 2 },
  ],
  stamp: { price: 85, picture: 'https://images.example/erika' },
  changes: [
    { field: 'text', from: 'Dear Erik' },
    { field: 'price', from: '80' },
  ],
};

describe('what is personal', () => {
  test('goes, and what is kept stays', () => {
    expect(erased(letterData, letter)).toEqual({
      number: '7',
      note: null,
      pages: [
        { text: '', page: 1 },
        { text: '', page: 2 },
      ],
      stamp: { price: 85 },
      changes: [
        { field: 'text', from: '' },
        { field: 'price', from: '80' },
      ],
    });
  });

  test('goes once: a second erasure changes nothing', () => {
    const once = erased(letterData, letter);
    expect(erased(letterData, once)).toEqual(once);
  });

  test('is found where it is set', () => {
    expect(personalPaths(letterData, letter)).toEqual([
      'to',
      'note',
      'pages.0.text',
      'stamp.picture',
      'changes.0.from',
    ]);
    expect(personalPaths(letterData, erased(letterData, letter))).toEqual([]);
    expect(personalPaths(letterData, { to: '', note: null, stamp: null })).toEqual([]);
  });

  test('is also what no declaration knows', () => {
    const older = { ...letter, sender: 'Max' } as Letter;
    expect(erased(letterData, older)).not.toHaveProperty('sender');
    expect(personalPaths(letterData, older)).toContain('sender');
  });

  test('is listed by field', () => {
    expect(personalFields(letterData).map(({ field }) => field)).toEqual([
      'to',
      'note',
      'pages.text',
      'stamp.picture',
      'changes.from',
    ]);
  });
});

test('a field without a word does not compile', () => {
  // @ts-expect-error: `b` has no word
  const incomplete: Declared<{ a: string; b: string }> = { a: kept };
  // @ts-expect-error: a text that is required cannot be left out
  const left: Declared<{ a: string }> = { a: personal('name') };
  expect([incomplete, left]).toHaveLength(2);
});

test('counts of several orders are added by store', () => {
  const one = { found: 2, erased: 1, kept: 1 };
  expect(addCounts({ orders: one }, { orders: one, claims: one }, {})).toEqual({
    orders: { found: 4, erased: 2, kept: 2 },
    claims: one,
  });
});
