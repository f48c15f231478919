import Type, { type Static } from 'typebox';
import { claimStatuses } from '../catalogues/enumerations.ts';
import { triggerFilters } from '../catalogues/event-filters.ts';
import { notifiedIntegrations } from '../catalogues/integrations.ts';
import { automationLimits } from '../catalogues/limits.ts';
import { eventGroups } from '../catalogues/shipment-events.ts';
import {
  CallableUrl,
  Choice,
  DateTime,
  Defaulted,
  Empty,
  Nullable,
  paging,
  Shape,
  Text,
  TimeFrom,
  TimeTo,
  Uuid,
} from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const automationStatuses = ['active', 'inactive', 'testing'] as const;
export const operators = ['eq', 'neq', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists'] as const;
const actionTypes = ['webhook', 'integration', 'update_claim', 'add_segment'] as const;
const runStatuses = ['scheduled', 'pending', 'done', 'failed', 'skipped', 'tested'] as const;
const actionOutcomes = ['waiting', 'done', 'failed', 'would_do', 'not_done'] as const;
/** The reasons why a run did nothing or an action failed. */
const runReasons = [
  'conditions_not_met',
  'too_old',
  'automation_inactive',
  'automation_deleted',
  'trigger_changed',
  'order_gone',
  'order_erased',
  'loop',
  'chain_too_long',
  'given_up',
] as const;

const maxDelayMinutes = automationLimits.delayDays * 24 * 60;
const maxTextLength = 500;

const Trigger = Shape(
  'AutomationTrigger',
  {
    event_group: Type.Optional(
      Nullable(Choice(eventGroups, { description: 'The automation runs for events of this group.' })),
    ),
    ref: Type.Optional(
      Nullable(
        Choice(triggerFilters, {
          description:
            'The automation runs for this event, phase or source. It has the same form as in `enabled_events` of a webhook endpoint.',
        }),
      ),
    ),
  },
  { description: 'Send exactly one of the two fields.' },
);

type Scalar = string | number | boolean | null;

/** The limits of the texts and numbers that the table can store. */
const storable = {
  maxLength: maxTextLength,
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
      'The value to compare with. `in` and `not_in` take a list. `gt`, `gte`, `lt` and `lte` take a number or a date-time. ' +
      '`exists` takes true or false. With `eq` and `neq`, null stands for an absent field.',
  }),
);

const Condition = Shape('AutomationCondition', {
  field: Type.String({
    maxLength: 200,
    pattern: '^[A-Za-z0-9_]+(\\.[A-Za-z0-9_]+)*$',
    description:
      'A path to a field in the payload of the event, such as `event_data.phase` or `context.order.total_order_price`. A ' +
      'number in the path selects one element of a list. Without a number, the condition is met if any element meets it.',
  }),
  operator: Choice(operators),
  value: Value,
});

const Conditions = Shape(
  'AutomationConditions',
  {
    all: Type.Optional(Nullable(Type.Array(Condition, { maxItems: 20, description: 'Every condition must be met.' }))),
    any: Type.Optional(
      Nullable(
        Type.Array(Condition, { minItems: 1, maxItems: 20, description: 'At least one condition must be met.' }),
      ),
    ),
  },
  {
    description:
      'Send exactly one of the two fields. The service checks the conditions when the event occurs. It checks them again, ' +
      'with the current state of the order, when the actions are due.',
  },
);

const Action = Shape('AutomationAction', {
  type: Choice(actionTypes),
  params: Shape(
    'AutomationActionParams',
    {
      url: Type.Optional(
        CallableUrl({
          description: 'For `webhook`: the URL that gets the event. It must use https and a public address.',
        }),
      ),
      integration: Type.Optional(
        Choice(notifiedIntegrations, { description: 'For `integration`: the integration that gets the event.' }),
      ),
      status: Type.Optional(Choice(claimStatuses, { description: 'For `update_claim`: the new status of the claim.' })),
      segment: Type.Optional(
        Text(255, {
          minLength: 1,
          description: 'For `add_segment`: the segment to add to the order.',
        }),
      ),
    },
    { description: 'Send the field that belongs to the `type`.' },
  ),
});

