import { expect, test } from 'vitest';
import { StandIns } from '#test/e2e/examples/stand-ins.ts';

/** The comparison of answers with examples must see every difference but those that cannot be avoided. */

const id = '01a1e395-cb4a-70d5-8d55-391e92634a01';
const real = '0199aaaa-0000-7000-8000-000000000001';
const other = '0199aaaa-0000-7000-8000-000000000002';
const given = '2026-11-16T08:00:00Z';
const day = 86_400_000;

const example = {
  id,
  name: 'One',
  at: given,
  created_at: '2026-11-16T09:00:07.370Z',
  parts: [{ id }],
  duration_ms: 84,
};
const answer = {
  id: real,
  name: 'One',
  at: '2026-11-17T08:00:00Z',
  created_at: '2027-01-01T00:00:00.000Z',
  parts: [{ id: real }],
  duration_ms: 7,
};

const standIns = () => new StandIns([id], { at: given }, day);
const translated = (value: unknown) => standIns().toExample(value, example).value;

test('an answer equals its example but for ids, durations and times of the service', () => {
  expect(translated(answer)).toEqual(example);
});

test.each([
  ['another value', { ...answer, name: 'Two' }],
  ['another time than the given one', { ...answer, at: '2026-11-17T08:00:01Z' }],
  ['no time', { ...answer, created_at: 'yesterday' }],
  ['an additional field', { ...answer, more: null }],
  ['a field less', { ...answer, name: undefined }],
  ['null', { ...answer, id: null }],
  ['an element more', { ...answer, parts: [{ id: real }, { id: real }] }],
  ['an id of another form', { ...answer, id: 'one', parts: [{ id: 'one' }] }],
  ['two ids where the example has one', { ...answer, parts: [{ id: other }] }],
])('an answer with %s differs from its example', (_what, value) => {
  expect(translated(value)).not.toEqual(example);
});

test('an id that was learned is sent in later requests, also within a text, and times are moved', () => {
  const known = standIns();
  known.toExample(answer, example).keep();
  expect(known.toReal({ path: `/things/${id}`, at: given })).toEqual({
    path: `/things/${real}`,
    at: '2026-11-17T08:00:00Z',
  });
});

test('a comparison that failed teaches nothing', () => {
  const known = standIns();
  known.toExample(answer, example);
  expect(() => known.realOf(id)).toThrow('Nothing stands for');
});

test('a signed link differs in its host and its signature alone', () => {
  const shown = 'https://images.example.com/private/a.jpg?X-Amz-Date=1&X-Amz-Signature=1';
  const link = (text: string) => standIns().toExample(text, shown).value;
  expect(link('http://127.0.0.1:9/bucket/private/a.jpg?X-Amz-Date=2&X-Amz-Signature=2')).toBe(shown);
  expect(link('http://127.0.0.1:9/bucket/private/b.jpg?X-Amz-Date=2&X-Amz-Signature=2')).not.toBe(shown);
  expect(link('http://127.0.0.1:9/bucket/private/a.jpg?X-Amz-Signature=2')).not.toBe(shown);
});
