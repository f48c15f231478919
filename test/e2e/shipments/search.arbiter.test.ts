import { beforeAll, describe, expect, test } from 'vitest';
import type { ShipmentRecord } from '#schemas/shapes/order-shapes.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, expectDone, type Merchant, newMerchant, type Query, trackingsOf } from '#test/e2e/kit/orders.ts';

let shop: Merchant;
let all: ShipmentRecord[];

/** Three orders one after the other, with eleven shipments; then the oldest parcel gets an event. */
beforeAll(async () => {
  shop = await newMerchant();
  await shop.order(
    { order_number: 'a', expected_number_of_shipments: 3, email_id: 'a@x.org' },
    trackingsOf('a1', 'a2'),
  );
  await shop.order({ order_number: 'b', expected_number_of_shipments: 5 });
  await shop.order({ order_number: 'c', address: { zip_code: '1010' } }, trackingsOf('c1', 'c2', 'c3'));
  accepted(await shop.call('POST', '/shipment-events', { body: { id: 'a1', event_name: 'IN_DELIVERY' } }));
  const other = await newMerchant();
  await other.order({ order_number: 'a' }, trackingsOf('a1'));
  all = (await shop.shipments()).shipments;
});

const search = (query: Query) => shop.shipments(query);
const idsOf = (shipments: readonly ShipmentRecord[]) => shipments.map(({ uuid }) => uuid);

const place = (field: 'updated_at' | 'created_at') => (record: ShipmentRecord) => record[field];

describe('a search for shipments', () => {
  test('lists the shipments of the shop with its drafts, the latest change first', async () => {
    const { pagination } = await search({});
    expect(pagination).toEqual({
      page: 1,
      per_page: 30,
      total: 11,
      total_pages: 1,
      has_next: false,
      has_previous: false,
    });
    expect(all[0]).toMatchObject({ tracking_number: 'a1', current_event_key: 'IN_DELIVERY', email_id: 'a@x.org' });
    expect(all.filter(({ tracking_number }) => tracking_number === null)).toHaveLength(6);
    const times = all.map(place('updated_at'));
    expect(times).toEqual(times.toSorted().reverse());
  });

  test.each(['updated_at', '-updated_at', 'created_at', '-created_at'] as const)('sorts by %s', async (sort) => {
    const { shipments } = await search({ sort });
    expect(idsOf(shipments).toSorted()).toEqual(idsOf(all).toSorted());
    const times = shipments.map(place(sort.replace('-', '') as 'updated_at'));
    expect(times).toEqual(sort.startsWith('-') ? times.toSorted().reverse() : times.toSorted());
  });

  test('returns pages without gaps or repetitions, with the pages before and after', async () => {
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await search({ page, per_page: 4, sort: 'created_at' }));
    expect(pages.map(({ pagination }) => pagination)).toEqual(
      [1, 2, 3, 4].map((page) => ({
        page,
        per_page: 4,
        total: 11,
        total_pages: 3,
        has_next: page < 3,
        has_previous: page > 1,
      })),
    );
    expect(pages.map(({ shipments }) => shipments.length)).toEqual([4, 4, 3, 0]);
    const { shipments } = await search({ sort: 'created_at' });
    expect(pages.flatMap((page) => page.shipments)).toEqual(shipments);
  });

  test('omits drafts on request', async () => {
    const { shipments, pagination } = await search({ include_drafts: 'false', per_page: 2 });
    expect(pagination).toMatchObject({ total: 5, total_pages: 3, has_next: true });
    expect(shipments.every(({ tracking_number }) => tracking_number !== null)).toBe(true);
    for (const text of ['true', 'True', '1']) {
      expect((await search({ include_drafts: text })).pagination.total).toBe(11);
    }
    for (const text of ['False', 'FALSE', '0']) {
      expect((await search({ include_drafts: text })).pagination.total).toBe(pagination.total);
    }
  });

  test('finds a shipment by its tracking number', async () => {
    const { shipments, pagination } = await search({ tracking_number: 'c2' });
    expect(shipments).toEqual(all.filter(({ tracking_number }) => tracking_number === 'c2'));
    expect(shipments[0]).toMatchObject({ zip_code: '1010' });
    expect(pagination).toMatchObject({ total: 1, total_pages: 1 });
    for (const spelling of ['C2', ' c-2'])
      expect((await search({ tracking_number: spelling })).shipments).toEqual(shipments);
    for (const tracking_number of ['c', 'nothing', '']) {
      expect(await search({ tracking_number })).toEqual({
        shipments: [],
        pagination: { page: 1, per_page: 30, total: 0, total_pages: 0, has_next: false, has_previous: false },
      });
    }
    expect((await search({ tracking_number: 'c2', created_to: '2026-01-01T00:00:00Z' })).shipments).toEqual([]);
  });

  test.each(['updated', 'created'] as const)(
    'finds shipments that were %s within a range, its ends included',
    async (what) => {
      const field = `${what}_at` as const;
      const moments = [...new Set(all.map(place(field)))].toSorted();
      expect(moments.length).toBeGreaterThan(2);
      const [from, to] = [moments[1]!, moments.at(-2)!];
      for (const sort of ['-updated_at', 'created_at']) {
        const { shipments, pagination } = await search({ [`${what}_from`]: from, [`${what}_to`]: to, sort });
        const expected = all.filter((record) => record[field] >= from && record[field] <= to);
        expect(idsOf(shipments).toSorted()).toEqual(idsOf(expected).toSorted());
        expect(pagination.total).toBe(expected.length);
      }
    },
  );

  test('combines ranges of both times', async () => {
    const moved = all[0]!;
    const query = { created_to: moved.created_at, updated_from: moved.updated_at };
    expect(idsOf((await search(query)).shipments)).toEqual([moved.uuid]);
    const contrary = { created_from: moved.updated_at, created_to: moved.created_at };
    for (const sort of ['-updated_at', '-created_at']) {
      expect((await search({ ...contrary, sort })).shipments).toEqual([]);
    }
    const backwards = { updated_from: moved.updated_at, updated_to: moved.created_at };
    expect((await search(backwards)).shipments).toEqual([]);
  });

  test('looks back ninety days at most', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();
    expect((await search({ updated_from: daysAgo(89.9) })).pagination.total).toBe(11);
    for (const updated_from of [daysAgo(90.1), '1970-01-01T00:00:00Z']) {
      expectInvalid(await shop.call('GET', '/shipments', { query: { updated_from } }), [
        'query.updated_from',
        'value_error',
      ]);
    }
  });

  test('is refused with all its faults', async () => {
    const wrong = {
      page: 0,
      per_page: 101,
      sort: 'tracking_number',
      updated_from: 'x',
      updated_to: 'x',
      created_from: '2026-13-01T00:00:00Z',
      created_to: 'x',
      tracking_number: 'x'.repeat(256),
    };
    expectInvalid(
      await shop.call('GET', '/shipments', { query: { ...wrong, include_drafts: 'maybe' } }),
      ...Object.keys(wrong).map((name) => [`query.${name}`, 'value_error'] as const),
      ['query.include_drafts', 'type_error'],
    );
  });

  test('shows a hundred drafts of one order as a hundred shipments', async () => {
    const merchant = await newMerchant();
    await merchant.order({ expected_number_of_shipments: 100 });
    const first = await merchant.shipments({ per_page: 60, sort: 'created_at' });
    const second = await merchant.shipments({ per_page: 60, page: 2, sort: 'created_at' });
    expect(first.pagination).toMatchObject({ total: 100, total_pages: 2 });
    expect(new Set(idsOf([...first.shipments, ...second.shipments])).size).toBe(100);
  });
});

