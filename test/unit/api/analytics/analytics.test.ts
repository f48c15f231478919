import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/analytics/handler.ts';
import { counterOfRange, rangeOf } from '#domain/figures/durations.ts';
import { keyOf } from '#platform/table/keys.ts';
import { figuresLimits } from '#schemas/catalogues/limits.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, keyFor, operator, shopItem, tableWith } from '#test/kit/table.ts';

const dayMs = 24 * 3600 * 1000;
const now = new Date();
const day = (daysAgo: number) => new Date(now.getTime() - daysAgo * dayMs).toISOString().slice(0, 10);
const viewer = keyFor('blue', 'viewer');
const asViewer = basic('blue', viewer.secret);

beforeEach(() => tableWith(operator.item, viewer.item, shopItem('blue'), shopItem('red')));

const get = (name: string, query: Record<string, string> = {}, headers: Record<string, string> = asOperator) =>
  invoke(handler, {
    method: 'GET',
    resource: `/v1/shops/{slug}/analytics/${name}`,
    params: { slug: 'blue' },
    headers,
    query,
  });

const lane = (daysAgo: number, carrier = 'dhl', country = 'DE') => ({ day: day(daysAgo), carrier, country });
const deliveredAfter = (hours: number) => counterOfRange(rangeOf(hours));

describe('delivery times', () => {
  test('of a shop without parcels are empty', async () => {
    expect(await get('delivery-times')).toMatchObject({ status: 200, body: [] });
  });

  test('are those of the last ninety days by carrier', async () => {
    memoryTable.put(
      { ...keyOf.dayCounts('blue', day(0)), 's#gls#AT': 1 },
      { ...keyOf.dayCounts('blue', day(89)), 's#dhl#DE': 10, 's#dhl#AT': 2 },
      { ...keyOf.dayCounts('blue', day(90)), 's#dhl#DE': 99 },
      { ...keyOf.dayCounts('red', day(5)), 's#dhl#DE': 99 },
      { ...keyOf.cohortCounts('blue', lane(89)), [deliveredAfter(24)]: 8, x: 1, a: 9, f: 6, p: 5, k: 4, c: 3, g1: 8 },
      { ...keyOf.ratingCounts('blue', lane(89)), n: 2, sum: 9 },
    );
    const { body } = await get('delivery-times', {}, asViewer);
    expect(body).toMatchObject([
      { carrier_reference: 'dhl', country: null, week: null, shipped: 12, delivered: 8, under_way: 3, claims: 3 },
      { carrier_reference: 'gls', shipped: 1, delivered: 0, median_hours: null },
    ]);
    expect(body[0]).toMatchObject({ median_hours: 26.3, first_attempt_rate: 0.6667, rating: { n: 2, mean: 4.5 } });
  });

  test('of days in the future are empty', async () => {
    expect((await get('delivery-times', { from: day(-1), to: day(-3), by: 'week' })).body).toEqual([]);
  });

  test('of a young week go on as the weeks before it, which are not asked for', async () => {
    const weeks = [7, 14, 21].map((ago) => [
      { ...keyOf.dayCounts('blue', day(ago)), 's#dhl#DE': 100 },
      { ...keyOf.cohortCounts('blue', lane(ago)), [deliveredAfter(72)]: 100 },
    ]);
    memoryTable.put(...weeks.flat(), { ...keyOf.dayCounts('blue', day(0)), 's#dhl#DE': 10 });
    const { body } = await get('delivery-times', { from: day(0), by: 'week' });
    expect(body).toMatchObject([{ shipped: 10, under_way: 10, median_hours: 73.5 }]);
  });

  test.each([
    [{ from: '2026-02-02', to: '2026-02-01' }, 'must not be after to, which is 2026-02-01'],
    [{ from: '2025-01-01', to: '2026-02-01' }, 'must be at most 366 days before the end of 2026-02-01'],
    [{ from: '2026-02-30' }, 'must be a valid date'],
    [{ from: '2026-02-01T00:00:00Z' }, 'must be a valid date'],
  ])('are refused for the days %j', async (query, msg) => {
    for (const name of ['delivery-times', 'overview', 'arrival-calibration']) {
      const { status, body } = await get(name, query, { ...asOperator, Accept: 'text/csv' });
      expect([status, body.errors]).toEqual([422, [{ loc: ['query', 'from'], msg, type: 'value_error' }]]);
    }
  });

  test.each(['', 'carrier,', 'weeks', 'carrier;country', 'carrier,country,week,month', 'Carrier'])(
    'are not divided by %j',
    async (by) => {
      const { status, body } = await get('delivery-times', { by });
      expect([status, body.errors[0].loc]).toEqual([422, ['query', 'by']]);
    },
  );

  test('are refused if there are too many to read at once', async () => {
    const text = 'x'.repeat(390_000);
    const perRead = 2;
    const items = Array.from({ length: (figuresLimits.furtherReads + 2) * perRead }, (_, i) => {
      const country = String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26));
      return { ...keyOf.cohortCounts('blue', lane(3, 'dhl', country)), text };
    });
    memoryTable.put(...items);
    for (const name of ['delivery-times', 'arrival-calibration']) {
      const { status, body } = await get(name, { from: day(3) });
      expect([status, body.errors[0]]).toEqual([
        422,
        {
          loc: ['query', 'from'],
          msg: 'finds too many figures to read at once: ask for fewer days',
          type: 'value_error',
        },
      ]);
    }
  });

  test('are CSV for who asks for it', async () => {
    memoryTable.put({ ...keyOf.dayCounts('blue', day(0)), 's#dhl#DE': 1 });
    const { headers, body } = await get('delivery-times', { by: 'country' }, { ...asViewer, Accept: 'text/csv' });
    expect(headers['Content-Type']).toBe('text/csv; charset=utf-8; header=present');
    expect(body.split('\r\n')).toEqual([
      'carrier_reference,country,week,shipped,delivered,ended_otherwise,under_way,median_hours,p90_hours,first_attempt_rate,promised_n,promised_kept,claims,rating_n,rating_mean,definition',
      ',DE,,1,0,0,1,,,,0,0,0,0,,1',
      '',
    ]);
  });
});