const Name = () => Text(255, { minLength: 1, description: 'The name of the automation. Unique in the shop.' });
const Status = (options: object = {}) =>
  Choice(automationStatuses, {
    description:
      'An `active` automation runs its actions. A `testing` automation only records what it would do. An `inactive` automation does nothing.',
    ...options,
  });
const Delay = (options: object = {}) =>
  Type.Integer({
    minimum: 0,
    maximum: maxDelayMinutes,
    description: 'How many minutes the actions wait after the event.',
    ...options,
  });
const MaxAge = (options: object = {}) =>
  Type.Integer({
    minimum: 1,
    maximum: 8760,
    description: 'An age in hours. The automation ignores an event that is older when the service gets it.',
    ...options,
  });

const AutomationInput = Shape('AutomationInput', {
  name: Name(),
  status: Defaulted(Status(), 'active'),
  trigger: Trigger,
  conditions: Type.Optional(Nullable(Conditions)),
  actions: Type.Array(Action, { minItems: 1, maxItems: 10 }),
  delay_minutes: Defaulted(Delay(), 0),
  max_age_hours: Defaulted(MaxAge(), 4),
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
    Type.String({
      description:
        'Signs the deliveries of the `webhook` actions. Only the response to the creation and responses to an `admin` show it; others show null.',
    }),
  ),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const RunCondition = Shape('AutomationRunCondition', {
  field: Type.String(),
  operator: Choice(operators),
  met: Type.Boolean({ description: 'Whether the condition was met.' }),
});

const RunAction = Shape('AutomationRunAction', {
  type: Choice(actionTypes),
  params: Action.properties.params,
  status: Choice(actionOutcomes, {
    description:
      'For a webhook or an integration, `done` means that the delivery is queued. See `delivery` for its result.',
  }),
  reason: Nullable(Type.String({ description: 'Why the action failed.' })),
  delivery: Nullable(
    Shape('AutomationDelivery', {
      id: Uuid({ description: 'The id of the delivery, as in the header `webhook-id`.' }),
      status: Nullable(Type.String({ description: 'The status of the delivery.' })),
      attempt_count: Type.Integer({ description: 'How many attempts were made.' }),
    }),
  ),
});

const AutomationRun = Shape('AutomationRun', {
  id: Uuid(),
  time: DateTime({ description: 'When the event was triggered.' }),
  due_at: DateTime({ description: 'When the actions are due.' }),
  finished_at: Nullable(DateTime({ description: 'When the run finished. Null before that.' })),
  ref: Type.String({ description: 'The event, such as `claims/created`.' }),
  event_group: Nullable(Type.String()),
  event_id: Type.String(),
  order_id: Uuid(),
  subject_id: Type.String({ description: 'The id of the shipment or the claim.' }),
  status: Choice(runStatuses, {
    description:
      '`scheduled`: the run waits for `due_at`. `pending`: the actions are about to start. `done`: the run is finished. ' +
      '`failed`: the run failed. `skipped`: the run did nothing, see `reason`. `tested`: the run recorded what it would have done.',
  }),
  reason: Nullable(Choice(runReasons, { description: 'Why the run did nothing or failed.' })),
  conditions: Type.Array(RunCondition, { description: 'The results of the last check of the conditions.' }),
  actions: Type.Array(RunAction),
});

const DryRunRequest = Shape('AutomationDryRunRequest', {
  since: Type.Optional(
    Nullable(TimeFrom('The time of the first event, up to seven days ago. Default: seven days ago.')),
  ),
  until: Type.Optional(Nullable(TimeTo('The time of the last event. Default: the current time.'))),
  order_id: Type.Optional(
    Nullable(
      Uuid({
        description: 'Only this order is checked, and `checks` explains each of its events that fits the trigger.',
      }),
    ),
  ),
});

const DryRunCheck = Shape('AutomationDryRunCheck', {
  time: DateTime(),
  ref: Type.String(),
  event_group: Nullable(Type.String()),
  subject_id: Type.String(),
  would_run: Type.Boolean({
    description: 'Whether the automation would have run, with the current state of the order.',
  }),
  reason: Nullable(Choice(runReasons, { description: 'Why it would not have run.' })),
  conditions: Type.Array(RunCondition),
});

const DryRun = Shape('AutomationDryRun', {
  since: DateTime(),
  until: DateTime(),
  orders: Type.Integer({ description: 'How many orders were checked.' }),
  events: Type.Integer({ description: 'How many events of these orders were checked.' }),
  matched: Type.Integer({
    description: 'How often the automation would have run, with the current state of the orders.',
  }),
  has_more: Type.Boolean({
    description:
      'Whether some orders were not checked. These are the orders that have not changed for the longest time. Of an ' +
      'order with thousands of events, some events may not be checked.',
  }),
  examples: Type.Array(
    Shape('AutomationDryRunExample', {
      time: DateTime(),
      ref: Type.String(),
      event_group: Nullable(Type.String()),
      order_id: Uuid(),
      subject_id: Type.String(),
    }),
    { description: 'Some of the events that matched, newest first.' },
  ),
  checks: Type.Optional(
    Type.Array(DryRunCheck, {
      description:
        'Only with `order_id`: the newest events of the order that fit the trigger, newest first, at most 50.',
    }),
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
    description: 'Returns the automations of the shop, newest first.',
    query: Pages,
    response: Type.Array(Automation),
  },
  createAutomation: {
    method: 'POST',
    path: automationsPath,
    role: 'editor',
    summary: 'Create an automation',
    description:
      'Creates an automation, which runs actions when an event occurs. A shop can have up to 50 automations. An automation ' +
      'never starts because of its own actions, and at most three automations can start each other in a chain.',
    body: AutomationInput,
    response: Automation,
    errors: ['automation_exists'],
  },
  getAutomation: {
    method: 'GET',
    path: automationPath,
    role: 'viewer',
    summary: 'Get an automation',
    description: 'Returns one automation.',
    params: automationParams,
    response: Automation,
    errors: ['automation_not_found'],
  },
  replaceAutomation: {
    method: 'PUT',
    path: automationPath,
    role: 'editor',
    summary: 'Replace an automation',
    description:
      'Replaces all fields of an automation. Fields that you leave out get their defaults. Runs that are already scheduled use the new definition when they are due.',
    ifMatch: true,
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
    description: 'Deletes an automation. Its scheduled runs do nothing. You can use its name again.',
    ifMatch: true,
    params: automationParams,
    response: Empty,
    status: 204,
    errors: ['automation_not_found'],
  },
  listAutomationRuns: {
    method: 'GET',
    path: `${automationPath}/runs`,
    role: 'viewer',
    summary: 'List the runs of an automation',
    description:
      'Returns the runs of an automation, newest event first. The service keeps a run for 30 days after it was due.',
    params: automationParams,
    query: Pages,
    response: Type.Array(AutomationRun),
    errors: ['automation_not_found', 'payload_too_large'],
  },
  dryRunAutomation: {
    method: 'POST',
    path: `${automationPath}/dry-run`,
    role: 'editor',
    summary: 'Test an automation with past events',
    description:
      'Counts how often the automation would have run for past events, without running its actions. The service checks the orders that changed last. The status of the automation does not matter.',
    params: automationParams,
    body: DryRunRequest,
    response: DryRun,
    errors: ['automation_not_found', 'order_not_found'],
  },
});

export type AutomationInput = Static<typeof AutomationInput>;
export type Automation = Static<typeof Automation>;
export type AutomationRun = Static<typeof AutomationRun>;
export type Operator = (typeof operators)[number];
export type ActionType = (typeof actionTypes)[number];
export type RunStatus = (typeof runStatuses)[number];
export type RunReason = (typeof runReasons)[number];