describe('the detection of a carrier', () => {
  const detect = (query: Query) => shop.call('GET', '/carrier-detection', { query });

  test('explains its candidates and their checksum', async () => {
    const { carrier_reference, candidates } = accepted(await detect({ tracking_number: '1Z5R89390357567127' }));
    expect(carrier_reference).toBe('ups');
    expect(candidates[0]).toMatchObject({
      carrier_reference: 'ups',
      name: expect.stringMatching(/ups/i),
      checksum: 'valid',
    });
    for (const { reasons } of candidates) expect(reasons.length).toBeGreaterThan(0);
  });

  test('does not accept a near miss as a number of the carrier', async () => {
    const { candidates } = accepted(await detect({ tracking_number: '1Z5R89390357567128' }));
    expect(candidates.map((candidate: { carrier_reference: string }) => candidate.carrier_reference)).not.toContain(
      'ups',
    );
  });

  test('agrees with the carrier that a shipment gets', async () => {
    const numbers = ['00340434161094022115', 'RR473124829GB', 'TBA502887274000', 'XHAX4HDA', '186718204451'];
    const { trackings } = await shop.order(
      { order_number: 'd', address: { country_code: 'DE' } },
      trackingsOf(...numbers),
    );
    for (const { carrier } of trackings) {
      const query = { tracking_number: carrier.tracking_number!, country_code: 'DE' };
      expect(accepted(await detect(query)).carrier_reference).toBe(carrier.carrier_reference);
    }
    expectDone(await shop.call('DELETE', `/orders/d/shipments/${numbers[0]}`));
  });

  test('uses the name of the company', async () => {
    const query = { tracking_number: 'no-such-form', tracking_company: 'DPD' };
    expect(accepted(await detect(query)).carrier_reference).toBe('dpd');
    expect(accepted(await detect({ tracking_number: 'no-such-form' }))).toEqual({
      carrier_reference: null,
      candidates: [],
    });
  });

  test('needs a tracking number', async () => {
    expectInvalid(await detect({}), ['query.tracking_number', 'missing']);
    expectInvalid(await detect({ tracking_number: '' }), ['query.tracking_number', 'value_error']);
    expectError(await shop.call('POST', '/carrier-detection', { body: {} }), 405, 'method_not_allowed');
  });
});
