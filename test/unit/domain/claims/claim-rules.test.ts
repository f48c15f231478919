import { describe, expect, test } from 'vitest';
import type { Claim, HistoryEntry } from '#domain/claims/claim-rules.ts';
import { claimAt, deleted, type Step, updated } from '#domain/claims/claim-rules.ts';
import { claimItem, toClaim } from '#domain/claims/claim-store.ts';
import { toClaimResponse } from '#domain/claims/presentation.ts';
import { claimEvent } from '#domain/orders/outbox.ts';
import { claimStatuses } from '#schemas/catalogues/enumerations.ts';
import type { ClaimStatus } from '#schemas/families/claims.ts';
import { claimId, claimOf, madeAt, parcel } from '#test/kit/claims.ts';

const later = '2026-11-15T12:00:00.000Z';

/** What happens to a change from each status to pending, accepted, rejected and closed. */
const table: Record<ClaimStatus, string> = {
  pending: 'stays moves moves moves',
  accepted: 'refused stays refused moves',
  rejected: 'moves refused stays moves',
  closed: 'refused refused refused stays',
};

describe('a change of the status of a claim', () => {
  const cases = claimStatuses.flatMap((from) =>
    claimStatuses.map((to, i) => ({ from, to, outcome: table[from].split(' ')[i] })),
  );

  test.each(cases)('from $from to $to has the outcome: $outcome', ({ from, to, outcome }) => {
    const move = () => updated(claimOf({ status: from }), { status: to }, later);
    if (outcome === 'refused') {
      expect(move).toThrow(expect.objectContaining({ key: 'claim_transition_invalid' }));
      return;
    }
    const step = move();
    expect(step?.claim).toEqual(outcome === 'moves' ? claimOf({ status: to, updated_at: later }) : undefined);
    if (step) expect(step.changes).toEqual([{ field: 'status', from, to }]);
  });
});

describe('an update of a claim', () => {
  const before = claimOf({ description: 'Broken', resolution_preference: 'refund' });

  test('keeps the fields that it does not name', () => {
    expect(updated(before, { description: 'Torn' }, later)?.claim).toEqual({
      ...before,
      description: 'Torn',
      updated_at: later,
    });
  });

  test('clears the fields that it sets to null, but never the status', () => {
    const step = updated(before, { status: null, description: null, resolution_preference: null }, later);
    expect(step?.claim).toMatchObject({ status: 'pending', description: null, resolution_preference: null });
    expect(step?.changes).toEqual([
      { field: 'resolution_preference', from: 'refund', to: null },
      { field: 'description', from: 'Broken', to: null },
    ]);
  });

  test('that changes nothing makes no new version', () => {
    const { status, description, resolution_preference } = before;
    expect(updated(before, {}, later)).toBeUndefined();
    expect(updated(before, { status, description, resolution_preference }, later)).toBeUndefined();
  });

  test('that names a refused status changes nothing else either', () => {
    const closed = claimOf({ status: 'closed' });
    expect(() => updated(closed, { status: 'pending', description: 'x' }, later)).toThrow();
  });
});

test('a claim can be read as each of its updates left it', () => {
  const at = (day: number) => `2026-11-${day}T12:00:00.000Z`;
  const steps: ((claim: Claim) => Step)[] = [
    (claim) => updated(claim, { status: 'rejected', description: 'No' }, at(15))!,
    (claim) => updated(claim, { status: 'pending', resolution_preference: 'refund' }, at(16))!,
    (claim) => deleted(claim, at(17)),
  ];
  const states = [claimOf()];
  const history: HistoryEntry[] = [{ at: madeAt, by: 'k', by_name: null, action: 'created', changes: [] }];
  for (const step of steps) {
    const { claim, action, changes } = step(states.at(-1)!);
    states.push(claim);
    history.unshift({ at: claim.updated_at, by: 'k', by_name: null, action, changes });
  }
  const newest = states.at(-1)!;
  for (const state of states) expect(claimAt(newest, history, state.updated_at)).toEqual(state);
  expect(claimAt(newest, history, '2026-11-15T13:00:00.000Z')).toEqual(states[1]);
});

