import type { Automation, AutomationInput, Operator } from '#schemas/families/automations.ts';
import { orNull } from './typed-texts.ts';

/** An automation as its form holds it. */
export interface AutomationValues {
  name: string;
  status: string;
  /** `group:` or `ref:`, and the group or ref. */
  trigger: string;
  mode: 'all' | 'any';
  conditions: ConditionValues[];
  actions: ActionValues[];
  delay_minutes: string;
  max_age_hours: string;
}

export interface ConditionValues {
  field: string;
  operator: string;
  /** As somebody writes it: see `conditionValue`. */
  value: string;
}

export interface ActionValues {
  type: string;
  url: string;
  integration: string;
  status: string;
  segment: string;
}

export const operators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'contains',
  'exists',
] as const satisfies Operator[];

export const actionTypes = ['webhook', 'integration', 'update_claim', 'add_segment'] as const;

export const newCondition = (): ConditionValues => ({
  field: 'context.order.total_order_price',
  operator: 'gt',
  value: '',
});

export const newAction = (): ActionValues => ({
  type: 'add_segment',
  url: '',
  integration: 'integration_1',
  status: 'accepted',
  segment: '',
});

export function toValues(automation: Automation | null): AutomationValues {
  if (!automation) {
    return {
      name: '',
      status: 'testing',
      trigger: 'group:shipment_delivered',
      mode: 'all',
      conditions: [],
      actions: [newAction()],
      delay_minutes: '0',
      max_age_hours: '4',
    };
  }
  const { name, status, trigger, conditions, actions, delay_minutes, max_age_hours } = automation;
  return {
    name,
    status,
    trigger: trigger.event_group ? `group:${trigger.event_group}` : `ref:${trigger.ref}`,
    mode: conditions?.any ? 'any' : 'all',
    conditions: (conditions?.any ?? conditions?.all ?? []).map(({ field, operator, value }) => ({
      field,
      operator,
      value: textOf(value),
    })),
    actions: actions.map(({ type, params }) => ({ ...newAction(), type, ...params })),
    delay_minutes: String(delay_minutes),
    max_age_hours: String(max_age_hours),
  };
}

type Value = NonNullable<NonNullable<Automation['conditions']>['all']>[number]['value'];
type Scalar = string | number | boolean | null;

/** A text that looks like a number or a word of JSON stands in quotes. */
function textOf(value: Value): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(scalarText).join(', ');
  return scalarText(value);
}

const scalarText = (value: Scalar): string =>
  typeof value === 'string' && (scalarOf(value) !== value || value.includes(',')) ? `"${value}"` : String(value);

/** `5`, `true` and `null` are what they look like, `"5"` is a text, and everything else is one too. */
function scalarOf(text: string): Scalar {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  if (trimmed === 'null') return null;
  if (/^".*"$/.test(trimmed)) return trimmed.slice(1, -1);
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

/** Commas separate the entries of a list, unless they stand in quotes. */
const listOf = (text: string): Scalar[] => (text.match(/\s*"[^"]*"\s*|[^,]+/g) ?? []).map(scalarOf);

function conditionValue(operator: string, text: string): Value {
  if (operator === 'exists') return text !== 'false';
  return (operator === 'in' || operator === 'not_in' ? listOf(text) : scalarOf(text)) as Value;
}

export function toBody(values: AutomationValues) {
  const { name, status, trigger, mode, conditions, actions, delay_minutes, max_age_hours } = values;
  const [kind, ...rest] = trigger.split(':');
  const checked = conditions.map(({ field, operator, value }) => ({
    field: field.trim(),
    operator,
    value: conditionValue(operator, value),
  }));
  return {
    name: name.trim(),
    status,
    trigger: kind === 'group' ? { event_group: rest.join(':') } : { ref: rest.join(':') },
    conditions: checked.length === 0 ? null : { [mode]: checked },
    actions: actions.map((action) => ({ type: action.type, params: paramsOf(action) })),
    delay_minutes: Number(delay_minutes) || 0,
    max_age_hours: Number(max_age_hours) || 0,
  } as AutomationInput;
}

/** Only the one that belongs to the type. */
function paramsOf({ type, url, integration, status, segment }: ActionValues) {
  if (type === 'webhook') return { url: orNull(url) };
  if (type === 'integration') return { integration };
  return type === 'update_claim' ? { status } : { segment: segment.trim() };
}

/** The place of a fault in the request, as the name of a field. */
export const fieldOf = (place: string): string =>
  place.replace(/^conditions\.(all|any)\./, 'conditions.').replace('.params.', '.');
