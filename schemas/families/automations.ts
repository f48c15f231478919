import Type, { type Static } from 'typebox';
import { eventFilters } from '../catalogues/event-filters.ts';
import { notifiedIntegrations } from '../catalogues/integrations.ts';
import { eventGroups } from '../catalogues/shipment-events.ts';
import { Choice, DateTime, Empty, Nullable, paging, Shape, Text, Url, Uuid, wellFormed } from '../shapes/shapes.ts';
import { claimStatuses } from './claims.ts';
import { declare, shopPath } from './operation.ts';

export const automationStatuses = ['active', 'inactive', 'testing'] as const;
export const operators = ['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists'] as const;
export const actionTypes = ['webhook', 'integration', 'update_claim', 'add_segment'] as const;
export const runStatuses = ['scheduled', 'pending', 'done', 'failed', 'skipped', 'tested'] as const;
export const actionOutcomes = ['waiting', 'done', 'failed', 'would_do', 'not_done'] as const;
/** Why a run did nothing, or an action failed. */
export const runReasons = [
  'conditions_not_met',
  'too_old',
  'automation_inactive',
  'automation_deleted',
  'trigger_changed',
  'order_gone',
  'loop',
  'chain_too_long',
  'given_up',
] as const;

const maxDelayMinutes = 30 * 24 * 60;
const maxTextLength = 500;

const Trigger = Shape(
  'AutomationTrigger',
  {
    event_group: Type.Optional(Nullable(Choice(eventGroups))),
    ref: Type.Optional(
      Nullable(
        Choice(eventFilters, {
          description: 'An event, a phase or a source, as in `enabled_events` of a webhook endpoint.',
        }),
      ),
    ),
  },
  { description: 'Exactly one of the two.' },
);

type Scalar = string | number | boolean | null;