describe('a stored claim', () => {
  test('is read back unchanged', () => {
    const claim = claimOf({ description: 'Kaputt 💥' });
    expect(toClaim(claimItem('blue', claim, 1))).toEqual(claim);
  });

  test('is listed by creation and by change until it is deleted', () => {
    const places = { timeline_sk: `${madeAt}#${claimId}`, activity_sk: `${madeAt}#${claimId}` };
    expect(claimItem('blue', claimOf(), 1)).toMatchObject(places);
    const gone = Object.keys(claimItem('blue', deleted(claimOf(), later).claim, 2));
    expect(gone.filter((name) => /timeline|activity/.test(name))).toEqual([]);
  });

  test('is refused over 128 KB, however well it compresses', () => {
    const input_value = '💥'.repeat(2500);
    const steps = (count: number) =>
      Array.from({ length: count }, () => ({ step_id: 's', user_input: { input_type: 't', input_value } }));
    expect(claimItem('blue', claimOf({ step_user_input: steps(12) }), 1).document.length).toBeLessThan(2000);
    expect(() => claimItem('blue', claimOf({ step_user_input: steps(14) }), 1)).toThrow(
      expect.objectContaining({ key: 'payload_too_large' }),
    );
  });
});

describe('the event of a claim', () => {
  test('has an id that follows from the claim, the action and the version', () => {
    const ids = [
      claimEvent('created', claimOf(), 1, 'token'),
      claimEvent('updated', claimOf(), 1, 'token'),
      claimEvent('updated', claimOf(), 2, 'token'),
      claimEvent('updated', claimOf({ uuid: claimId.replace('1', '2') }), 2, 'token'),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect(claimEvent('updated', claimOf({ description: 'x' }), 2, 'other').id).toBe(ids[2]);
  });
});

describe('a claim in an answer', () => {
  const shop = { slug: 'blue', uuid: 'shop-blue' };
  const { order, shipment } = parcel;
  const shown = (fields: object) => toClaimResponse(claimOf(), { order: { ...order, ...fields }, shipment }, shop);

  test.each([
    [{ sub_total_price: 40, total_order_price: 50, shipping_price: 5 }, 40],
    [{ total_order_price: 49.9, shipping_price: 4.9 }, 45],
    [{ total_order_price: 50 }, 50],
    [{ shipping_price: 5 }, null],
    [{ sub_total_price: 0 }, 0],
  ])('shows the price of the goods of %o', (prices, expected) => {
    expect(shown(prices).net_invoice_amount).toBe(expected);
  });

  test('shows its weight in kilograms', () => {
    expect([{ weight: 1250 }, { weight: 0 }, {}].map((fields) => shown(fields).weight_kg)).toEqual([1.25, 0, null]);
  });

  test('shows the first scan of the carrier, not the reports of the shop or the announcement of the parcel', () => {
    const at = (time: string) => `2026-11-01T${time}:00.000Z`;
    const events = [
      { event_name: 'ORDER_PROCESSED' as const, time: at('07:00') },
      { event_name: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' as const, time: at('08:00') },
      { event_name: 'PICKUP_SUCCESSFUL' as const, time: at('09:00') },
      { event_name: 'SUCCESSFULLY_DELIVERED' as const, time: at('10:00') },
    ];
    const dates = [2, 3, 4].map((count) => {
      const scanned = { ...shipment, events: events.slice(0, count) };
      return toClaimResponse(claimOf(), { order, shipment: scanned }, shop).scan_date;
    });
    expect(dates).toEqual([null, at('09:00'), at('09:00')]);
  });

  test('keeps the numbers of its creation after its shipment is deleted', () => {
    const number = { tracking_number: 'T-1', carrier_reference: 'dhl' };
    const renamed = { ...shipment, tracking_number: 'T-2', carrier_reference: null };
    expect(toClaimResponse(claimOf(), { order, shipment: renamed }, shop)).toMatchObject({
      tracking_number: 'T-2',
      carrier_reference: null,
    });
    expect(toClaimResponse(claimOf(), { order, shipment: undefined }, shop)).toMatchObject(number);
  });
});
