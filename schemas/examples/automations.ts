import type { Automation, AutomationInput, automations } from '../families/automations.ts';
import type { ExamplesOf } from './example.ts';
import { hosts, ids, secrets, slug } from './story.ts';

const definition = {
  name: 'Tell the warehouse about damage',
  trigger: { ref: 'claims/created' },
  conditions: { all: [{ field: 'event_data.reason', operator: 'in', value: ['damage', 'partial_damage'] }] },
  actions: [{ type: 'webhook', params: { url: `${hosts.receiver}/warehouse` } }],
} satisfies Partial<AutomationInput>;

const createdAutomation = {
  uuid: ids.automation,
  shop_slug: slug,
  ...definition,
  status: 'active',
  delay_minutes: 0,
  max_age_hours: 4,
  secret: secrets.automation,
  created_at: '2026-11-16T09:03:18.990Z',
  updated_at: '2026-11-16T09:03:18.990Z',
} satisfies Automation;

const automation = {
  ...createdAutomation,
  max_age_hours: 24,
  updated_at: '2026-11-16T09:03:26.360Z',
} satisfies Automation;

export const automationExamples = {
  createAutomation: { body: definition, response: createdAutomation },
  replaceAutomation: {
    params: { automation_id: ids.automation },
    body: { ...definition, max_age_hours: 24 },
    response: automation,
  },
  getAutomation: { params: { automation_id: ids.automation }, response: automation },
  listAutomations: { query: { per_page: 10 }, response: [automation] },
  listAutomationRuns: {
    params: { automation_id: ids.automation },
    response: [
      {
        id: ids.run,
        time: '2026-11-16T09:05:16.910Z',
        due_at: '2026-11-16T09:05:16.910Z',
        finished_at: '2026-11-16T09:05:17.530Z',
        ref: 'claims/created',
        event_group: 'claim_created',
        event_id: ids.claimEvent,
        order_id: ids.order,
        subject_id: ids.claim,
        status: 'done',
        reason: null,
        conditions: [{ field: 'event_data.reason', operator: 'in', met: true }],
        actions: [
          {
            ...definition.actions[0]!,
            status: 'done',
            reason: null,
            delivery: { id: ids.warehouseDelivery, status: 'delivered', attempt_count: 1 },
          },
        ],
      },
    ],
  },
  dryRunAutomation: {
    params: { automation_id: ids.automation },
    body: { since: '2026-11-13T00:00:00Z' },
    response: {
      since: '2026-11-13T00:00:00.000Z',
      until: '2026-11-16T09:05:46.390Z',
      orders: 2,
      events: 5,
      matched: 1,
      has_more: false,
      examples: [
        {
          time: '2026-11-16T09:05:16.910Z',
          ref: 'claims/created',
          event_group: 'claim_created',
          order_id: ids.order,
          subject_id: ids.claim,
        },
      ],
    },
  },
  deleteAutomation: { params: { automation_id: ids.automation }, response: undefined },
} satisfies ExamplesOf<typeof automations>;
