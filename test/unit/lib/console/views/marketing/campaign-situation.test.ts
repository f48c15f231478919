import { describe, expect, test } from 'vitest';
import { warningsOf } from '#lib/console/views/marketing/ab-test-warnings.ts';
import { effectOf, situationOf } from '#lib/console/views/marketing/campaign-situation.ts';

const now = Date.parse('2026-11-17T00:00:00Z');
const [past, future] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'];

describe('a campaign', () => {
  test.each([
    ['active', null, 'running', 'now'],
    ['active', future, 'running', 'nowUntil'],
    ['scheduled', null, 'planned', 'from'],
    ['scheduled', future, 'planned', 'fromUntil'],
    ['paused', null, 'testing', 'testing'],
    ['inactive', past, 'ended', 'ended'],
    ['inactive', future, 'off', 'off'],
    ['inactive', null, 'off', 'off'],
  ] as const)('that the API calls %s with the end %s is %s', (status, end_date, situation, effect) => {
    expect(situationOf({ status, end_date }, now)).toBe(situation);
    expect(effectOf({ status, end_date }, now)).toBe(effect);
  });
});

describe('a planned A/B test', () => {
  const campaign = (uuid: string, changes: object = {}) => ({
    uuid,
    name: uuid,
    segment: 'all',
    enabled: true,
    status: 'active' as const,
    start_date: past,
    end_date: null,
    ...changes,
  });
  const kinds = (test: object, ...campaigns: ReturnType<typeof campaign>[]) =>
    warningsOf({ segment: 'all', campaign_ids: [], start_date: '', end_date: '', ...test }, campaigns, now).map(
      ({ kind, campaign: { uuid } }) => `${uuid} ${kind}`,
    );

  test('says which running campaign it takes away from the segment, and which it only shares', () => {
    const test = { campaign_ids: ['a'] };
    expect(kinds(test, campaign('a'), campaign('b'), campaign('c', { segment: 'vip' }))).toEqual([
      'a shared',
      'b replaced',
    ]);
  });

  test('says that it shows a campaign that is off', () => {
    expect(kinds({ campaign_ids: ['a'] }, campaign('a', { enabled: false, status: 'inactive' }))).toEqual([
      'a disabled',
    ]);
  });

  test('says when a campaign of it is over or has not begun', () => {
    const ended = campaign('a', { end_date: '2026-11-10T00:00:00.000Z' });
    const later = campaign('b', { start_date: future });
    expect(kinds({ campaign_ids: ['a', 'b'] }, ended, later)).toEqual(['a over', 'b notYet']);
  });

  test('says nothing of campaigns that are off, or run at another time', () => {
    const test = { start_date: future, end_date: '2026-12-05T00:00:00.000Z' };
    expect(kinds(test, campaign('a', { end_date: '2026-11-20T00:00:00.000Z' }))).toEqual([]);
    expect(kinds({}, campaign('a', { enabled: false }))).toEqual([]);
  });
});