/** What the table can hold of a text and of a number. */
const storable = {
  maxLength: maxTextLength,
  pattern: wellFormed,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

const Value = Type.Optional(
  Type.Unsafe<Scalar | (string | number | boolean)[]>({
    type: ['string', 'number', 'boolean', 'null', 'array'],
    ...storable,
    minItems: 1,
    maxItems: 100,
    items: { type: ['string', 'number', 'boolean'], ...storable },
    description:
      'A list for `in` and `not_in`; a number or a date-time for `gt`, `gte`, `lt`, `lte`; true or false for `exists`; ' +
      'null, with `eq` and `neq`, is what is absent.',
  }),
);

const Condition = Shape('AutomationCondition', {
  field: Type.String({
    maxLength: 200,
    pattern: '^[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*$',
    description:
      'A path into the payload of the event, such as `event_data.phase` or `context.order.total_order_price`. A number ' +
      'picks an element of a list; without one the condition is about any of them.',
  }),
  operator: Choice(operators),
  value: Value,
});

const Conditions = Shape(
  'AutomationConditions',
  {
    all: Type.Optional(Nullable(Type.Array(Condition, { maxItems: 20 }))),
    any: Type.Optional(Nullable(Type.Array(Condition, { minItems: 1, maxItems: 20 }))),
  },
  {
    description:
      'Exactly one of the two. They are looked at when the event comes, and again, on the order as it is then, when the ' +
      'actions are due.',
  },
);

const Action = Shape('AutomationAction', {
  type: Choice(actionTypes),
  params: Shape(
    'AutomationActionParams',
    {
      url: Type.Optional(Url({ description: 'Of `webhook`: https, at a public address.' })),
      integration: Type.Optional(Choice(notifiedIntegrations, { description: 'Of `integration`.' })),
      status: Type.Optional(Choice(claimStatuses, { description: 'Of `update_claim`.' })),
      segment: Type.Optional(Text(255, { minLength: 1, pattern: wellFormed, description: 'Of `add_segment`.' })),
    },
    { description: 'What the type takes.' },
  ),
});

const Name = () => Text(255, { minLength: 1, pattern: wellFormed, description: 'Unique in the shop.' });
const Status = (options: object = {}) =>
  Choice(automationStatuses, {
    description: '`testing` records what it would have done, and does nothing.',
    ...options,
  });
const Delay = (options: object = {}) =>
  Type.Integer({ minimum: 0, maximum: maxDelayMinutes, description: 'From the event to the actions.', ...options });
const MaxAge = (options: object = {}) =>
  Type.Integer({
    minimum: 1,
    maximum: 8760,
    description: 'An event that is older when it becomes known, or a run that is late by more, does nothing.',
    ...options,
  });

const AutomationInput = Shape('AutomationInput', {
  name: Name(),
  status: Status({ default: 'active' }),
  trigger: Trigger,
  conditions: Type.Optional(Nullable(Conditions)),
  actions: Type.Array(Action, { minItems: 1, maxItems: 10 }),
  delay_minutes: Delay({ default: 0 }),
  max_age_hours: MaxAge({ default: 4 }),
});

const Automation = Shape('Automation', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  name: Name(),
  status: Status(),
  trigger: Trigger,
  conditions: Nullable(Conditions),
  actions: Type.Array(Action),
  delay_minutes: Delay(),
  max_age_hours: MaxAge(),
  secret: Nullable(
    Type.String({ description: 'Signs the deliveries of its webhooks. Shown when it is created, and to `admin`.' }),
  ),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const RunCondition = Shape('AutomationRunCondition', {
  field: Type.String(),
  operator: Choice(operators),
  met: Type.Boolean(),
});

const RunAction = Shape('AutomationRunAction', {
  type: Choice(actionTypes),
  params: Action.properties.params,
  status: Choice(actionOutcomes, {
    description: '`done` of a webhook or an integration: handed over to be delivered, see `delivery`.',
  }),
  reason: Nullable(Type.String({ description: 'Why it failed.' })),
  delivery: Nullable(
    Shape('AutomationDelivery', {
      id: Uuid({ description: 'The header `webhook-id`.' }),
      status: Nullable(Type.String()),
      attempt_count: Type.Integer(),
    }),
  ),
});

const AutomationRun = Shape('AutomationRun', {
  id: Uuid(),
  time: DateTime({ description: 'When the event was triggered.' }),
  due_at: DateTime(),
  finished_at: Nullable(DateTime()),
  ref: Type.String(),
  event_group: Nullable(Type.String()),
  event_id: Type.String(),
  order_id: Uuid(),
  subject_id: Type.String({ description: 'The shipment or the claim.' }),
  status: Choice(runStatuses, {
    description:
      '`scheduled`: waits for its time. `pending`: about to act. `skipped`: see `reason`. `tested`: what it would have done.',
  }),
  reason: Nullable(Choice(runReasons)),
  conditions: Type.Array(RunCondition, { description: 'As they were looked at last.' }),
  actions: Type.Array(RunAction),
});

const DryRunRequest = Shape('AutomationDryRunRequest', {
  since: Type.Optional(Nullable(DateTime({ description: 'Seven days ago at the earliest, and if absent.' }))),
  until: Type.Optional(Nullable(DateTime({ description: 'Now, if absent.' }))),
});

const DryRun = Shape('AutomationDryRun', {
  since: DateTime(),
  until: DateTime(),
  orders: Type.Integer({ description: 'How many orders were looked at.' }),
  events: Type.Integer({ description: 'How many of their events.' }),
  matched: Type.Integer({ description: 'How often the automation would have fired, on the orders as they are now.' }),
  has_more: Type.Boolean({ description: 'Whether there are orders that were not looked at: those longest unchanged.' }),
  examples: Type.Array(
    Shape('AutomationDryRunExample', {
      time: DateTime(),
      ref: Type.String(),
      event_group: Nullable(Type.String()),
      order_id: Uuid(),
      subject_id: Type.String(),
    }),
    { description: 'Some of those that matched, newest first.' },
  ),
});

const automationsPath = `${shopPath}/automations` as const;
const automationPath = `${automationsPath}/{automation_id}` as const;
const automationParams = Type.Object({ automation_id: Uuid() });
const Pages = Type.Object({ ...paging });

export const automations = declare({
  listAutomations: {
    method: 'GET',
    path: automationsPath,
    role: 'viewer',
    summary: 'List automations',
    description: 'Newest first.',
    query: Pages,
    response: Type.Array(Automation),
  },
  createAutomation: {
    method: 'POST',
    path: automationsPath,
    role: 'editor',
    summary: 'Create an automation',
    description:
      'What is to happen when an event comes. A shop has 50 at most. An automation is never set off by what it did ' +
      'itself, nor are more than three set off by each other.',
    body: AutomationInput,
    response: Automation,
    errors: ['automation_exists'],
  },
  getAutomation: {
    method: 'GET',
    path: automationPath,
    role: 'viewer',
    summary: 'Get an automation',
    params: automationParams,
    response: Automation,
    errors: ['automation_not_found'],
  },
  replaceAutomation: {
    method: 'PUT',
    path: automationPath,
    role: 'editor',
    summary: 'Replace an automation',
    description: 'What is absent gets its default. What is scheduled acts as the automation says when its time comes.',
    params: automationParams,
    body: AutomationInput,
    response: Automation,
    errors: ['automation_not_found', 'automation_exists'],
  },
  deleteAutomation: {
    method: 'DELETE',
    path: automationPath,
    role: 'editor',
    summary: 'Delete an automation',
    description: 'What is scheduled does not happen. The name is free again.',
    params: automationParams,
    response: Empty,
    status: 204,
    errors: ['automation_not_found'],
  },
  listAutomationRuns: {
    method: 'GET',
    path: `${automationPath}/runs`,
    role: 'viewer',
    summary: 'List what an automation did',
    description: 'By the time of the event, newest first; kept for 30 days after they were due.',
    params: automationParams,
    query: Pages,
    response: Type.Array(AutomationRun),
    errors: ['automation_not_found', 'payload_too_large'],
  },
  dryRunAutomation: {
    method: 'POST',
    path: `${automationPath}/dry-run`,
    role: 'editor',
    summary: 'See how often an automation would have fired',
    description: 'Looks at the past events of the orders that changed last, whatever the status of the automation.',
    params: automationParams,
    body: DryRunRequest,
    response: DryRun,
    errors: ['automation_not_found'],
  },
});

export type AutomationInput = Static<typeof AutomationInput>;
export type Automation = Static<typeof Automation>;
export type AutomationRun = Static<typeof AutomationRun>;
export type AutomationDryRun = Static<typeof DryRun>;
export type Operator = (typeof operators)[number];
export type ActionType = (typeof actionTypes)[number];
export type RunStatus = (typeof runStatuses)[number];
export type RunReason = (typeof runReasons)[number];
