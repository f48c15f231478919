import { describe, expect, test } from 'vitest';
import { fieldOf, toBody, toValues } from '#lib/console/views/marketing/automation-values.ts';
import type { Automation } from '#schemas/families/automations.ts';

const automation = (fields: Partial<Automation>): Automation => ({
  uuid: '01930000-0000-7000-8000-0000000000aa',
  shop_slug: 'blue',
  name: 'Thanks',
  status: 'active',
  trigger: { ref: 'claims/created' },
  conditions: null,
  actions: [{ type: 'add_segment', params: { segment: 'vip' } }],
  delay_minutes: 30,
  max_age_hours: 4,
  secret: null,
  created_at: '2026-11-16T10:00:00.000Z',
  updated_at: '2026-11-16T10:00:00.000Z',
  ...fields,
});

const field = 'context.order.total_order_price';

describe('the form of an automation', () => {
  test.each([
    ['gt', 50],
    ['eq', 'red'],
    ['eq', '50'],
    ['eq', 'true'],
    ['neq', null],
    ['eq', false],
    ['eq', 'a, b'],
    ['in', ['red', 5, true, '7', 'a, b']],
    ['gte', '2026-11-16T10:00:00Z'],
    ['exists', true],
    ['exists', false],
    ['contains', 'an order'],
  ] as const)('gives a condition back as it was: %s %j', (operator, value) => {
    const conditions = { all: [{ field, operator, value: value as never }] };
    expect(toBody(toValues(automation({ conditions }))).conditions).toEqual(conditions);
  });

  test('gives everything else back as it was, too', () => {
    const stored = automation({
      conditions: { any: [{ field, operator: 'gt', value: 1 }] },
      trigger: { event_group: 'shipment_delivered' },
      actions: [
        { type: 'webhook', params: { url: 'https://example.com/hook' } },
        { type: 'integration', params: { integration: 'integration_2' } },
        { type: 'update_claim', params: { status: 'closed' } },
      ],
    });
    const { name, status, trigger, conditions, actions, delay_minutes, max_age_hours } = stored;
    expect(toBody(toValues(stored))).toEqual({
      ...{ name, status, trigger, conditions, actions, delay_minutes, max_age_hours },
    });
  });

  test('shows the fault of a request beside its field', () => {
    expect(fieldOf('conditions.any.0.value')).toBe('conditions.0.value');
    expect(fieldOf('actions.1.params.url')).toBe('actions.1.url');
  });
});
