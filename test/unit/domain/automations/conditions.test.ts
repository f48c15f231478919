import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { areMet, isMet, outcomesOf, valuesAt } from '#domain/automations/conditions.ts';
import type { Condition } from '#domain/automations/model.ts';
import { type Operator, operators } from '#schemas/families/automations.ts';

const payload = {
  ref: 'shipments/delivered/SUCCESSFULLY_DELIVERED',
  triggered_at: '2026-11-14T12:00:00.000Z',
  event_data: { phase: 'delivered', total_order_value: 49.9, tracking_url: null, number_of_shipments: 0 },
  context: {
    order: { segments: ['vip', 'berlin'], preferred: undefined },
    shipments: [
      { phase: 'delivered', products: [{ sku: 'A' }, { sku: 'B' }] },
      { phase: 'in_transit', products: [{ sku: 'C' }] },
    ],
  },
};

type Row = [field: string, operator: Operator, value: Condition['value'], met: boolean];

const rows: Row[] = [
  ['event_data.phase', 'eq', 'delivered', true],
  ['event_data.phase', 'eq', 'Delivered', false],
  ['event_data.phase', 'neq', 'in_transit', true],
  ['event_data.phase', 'neq', 'delivered', false],
  ['event_data.total_order_value', 'eq', '49.9', false],
  ['event_data.number_of_shipments', 'eq', 0, true],
  ['event_data.number_of_shipments', 'eq', false, false],
  ['event_data.missing', 'eq', 'x', false],
  ['event_data.missing', 'neq', 'x', true],
  ['event_data.missing', 'eq', null, true],
  ['event_data.tracking_url', 'eq', null, true],
  ['event_data.phase', 'eq', null, false],
  ['event_data.phase', 'neq', null, true],
  ['event_data.phase', 'in', ['collect', 'delivered'], true],
  ['event_data.phase', 'in', ['collect'], false],
  ['event_data.phase', 'not_in', ['collect'], true],
  ['event_data.missing', 'not_in', ['collect'], true],
  ['event_data.total_order_value', 'gt', 49, true],
  ['event_data.total_order_value', 'gt', 49.9, false],
  ['event_data.total_order_value', 'gte', 49.9, true],
  ['event_data.total_order_value', 'lt', 50, true],
  ['event_data.total_order_value', 'lte', 49.9, true],
  ['event_data.phase', 'gt', 1, false],
  ['event_data.phase', 'lte', 1, false],
  ['event_data.missing', 'lt', 1, false],
  ['triggered_at', 'gt', '2026-11-14', true],
  ['triggered_at', 'lt', '2026-11-14T14:00:00+01:00', true],
  ['triggered_at', 'lt', '2026-11-14T13:00:00+01:00', false],
  ['event_data.phase', 'lt', '2026-11-14', false],
  ['ref', 'contains', 'DELIVERED', true],
  ['ref', 'contains', 'delivered/X', false],
  ['context.order.segments', 'contains', 'vip', true],
  ['context.order.segments', 'contains', 'vi', false],
  ['context.order.segments', 'eq', 'vip', false],
  ['context.order.segments.0', 'eq', 'vip', true],
  ['event_data.total_order_value', 'contains', 4, false],
  ['event_data.phase', 'exists', true, true],
  ['event_data.phase', 'exists', false, false],
  ['event_data.tracking_url', 'exists', true, false],
  ['context.order.preferred', 'exists', false, true],
  // A path through a list means any of its elements.
  ['context.shipments.phase', 'eq', 'in_transit', true],
  ['context.shipments.phase', 'neq', 'in_transit', false],
  ['context.shipments.phase', 'not_in', ['collect', 'returned'], true],
  ['context.shipments.1.phase', 'eq', 'delivered', false],
  ['context.shipments.7.phase', 'exists', true, false],
  ['context.shipments.products.sku', 'eq', 'C', true],
  // What objects and lists inherit is no part of a payload.
  ['event_data.constructor', 'exists', true, false],
  ['event_data.__proto__', 'exists', true, false],
  ['event_data.__proto__.polluted', 'exists', true, false],
  ['context.shipments.length', 'exists', true, false],
  ['event_data.phase.length', 'exists', true, false],
  ['event_data.toString.name', 'exists', true, false],
];

test.each(rows)('the condition %s %s %j is met: %j', (field, operator, value, met) => {
  expect(isMet({ field, operator, value }, payload)).toBe(met);
});

describe('several conditions', () => {
  const yes: Condition = { field: 'ref', operator: 'exists', value: true };
  const no: Condition = { field: 'nothing', operator: 'exists', value: true };
  const met = (conditions: Parameters<typeof areMet>[0]) => areMet(conditions, outcomesOf(conditions, payload));

  test('hold when every condition in `all` holds, when one in `any` holds, or when the list is empty', () => {
    expect(met({ all: [yes, yes] })).toBe(true);
    expect(met({ all: [yes, no] })).toBe(false);
    expect(met({ all: [] })).toBe(true);
    expect(met({ any: [no, yes] })).toBe(true);
    expect(met({ any: [no, no] })).toBe(false);
    expect(met(null)).toBe(true);
  });

  test('answer the result of each of them', () => {
    expect(outcomesOf({ any: [no, yes] }, payload)).toEqual([
      { field: 'nothing', operator: 'exists', met: false },
      { field: 'ref', operator: 'exists', met: true },
    ]);
  });
});

const scalars = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null));
const conditions = fc.record({
  field: fc
    .array(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '0', 'a')), { maxLength: 5 })
    .map((parts) => parts.join('.')),
  operator: fc.constantFrom(...operators),
  value: fc.oneof(scalars, fc.array(scalars)),
}) as fc.Arbitrary<Condition>;

test('a time without an offset in a condition is UTC, wherever the machine is', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  onTestFinished(() => void vi.unstubAllEnvs());
  const isLater = (value: string) => isMet({ field: 'triggered_at', operator: 'gt', value }, payload);
  expect(['2026-11-14T11:59:59', '2026-11-14 11:59'].map(isLater)).toEqual([true, true]);
  expect(['2026-11-14T12:00:01', '2026-11-14 12:01'].map(isLater)).toEqual([false, false]);
});

test('no condition throws on any payload, and a negated operator answers the opposite', () => {
  fc.assert(
    fc.property(
      conditions,
      fc.object({ key: fc.constantFrom('a', 'b', '__proto__'), maxDepth: 4 }),
      (condition, any) => {
        expect(typeof isMet(condition, any)).toBe('boolean');
        const as = (operator: Operator) => isMet({ ...condition, operator }, any);
        expect(as('neq')).toBe(!as('eq'));
        expect(as('not_in')).toBe(!as('in'));
      },
    ),
  );
});

test('a path through many lists reads a bounded number of values', () => {
  const wide = Array.from({ length: 300 }, () => ({ b: Array.from({ length: 300 }, () => ({ c: 1 })) }));
  expect(valuesAt({ a: wide }, 'a.b.c')).toHaveLength(10_000);
});
