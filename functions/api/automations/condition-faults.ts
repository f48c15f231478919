import { timeOf } from '#domain/automations/conditions.ts';
import { valueError } from '#platform/errors.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type { AutomationInput, Operator } from '#schemas/families/automations.ts';

type Conditions = AutomationInput['conditions'];
type Condition = NonNullable<NonNullable<NonNullable<Conditions>['all']>>[number];

/** The faults of conditions that their schema cannot find. */
export function conditionFaults(conditions: Conditions): FieldError[] {
  if (conditions == null) return [];
  const { all, any } = conditions;
  if ((all == null) === (any == null)) {
    return [valueError(['body', 'conditions'], 'must have exactly one of the fields all and any')];
  }
  const [group, list] = all != null ? (['all', all] as const) : (['any', any!] as const);
  return list.flatMap((condition, index) => faultsOf(condition, ['body', 'conditions', group, index]));
}

function faultsOf(condition: Condition, at: FieldError['loc']): FieldError[] {
  const value = valueFault(condition);
  return [
    ...(isInPayload(condition.field)
      ? []
      : [valueError([...at, 'field'], `must begin with one of ${prefixes.join(', ')}`)]),
    ...(value ? [{ loc: [...at, 'value'], ...value }] : []),
  ];
}

/** How a field of the payload may begin, as far as the payload of every event is the same. */
const prefixes = [
  'source',
  'ref',
  'version',
  'triggered_at',
  'event_group',
  'event_data.',
  'context.order.',
  'context.customer.',
  'context.shipments',
  'context.claims',
  'shop_slug',
  'shop_id',
];

const isInPayload = (field: string): boolean =>
  prefixes.some((prefix) =>
    prefix.endsWith('.') ? field.startsWith(prefix) : field === prefix || isWithinList(field, prefix),
  );

const isWithinList = (field: string, prefix: string) => prefix.startsWith('context.') && field.startsWith(`${prefix}.`);

type Fault = Pick<FieldError, 'msg' | 'type'>;

/** If the operator cannot compare the value, the condition would never be met. */
function valueFault({ operator, value }: Condition): Fault | undefined {
  if (value === undefined) return operator === 'exists' ? undefined : { msg: 'is required', type: 'missing' };
  const { accepts, text } = operands[operator];
  if (!accepts(value)) return { msg: `must be ${text} with the operator ${operator}`, type: 'type_error' };
  return [value].flat().some(isTiny)
    ? { msg: `must be 0, or differ from 0 by more than ${minMagnitude}`, type: 'value_error' }
    : undefined;
}

/** The table cannot hold a number that is closer to 0. */
const minMagnitude = 1e-100;
const isTiny = (value: Scalar) => typeof value === 'number' && value !== 0 && Math.abs(value) < minMagnitude;

type Value = NonNullable<Condition['value']> | null;
type Scalar = Exclude<Value, unknown[]>;

interface Operand {
  accepts: (value: Value) => boolean;
  text: string;
}

const isScalar = (value: Value) => !Array.isArray(value);

const scalar: Operand = { accepts: isScalar, text: 'a string, a number, true, false or null' };
const list: Operand = { accepts: Array.isArray, text: 'a list' };
const ordered: Operand = {
  accepts: (value) => typeof value === 'number' || timeOf(value) !== undefined,
  text: 'a number or a date-time',
};

const operands: Record<Operator, Operand> = {
  eq: scalar,
  neq: scalar,
  in: list,
  not_in: list,
  gt: ordered,
  gte: ordered,
  lt: ordered,
  lte: ordered,
  contains: {
    accepts: (value) => isScalar(value) && value !== null,
    text: 'a string, a number, true or false',
  },
  exists: { accepts: (value) => typeof value === 'boolean', text: 'true or false' },
};
