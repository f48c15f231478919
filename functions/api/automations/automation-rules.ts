import type { Action, AutomationFields, AutomationRecord, Conditions, Trigger } from '#domain/automations/model.ts';
import type { Automation, AutomationInput } from '#schemas/families/automations.ts';

type Definition = Omit<AutomationFields, 'secrets'>;
type ActionInput = AutomationInput['actions'][number];

/** The parameter that each type takes: others that were given are dropped. */
export const parameterOf = {
  webhook: 'url',
  integration: 'integration',
  update_claim: 'status',
  add_segment: 'segment',
} as const satisfies Record<ActionInput['type'], keyof ActionInput['params']>;

/** What an automation is, from what the caller said about it and what was checked before. */
export function definitionOf({
  name,
  status,
  trigger,
  conditions,
  actions,
  delay_minutes,
  max_age_hours,
}: AutomationInput): Definition {
  return {
    name,
    status,
    trigger: triggerOf(trigger),
    conditions: conditions ? conditionsOf(conditions) : null,
    actions: actions.map(actionOf),
    delay_minutes,
    max_age_hours,
  };
}

const triggerOf = ({ event_group, ref }: AutomationInput['trigger']): Trigger =>
  event_group != null ? { event_group } : { ref: ref! };

function conditionsOf({ all, any }: NonNullable<AutomationInput['conditions']>): Conditions {
  const withValues = (list: NonNullable<typeof all>) => list.map(({ value = true, ...rest }) => ({ ...rest, value }));
  return all != null ? { all: withValues(all) } : { any: withValues(any!) };
}

export function actionOf({ type, params }: ActionInput): Action {
  const name = parameterOf[type];
  return { type, params: { [name]: params[name] } } as Action;
}

export function toAutomation(automation: AutomationRecord, secret: string | null): Automation {
  const { uuid, shop_slug, name, status, trigger, conditions, actions, delay_minutes, max_age_hours } = automation;
  const { created_at, updated_at } = automation;
  return {
    uuid,
    shop_slug,
    name,
    status,
    trigger: trigger as Automation['trigger'],
    conditions,
    actions: actions as Automation['actions'],
    delay_minutes,
    max_age_hours,
    secret,
    created_at,
    updated_at,
  };
}
