import { describe, expect, test } from 'vitest';
import { toFieldErrors } from '#platform/http/validation.ts';
import { allOperations } from '#schemas/families/index.ts';
import { bodyWith, placesOf, type Schema } from '#test/kit/body-places.ts';
import { validatorOf } from '#test/kit/validators.ts';

/** The parameters of all queries that satisfy a condition. */
const parametersWith = (isWanted: (schema: Schema) => boolean) =>
  allOperations.flatMap(({ id, query }) =>
    Object.entries((query?.properties ?? {}) as Record<string, Schema>)
      .filter(([, schema]) => isWanted(schema))
      .map(([name]) => ({ id, name, query: query! })),
  );

/** What the function gets for a parameter, or the errors of the request. */
function received({ query, name }: { query: object; name: string }, value: string): unknown {
  const values: Record<string, unknown> = { [name]: value };
  const validate = validatorOf(query, 'text');
  return validate(values) ? values[name] : toFieldErrors('query', validate.errors!);
}

const isTime = ({ format }: Schema) => format === 'date-time';

describe('a date-time without an offset', () => {
  const places = placesOf(isTime);

  test('is UTC at each place of a body', () => {
    expect(places.length).toBeGreaterThan(20);
    for (const place of places) {
      const body = bodyWith(place, '2026-11-14T09:30:00.5');
      const validate = validatorOf(place.shape);
      validate(body);
      expect(body, `${place.name} ${place.path.join('.')}`).toMatchObject(
        bodyWith(place, '2026-11-14T09:30:00.5Z') as object,
      );
      const formatFaults = (validate.errors ?? []).filter(({ keyword }) => keyword === 'format');
      expect(formatFaults).toEqual([]);
    }
  });

  test.each([
    ['2026-11-14T09:30:00', '2026-11-14T09:30:00Z'],
    ['2026-11-14 09:30:00', '2026-11-14 09:30:00Z'],
    ['2026-11-14t09:30:00.123', '2026-11-14t09:30:00.123Z'],
    ['2026-11-14T09:30:00+02:00', '2026-11-14T09:30:00+02:00'],
  ])('is UTC in every query: %s means %s', (given, expected) => {
    for (const parameter of parametersWith(isTime)) expect(received(parameter, given)).toBe(expected);
  });
});

describe('a date alone', () => {
  const filters = parametersWith(isTime);

  test('means the start or the end of that day in every time filter', () => {
    const means = Object.fromEntries(filters.map((filter) => [filter.name, received(filter, '2026-02-28')]));
    const [start, end] = ['2026-02-28T00:00:00.000Z', '2026-02-28T23:59:59.999Z'];
    expect(means).toEqual({
      ...{ created_from: start, updated_from: start, order_placed_from: start },
      ...{ shipment_updated_since: start, since: start, start_date: start },
      ...{ created_to: end, updated_to: end, order_placed_to: end, until: end, end_date: end },
      ...{ from: start, to: end },
    });
  });

  test.each(['2026-02-30', '2026-13-01', '2026-2-3', '20260228', '2026-02', 'today', '2026-02-28T', ''])(
    'must be a day of the calendar: %j is refused',
    (given) => {
      for (const filter of filters) {
        expect(received(filter, given)).toEqual([
          { loc: ['query', filter.name], msg: 'must be a valid date-time', type: 'value_error' },
        ]);
      }
    },
  );

  test('is no time in a body, except in a time range', () => {
    const taken = placesOf(isTime).filter((place) => {
      const validate = validatorOf(place.shape);
      validate(bodyWith(place, '2026-02-28'));
      return !(validate.errors ?? []).some(({ keyword }) => keyword === 'format');
    });
    expect(taken.map(({ name, path }) => `${name} ${path.join('.')}`).toSorted()).toEqual([
      'dryRunAutomation since',
      'dryRunAutomation until',
      'recoverIntegration since',
      'recoverIntegration until',
    ]);
  });
});

describe('a text that may be a number', () => {
  const shape = { type: 'object', properties: { amount: { type: 'string', maxLength: 5, numberAsText: true } } };
  const taken = (amount: unknown) => {
    const body = { amount };
    return validatorOf(shape)(body) ? body.amount : validatorOf(shape).errors!.map(({ keyword }) => keyword);
  };

  test('is the text of the number', () => {
    expect(['4.9', 4.9, -4, 0].map(taken)).toEqual(['4.9', '4.9', '-4', '0']);
  });

  test('has the length of a text', () => {
    expect(taken(1234.56)).toEqual(['maxLength']);
  });

  test('is nothing else', () => {
    expect([true, null, Number.POSITIVE_INFINITY, [1]].map(taken)).toEqual(Array(4).fill(['type']));
    expect(validatorOf(shape)({})).toBe(true);
  });

  test('is at one place of the contract', () => {
    const places = placesOf((schema) => 'numberAsText' in schema);
    expect(new Set(places.map(({ path }) => path.slice(-3).join('.')))).toEqual(new Set(['discounts.*.amount']));
  });
});

describe('a boolean in a query', () => {
  const booleans = parametersWith(({ type }) => type === 'boolean');

  test.each([
    ...['true', 'True', 'TRUE', 'tRuE', '1'].map((given) => [given, true] as const),
    ...['false', 'False', 'FALSE', '0'].map((given) => [given, false] as const),
  ])('may be written %s', (given, expected) => {
    expect(booleans.length).toBeGreaterThan(3);
    for (const parameter of booleans) expect(received(parameter, given)).toBe(expected);
  });

  test.each(['yes', 'no', '2', '01', '-1', 'on', 't', 'null', '', ' true'])('cannot be written %j', (given) => {
    for (const parameter of booleans) {
      expect(received(parameter, given)).toEqual([
        { loc: ['query', parameter.name], msg: 'must be true or false', type: 'type_error' },
      ]);
    }
  });

  test('is no text in a body', () => {
    const validate = validatorOf({ type: 'object', properties: { enabled: { type: 'boolean' } } });
    expect([{ enabled: 'true' }, { enabled: 1 }, { enabled: true }].map((body) => validate(body))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