describe('an overview', () => {
  test('has every day, oldest first, each with what happened on it', async () => {
    memoryTable.put(
      { ...keyOf.dayCounts('blue', day(1)), orders: 4, 's#dhl#DE': 2, 's#-#-': 1, delivered: 5, claims: 1 },
      {
        ...keyOf.dayCounts('blue', day(2)),
        pages_opened: 7,
        mails_sent: 6,
        promotions_shown: 5,
        promotions_clicked: 4,
      },
      { ...keyOf.dayCounts('blue', day(3)), orders: 99 },
    );
    const { body } = await get('overview', { from: day(2) }, asViewer);
    const nothing = { orders: 0, shipped: 0, delivered: 0, claims: 0 };
    const unseen = { pages_opened: 0, mails_sent: 0, promotions_shown: 0, promotions_clicked: 0 };
    expect(body).toEqual([
      { day: day(2), ...nothing, pages_opened: 7, mails_sent: 6, promotions_shown: 5, promotions_clicked: 4 },
      { day: day(1), orders: 4, shipped: 3, delivered: 5, claims: 1, ...unseen },
      { day: day(0), ...nothing, ...unseen },
    ]);
  });

  test('has ninety days by default', async () => {
    const { body } = await get('overview');
    expect([body.length, body[0].day, body.at(-1).day]).toEqual([90, day(89), day(0)]);
  });
});

describe('the calibration of arrivals', () => {
  test('of a shop without windows is empty', async () => {
    memoryTable.put({ ...keyOf.cohortCounts('blue', lane(3)), [deliveredAfter(24)]: 8 });
    expect(await get('arrival-calibration')).toMatchObject({ status: 200, body: [] });
  });

  test('is that of the last ninety days, by week, carrier and who said it', async () => {
    memoryTable.put(
      { ...keyOf.dayCounts('blue', day(89)), 's#dhl#DE': 50, 's#dhl#AT': 3 },
      { ...keyOf.cohortCounts('blue', lane(89)), [deliveredAfter(24)]: 45, x: 1, pn: 40, pc: 36, pw: 110, q3: 9 },
      {
        ...keyOf.cohortCounts('blue', lane(89, 'dhl', 'AT')),
        [deliveredAfter(24)]: 2,
        p: 2,
        k: 2,
        cn: 2,
        cc: 1,
        cw: 41,
      },
      { ...keyOf.cohortCounts('blue', lane(90)), pn: 99, pc: 99, pw: 99 },
      { ...keyOf.cohortCounts('red', lane(89)), pn: 99, pc: 99, pw: 99 },
    );
    const { body } = await get('arrival-calibration', {}, asViewer);
    const shared = { week: expect.stringMatching(/^\d{4}-W\d\d$/), carrier_reference: 'dhl', under_way: 5 };
    expect(body).toEqual([
      { ...shared, source: 'prediction', level: 0.9, n: 40, covered: 0.9, mean_width_hours: 66 },
      { ...shared, source: 'carrier', level: null, n: 2, covered: 0.5, mean_width_hours: 20.5 },
    ]);
  });

  test('is CSV for who asks for it', async () => {
    memoryTable.put({
      ...keyOf.cohortCounts('blue', { ...lane(0, '-'), day: '2026-02-04' }),
      p: 1,
      cn: 1,
      cc: 1,
      cw: 30,
    });
    const query = { from: '2026-02-01', to: '2026-02-28' };
    const { headers, body } = await get('arrival-calibration', query, { ...asViewer, Accept: 'text/csv' });
    expect(headers['Content-Type']).toBe('text/csv; charset=utf-8; header=present');
    expect(body).toBe(
      'week,source,carrier_reference,level,n,covered,mean_width_hours,under_way\r\n2026-W06,carrier,,,1,1,30,0\r\n',
    );
  });
});

test('figures need a role in the shop', async () => {
  for (const name of ['delivery-times', 'overview', 'arrival-calibration']) {
    expect((await get(name, {}, {})).status).toBe(400);
    const { status } = await invoke(handler, {
      method: 'GET',
      resource: `/v1/shops/{slug}/analytics/${name}`,
      params: { slug: 'red' },
      headers: asViewer,
    });
    expect(status).toBe(403);
  }
});
