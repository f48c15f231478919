import { beforeAll, describe, expect, test } from 'vitest';
import type { Claim } from '#schemas/families/claims.ts';
import { type Claimant, newClaimant, newParcel } from '#test/e2e/kit/claims.ts';
import { expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, type Query } from '#test/e2e/kit/orders.ts';

let shop: Claimant;
/** In the order of their creation; the last of them is deleted. */
let claims: Claim[];
const [first, second] = [
  [0, 1, 2],
  [3, 4],
];

beforeAll(async () => {
  shop = await newClaimant();
  const parcels = [await newParcel(shop), await newParcel(shop)];
  claims = [];
  const made = [
    { parcel: 0, reason: 'damage', resolution_preference: 'refund' },
    { parcel: 0, reason: 'support' },
    { parcel: 0, reason: 'damage' },
    { parcel: 1, reason: 'return', resolution_preference: 'reorder' },
    { parcel: 1, reason: 'damage' },
    { parcel: 1, reason: 'damage' },
  ];
  for (const { parcel, ...fields } of made) {
    claims.push(await shop.claim({ shipment_id: parcels[parcel]!.shipment_id, ...fields }));
  }
  // The order of the changes differs from the order of creation.
  for (const [i, status] of [
    [1, 'accepted'],
    [0, 'rejected'],
    [3, 'accepted'],
  ] as const) {
    claims[i] = accepted(await shop.update(claims[i]!.uuid, { status }));
  }
  accepted(await shop.call('DELETE', `/claims/${claims.pop()!.uuid}`));
});

/** The positions of the claims that a search finds. */
async function found(query: Query = {}): Promise<number[]> {
  const answered = await shop.search(query);
  const positions = answered.map(({ uuid }) => claims.findIndex((claim) => claim.uuid === uuid));
  expect(answered).toEqual(positions.map((position) => claims[position]));
  return positions;
}

describe('a search for claims', () => {
  test('lists the newest first, with everything that a claim shows', async () => {
    expect(await found()).toEqual([4, 3, 2, 1, 0]);
  });

  test.each([
    ['created_at', [0, 1, 2, 3, 4]],
    ['-created_at', [4, 3, 2, 1, 0]],
    ['updated_at', [2, 4, 1, 0, 3]],
    ['-updated_at', [3, 0, 1, 4, 2]],
  ])('sorts by %s, also within an order', async (sort, expected) => {
    expect(await found({ sort })).toEqual(expected);
    const within = expected.filter((position) => first!.includes(position));
    expect(await found({ sort, order_id: claims[0]!.order_id })).toEqual(within);
  });

  test('finds claims by each filter', async () => {
    const [a, , , d] = claims as [Claim, Claim, Claim, Claim];
    expect(await found({ order_id: a.order_id.toUpperCase() })).toEqual([...first!].reverse());
    expect(await found({ shipment_id: d.shipment_id })).toEqual([...second!].reverse());
    expect(await found({ status: 'accepted' })).toEqual([3, 1]);
    expect(await found({ reason: 'damage' })).toEqual([4, 2, 0]);
    expect(await found({ resolution_preference: 'refund' })).toEqual([0]);
    expect(await found({ created_from: claims[1]!.created_at, created_to: claims[3]!.created_at })).toEqual([3, 2, 1]);
    expect(await found({ updated_from: claims[1]!.updated_at })).toEqual([3, 1, 0]);
    expect(await found({ updated_to: claims[4]!.updated_at })).toEqual([4, 2]);
  });

  test('finds claims by several filters, whatever the sort order', async () => {
    const [, b, c] = claims as [Claim, Claim, Claim];
    const sort = 'updated_at';
    expect(await found({ reason: 'damage', status: 'pending' })).toEqual([4, 2]);
    expect(await found({ sort, reason: 'damage', status: 'pending' })).toEqual([2, 4]);
    expect(await found({ sort, created_from: b.created_at, created_to: c.created_at })).toEqual([2, 1]);
    expect(await found({ sort, updated_from: b.updated_at, created_to: b.created_at })).toEqual([1, 0]);
    expect(await found({ order_id: b.order_id, status: 'accepted', updated_from: b.updated_at })).toEqual([1]);
    expect(await found({ order_id: b.order_id, shipment_id: claims[3]!.shipment_id })).toEqual([]);
    expect(await found({ created_from: c.created_at, created_to: b.created_at })).toEqual([]);
  });

  test.each([{}, { sort: 'updated_at' }, { status: 'pending' }, { order_id: true }])(
    'with %o continues page by page, also without the page before',
    async ({ order_id, ...rest }: Record<string, unknown>) => {
      const query = { ...rest, ...(order_id !== undefined && { order_id: claims[0]!.order_id }) } as Query;
      const all = await found(query);
      expect(await found({ ...query, page: 2, per_page: 2 })).toEqual(all.slice(2, 4));
      for (let page = 1; page <= 3; page++) {
        expect(await found({ ...query, page, per_page: 2 })).toEqual(all.slice((page - 1) * 2, page * 2));
      }
      expect(await found({ ...query, page: 9 })).toEqual([]);
    },
  );

  test('is refused with all its faults', async () => {
    const query = {
      page: 0,
      per_page: 101,
      order_id: 'x',
      shipment_id: 'x',
      status: 'open',
      reason: 'none',
      resolution_preference: 'none',
      created_from: 'today',
      updated_to: '2026',
      sort: 'reason',
    };
    const faults = Object.keys(query).map((name) => [`query.${name}`, 'value_error'] as const);
    expectInvalid(await shop.call('GET', '/claims', { query }), ...faults);
  });
});
