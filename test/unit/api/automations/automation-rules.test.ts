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

test('an automation with every required field has no faults', async () => {
  expect(await faults({})).toEqual([]);
  expect(await faults({ trigger: { ref: 'claims' }, conditions: null })).toEqual([]);
});

describe('an automation is refused', () => {
  const rows: [what: string, fields: object, faults: string[]][] = [
    ['a trigger without a group and a ref', { trigger: {} }, ['trigger value_error']],
    [
      'a trigger with both a group and a ref',
      { trigger: { event_group: 'claim_created', ref: '*' } },
      ['trigger value_error'],
    ],
    ['conditions without all and any', { conditions: {} }, ['conditions value_error']],
    ['conditions with both all and any', { conditions: { all: [], any: [] } }, ['conditions value_error']],
    [
      'a field that begins with an unknown name',
      condition('order.phase', 'eq', 1),
      ['conditions.all.0.field value_error'],
    ],
    ['a field that is a whole object', condition('event_data', 'eq', 1), ['conditions.all.0.field value_error']],
    [
      'a field in an unknown part of the context',
      condition('context.shop.x', 'eq', 1),
      ['conditions.all.0.field value_error'],
    ],
    ['a field below a text', condition('ref.x', 'eq', 1), ['conditions.all.0.field value_error']],
    ['a condition without a value', condition('ref', 'eq'), ['conditions.all.0.value missing']],
    ['a list as the value of eq', condition('ref', 'eq', ['a']), ['conditions.all.0.value type_error']],
    ['a text as the value of in', condition('ref', 'in', 'a'), ['conditions.all.0.value type_error']],
    ['a text as the value of gt', condition('ref', 'gt', 'a'), ['conditions.all.0.value type_error']],
    ['true as the value of lte', condition('ref', 'lte', true), ['conditions.all.0.value type_error']],
    ['null as the value of contains', condition('ref', 'contains', null), ['conditions.all.0.value type_error']],
    ['a text as the value of exists', condition('ref', 'exists', 'yes'), ['conditions.all.0.value type_error']],
    ['a number that the table cannot hold', condition('ref', 'eq', 1e-200), ['conditions.all.0.value value_error']],
    [
      'a list with a number that the table cannot hold',
      condition('ref', 'in', [0, -1e-200]),
      ['conditions.all.0.value value_error'],
    ],
    ['an action without its parameter', action('webhook', {}), ['actions.0.params.url missing']],
    [
      'an action with the parameter of another action',
      action('integration', { url: 'https://a.com' }),
      ['actions.0.params.integration missing'],
    ],
    ['a webhook over http', action('webhook', { url: 'http://example.com' }), ['actions.0.params.url value_error']],
    [
      'a webhook at a private address',
      action('webhook', { url: 'https://10.0.0.1/' }),
      ['actions.0.params.url value_error'],
    ],
    [
      'a webhook with credentials in its url',
      action('webhook', { url: 'https://a:b@example.com' }),
      ['actions.0.params.url value_error'],
    ],
    [
      'an action on a claim after an event of a shipment',
      { ...action('update_claim', { status: 'closed' }), trigger: { event_group: 'shipment_delivered' } },
      ['actions.0.type value_error'],
    ],
    [
      'the same action twice',
      { actions: Array.from({ length: 2 }, () => ({ type: 'add_segment', params: { segment: 'vip' } })) },
      ['actions.1 value_error'],
    ],
  ];
  test.each(rows)('with %s', async (_, fields, expected) => {
    expect(await faults(fields)).toEqual(expected);
  });

  test('with conditions that are far too big', async () => {
    const value = Array.from({ length: 100 }, (_, i) => `${i}`.repeat(200));
    const all = Array.from({ length: 20 }, () => ({ field: 'ref', operator: 'in', value }));
    expect(await faults({ conditions: { all } })).toEqual([' value_error']);
  });

  test('with all its faults in one answer', async () => {
    const wrong = { ...condition('nowhere', 'in', 1), ...action('webhook', { url: 'http://a.com' }), trigger: {} };
    expect(await faults(wrong)).toHaveLength(4);
  });
});

function action(type: string, params: object) {
  return { actions: [{ type, params }] };
}

test('conditions on the event, the context and the time are accepted', async () => {
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
