import { describe, expect, test } from 'vitest';
import { automationFaults } from '#api/automations/automation-rules.ts';
import type { AutomationInput } from '#schemas/families/automations.ts';

const body = (fields: object = {}): AutomationInput =>
  ({
    name: 'Tell the warehouse',
    status: 'active',
    trigger: { event_group: 'claim_created' },
    actions: [{ type: 'webhook', params: { url: 'https://example.com/hook' } }],
    delay_minutes: 0,
    max_age_hours: 4,
    ...fields,
  }) as AutomationInput;

const faults = async (fields: object) =>
  (await automationFaults(body(fields))).map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`);

const condition = (field: string, operator: string, value?: unknown) => ({
  conditions: { all: [{ field, operator, ...(value !== undefined && { value }) }] },
});

test('an automation that says what it must has none', async () => {
  expect(await faults({})).toEqual([]);
  expect(await faults({ trigger: { ref: 'claims' }, conditions: null })).toEqual([]);
});

describe('what is wrong with', () => {
  const rows: [what: string, fields: object, faults: string[]][] = [
    ['a trigger that says nothing', { trigger: {} }, ['trigger value_error']],
    ['a trigger with both', { trigger: { event_group: 'claim_created', ref: '*' } }, ['trigger value_error']],
    ['conditions that say nothing', { conditions: {} }, ['conditions value_error']],
    ['conditions with both', { conditions: { all: [], any: [] } }, ['conditions value_error']],
    ['an unknown beginning', condition('order.phase', 'eq', 1), ['conditions.all.0.field value_error']],
    ['a whole object', condition('event_data', 'eq', 1), ['conditions.all.0.field value_error']],
    ['an unknown part of the context', condition('context.shop.x', 'eq', 1), ['conditions.all.0.field value_error']],
    ['a field below a text', condition('ref.x', 'eq', 1), ['conditions.all.0.field value_error']],
    ['no value', condition('ref', 'eq'), ['conditions.all.0.value missing']],
    ['a list for eq', condition('ref', 'eq', ['a']), ['conditions.all.0.value type_error']],
    ['no list for in', condition('ref', 'in', 'a'), ['conditions.all.0.value type_error']],
    ['a text for gt', condition('ref', 'gt', 'a'), ['conditions.all.0.value type_error']],
    ['true for lte', condition('ref', 'lte', true), ['conditions.all.0.value type_error']],
    ['null for contains', condition('ref', 'contains', null), ['conditions.all.0.value type_error']],
    ['a text for exists', condition('ref', 'exists', 'yes'), ['conditions.all.0.value type_error']],
    ['a number that the table cannot hold', condition('ref', 'eq', 1e-200), ['conditions.all.0.value value_error']],
    ['one in a list', condition('ref', 'in', [0, -1e-200]), ['conditions.all.0.value value_error']],
    ['a parameter that is missing', action('webhook', {}), ['actions.0.params.url missing']],
    [
      'the parameter of another',
      action('integration', { url: 'https://a.com' }),
      ['actions.0.params.integration missing'],
    ],
    ['http', action('webhook', { url: 'http://example.com' }), ['actions.0.params.url value_error']],
    ['a private address', action('webhook', { url: 'https://10.0.0.1/' }), ['actions.0.params.url value_error']],
    [
      'credentials in a url',
      action('webhook', { url: 'https://a:b@example.com' }),
      ['actions.0.params.url value_error'],
    ],
    [
      'a claim for a shipment',
      { ...action('update_claim', { status: 'closed' }), trigger: { event_group: 'shipment_delivered' } },
      ['actions.0.type value_error'],
    ],
    [
      'the same action twice',
      { actions: Array.from({ length: 2 }, () => ({ type: 'add_segment', params: { segment: 'vip' } })) },
      ['actions.1 value_error'],
    ],
  ];
  test.each(rows)('%s', async (_, fields, expected) => {
    expect(await faults(fields)).toEqual(expected);
  });

  test('one that is far too big', async () => {
    const value = Array.from({ length: 100 }, (_, i) => `${i}`.repeat(200));
    const all = Array.from({ length: 20 }, () => ({ field: 'ref', operator: 'in', value }));
    expect(await faults({ conditions: { all } })).toEqual([' value_error']);
  });

  test('all of it is said at once', async () => {
    const wrong = { ...condition('nowhere', 'in', 1), ...action('webhook', { url: 'http://a.com' }), trigger: {} };
    expect(await faults(wrong)).toHaveLength(4);
  });
});

function action(type: string, params: object) {
  return { actions: [{ type, params }] };
}

test('what conditions can be about is accepted', async () => {
  const accepted = [
    condition('event_data.phase', 'eq', 'delivered'),
    condition('context.shipments.0.phase', 'in', ['a']),
    condition('context.claims', 'exists'),
    condition('context.order.total_order_price', 'gte', 50),
    condition('triggered_at', 'lt', '2026-11-14T12:00:00Z'),
    condition('context.customer.email', 'eq', null),
  ];
  for (const fields of accepted) expect(await faults(fields)).toEqual([]);
});
