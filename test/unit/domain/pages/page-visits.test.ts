import { expect, test } from 'vitest';
import { recordView, withView } from '#domain/pages/page-visits.ts';
import { keyOf } from '#platform/table/keys.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import { memoryTable } from '#test/kit/memory-table.ts';

const minute = 60_000;
const start = Date.parse('2026-11-14T12:00:00.000Z');
const at = (minutes: number) => new Date(start + minutes * minute);
const text = (minutes: number) => at(minutes).toISOString();

test('the first view is a visit', () => {
  expect(withView([], at(0))).toEqual([text(0)]);
});

test('views that follow each other are one visit', () => {
  expect(withView([text(0)], at(pageLimits.visitMinutes - 1))).toBeUndefined();
  expect(withView([text(0)], at(pageLimits.visitMinutes))).toEqual([text(0), text(pageLimits.visitMinutes)]);
});

test('an order keeps the newest visits', () => {
  const many = Array.from({ length: pageLimits.visits }, (_, i) => text(i * 60));
  const after = withView(many, at(10_000))!;
  expect(after).toHaveLength(pageLimits.visits);
  expect([after[0], after.at(-1)]).toEqual([many[1], text(10_000)]);
});

test('a view that knows older visits than the table removes none', async () => {
  memoryTable.renew();
  const token = 'page-of-an-order';
  await recordView({ token, slug: 'blue', visits: [] }, 'de', at(0));
  await recordView({ token, slug: 'blue', visits: [text(0)] }, 'de', at(60));
  await recordView({ token, slug: 'blue', visits: [] }, 'de', at(61));
  await recordView({ token, slug: 'blue', visits: [text(0)] }, 'de', at(61));
  expect(memoryTable.read(keyOf.pageVisits(token))?.visits).toEqual([text(0), text(60)]);
});

test('the language of the last visit is kept, also if it changes within the visit', async () => {
  memoryTable.renew();
  const token = 'page-of-an-order';
  const kept = () => memoryTable.read(keyOf.pageVisits(token));
  await recordView({ token, slug: 'blue', visits: [] }, 'de', at(0));
  expect(kept()).toMatchObject({ visits: [text(0)], language: 'de' });
  await recordView({ token, slug: 'blue', visits: [text(0)], language: 'de' }, 'fr', at(1));
  expect(kept()).toMatchObject({ visits: [text(0)], language: 'fr' });
  await recordView({ token, slug: 'blue', visits: [text(0)], language: 'fr' }, 'sv', at(60));
  expect(kept()).toMatchObject({ visits: [text(0), text(60)], language: 'sv' });
});

test('a visit without a language, which the release before recorded, costs no further write', async () => {
  memoryTable.renew();
  const token = 'page-of-an-order';
  await recordView({ token, slug: 'blue', visits: [] }, 'de', at(0));
  await recordView({ token, slug: 'blue', visits: [text(0)] }, 'fr', at(1));
  expect(memoryTable.read(keyOf.pageVisits(token))).toMatchObject({ language: 'de' });
});
