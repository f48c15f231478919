import { canMatchClaimEvents } from '#domain/automations/decision.ts';
import {
  type Action,
  type AutomationFields,
  type AutomationRecord,
  actionName,
  type Conditions,
  type Trigger,
} from '#domain/automations/model.ts';
import { valueError } from '#platform/errors.ts';
import { addressFault } from '#platform/outgoing/address-guard.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import { automationLimits } from '#schemas/catalogues/limits.ts';
import type { Automation, AutomationInput } from '#schemas/families/automations.ts';
import { conditionFaults } from './condition-faults.ts';

type Definition = Omit<AutomationFields, 'secrets'>;
type ActionInput = AutomationInput['actions'][number];

/** The one parameter of each type of action. Others that a request sends are dropped. */
const parameterOf = {
  webhook: 'url',
  integration: 'integration',
  update_claim: 'status',
  add_segment: 'segment',
} as const satisfies Record<ActionInput['type'], keyof ActionInput['params']>;

/** The body must have passed `automationFaults`. */
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

function actionOf({ type, params }: ActionInput): Action {
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

/** The faults of an automation that its schema cannot find. */
export async function automationFaults(body: AutomationInput): Promise<FieldError[]> {
  const faults = await Promise.all(body.actions.map((_, index) => actionFaults(body, index)));
  return [...sizeFaults(body), ...triggerFaults(body), ...conditionFaults(body.conditions), ...faults.flat()];
}

/** Every event of the shop is matched against all its automations, and each automation is one item of the table. */
const { definitionBytes: maxDefinitionBytes } = automationLimits;

function sizeFaults(body: AutomationInput): FieldError[] {
  if (Buffer.byteLength(JSON.stringify(body)) <= maxDefinitionBytes) return [];
  return [valueError(['body'], `must have at most ${maxDefinitionBytes} bytes in total`)];
}

function triggerFaults({ trigger: { event_group, ref } }: AutomationInput): FieldError[] {
  if ((event_group == null) !== (ref == null)) return [];
  return [valueError(['body', 'trigger'], 'must have exactly one of the fields event_group and ref')];
}

async function actionFaults(body: AutomationInput, index: number): Promise<FieldError[]> {
  const action = body.actions[index]!;
  const { type, params } = action;
  const parameter = parameterOf[type];
  const at = ['body', 'actions', index];
  if (params[parameter] === undefined) {
    return [{ loc: [...at, 'params', parameter], msg: 'is required', type: 'missing' }];
  }
  const url = type === 'webhook' ? await addressFault(params.url!) : undefined;
  const faults: FieldError[] = [];
  if (url) faults.push(valueError([...at, 'params', 'url'], url));
  if (type === 'update_claim' && !mayBeOfClaims(body)) {
    faults.push(valueError([...at, 'type'], 'must be used with a trigger for events of claims'));
  }
  if (body.actions.slice(0, index).some((other) => isSame(other, action))) {
    faults.push(valueError(at, 'must appear only once in the list'));
  }
  return faults;
}

/** An invalid trigger must not cause faults of the actions too. */
function mayBeOfClaims({ trigger: { event_group, ref } }: AutomationInput): boolean {
  const triggers = [...(event_group != null ? [{ event_group }] : []), ...(ref != null ? [{ ref }] : [])];
  return triggers.length === 0 || triggers.some(canMatchClaimEvents);
}

const isSame = (a: ActionInput, b: ActionInput) => actionName(actionOf(a)) === actionName(actionOf(b));
