import { timeOf } from '#domain/automations/conditions.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type { AutomationInput, Operator } from '#schemas/families/automations.ts';

type Conditions = AutomationInput['conditions'];
type Condition = NonNullable<NonNullable<NonNullable<Conditions>['all']>>[number];

/** Everything that is wrong with conditions beyond the shape of their fields. */
export function conditionFaults(conditions: Conditions): FieldError[] {
  if (conditions == null) return [];
  const { all, any } = conditions;
  if ((all == null) === (any == null)) {
    return [
      { loc: ['body', 'conditions'], msg: 'must have exactly one of the fields all and any', type: 'value_error' },
    ];
  }
  const [group, list] = all != null ? (['all', all] as const) : (['any', any!] as const);
  return list.flatMap((condition, place) => faultsOf(condition, ['body', 'conditions', group, place]));
}

function faultsOf(condition: Condition, at: FieldError['loc']): FieldError[] {
  const value = valueFault(condition);
  return [
    ...(isInPayload(condition.field)
      ? []
      : [
          {
            loc: [...at, 'field'],
            msg: `must begin with one of ${beginnings.join(', ')}`,
            type: 'value_error' as const,
          },
        ]),
    ...(value ? [{ loc: [...at, 'value'], ...value }] : []),
  ];
}

/** What the payload of an event has, as far as its fields are always the same. */
const beginnings = [
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
  beginnings.some((beginning) =>
    beginning.endsWith('.') ? field.startsWith(beginning) : field === beginning || isWithinList(field, beginning),
  );

const isWithinList = (field: string, beginning: string) =>
  beginning.startsWith('context.') && field.startsWith(`${beginning}.`);

type Fault = Pick<FieldError, 'msg' | 'type'>;

/** An operator that is given what it cannot compare would never hold. */
function valueFault({ operator, value }: Condition): Fault | undefined {
  if (value === undefined) return operator === 'exists' ? undefined : { msg: 'is required', type: 'missing' };
  if (!expected[operator](value))
    return { msg: `must be ${words[operator]} with the operator ${operator}`, type: 'type_error' };
  return [value].flat().some(isTiny)
    ? { msg: `must be 0, or differ from 0 by more than ${tiniest}`, type: 'value_error' }
    : undefined;
}

/** The table holds no number that is closer to 0. */
const tiniest = 1e-100;
const isTiny = (value: Scalar) => typeof value === 'number' && value !== 0 && Math.abs(value) < tiniest;

type Value = NonNullable<Condition['value']> | null;
type Scalar = Exclude<Value, unknown[]>;

const isScalar = (value: Value) => !Array.isArray(value);
const isOrdered = (value: Value) => typeof value === 'number' || timeOf(value) !== undefined;

const expected: Record<Operator, (value: Value) => boolean> = {
  eq: isScalar,
  neq: isScalar,
  in: Array.isArray,
  not_in: Array.isArray,
  gt: isOrdered,
  gte: isOrdered,
  lt: isOrdered,
  lte: isOrdered,
  contains: (value) => isScalar(value) && value !== null,
  exists: (value) => typeof value === 'boolean',
};

const ordered = 'a number or a date-time';

const words: Record<Operator, string> = {
  eq: 'a string, a number, true, false or null',
  neq: 'a string, a number, true, false or null',
  in: 'a list',
  not_in: 'a list',
  gt: ordered,
  gte: ordered,
  lt: ordered,
  lte: ordered,
  contains: 'a string, a number, true or false',
  exists: 'true or false',
};
