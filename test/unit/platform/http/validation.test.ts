import { describe, expect, test } from 'vitest';
import type { Fault, RuntimeOperation } from '#platform/http/request.ts';
import { toFieldErrors, validation } from '#platform/http/validation.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type { Role } from '#schemas/families/operation.ts';
import { bodyWith, locOf, placesOf, type Schema } from '#test/kit/body-places.ts';
import { validatorOf } from '#test/kit/validators.ts';

const unknownAt = (instancePath: string, allowedValues: string[]): Fault => ({
  keyword: 'enum',
  instancePath,
  params: { allowedValues },
});

const more = 'may have more errors: the service stops after 100';

describe('the faults of a request', () => {
  test('beyond the hundredth are not named, so that the answer stays small enough to send', () => {
    const faults = Array.from({ length: 101 }, (_, i) => unknownAt(`/list/${i}`, ['a', 'b']));
    const errors = toFieldErrors('body', faults);
    expect(errors).toHaveLength(101);
    expect(errors[99]).toEqual({ loc: ['body', 'list', 99], msg: 'must be one of a, b', type: 'value_error' });
    expect(errors[100]).toEqual({ loc: ['body'], msg: more, type: 'value_error' });
    expect(toFieldErrors('body', faults.slice(0, 100))).toHaveLength(100);
  });

  test('name a few of many allowed values, and how many there are', () => {
    const values = Array.from({ length: 175 }, (_, i) => `value_${i}`);
    const [error] = toFieldErrors('body', [unknownAt('/one', values)]);
    expect(error!.msg).toMatch(/^must be one of value_0, .*, value_39, … \(175 values/);
    expect(toFieldErrors('body', [unknownAt('/one', values.slice(0, 40))])[0]!.msg).toMatch(/value_39$/);
  });

  test('keep a field name of digits that is no index', () => {
    const name = '9'.repeat(400);
    expect(toFieldErrors('body', [unknownAt(`/${name}`, ['a'])])[0]!.loc).toEqual(['body', name.slice(0, 255)]);
  });

  test('show only the beginning of a long name that the caller gave', () => {
    const faults = Array.from({ length: 100 }, (_, i) => unknownAt(`/${'x'.repeat(1_000_000)}/${i}`, ['a']));
    expect(JSON.stringify(toFieldErrors('body', faults)).length).toBeLessThan(100_000);
  });
});

/** The errors that a request with this body gets, in the form of the contract. */
async function errorsOf(shape: object, body: unknown, role: Role = 'editor'): Promise<FieldError[]> {
  const operation = { id: 'operation', role, bodyType: 'json', body: async () => validatorOf(shape) };
  const { before } = validation(operation as unknown as RuntimeOperation)!;
  try {
    await before!({ event: { body }, context: {} } as never);
    return [];
  } catch (error) {
    return (error as { cause: { data: FieldError[] } }).cause.data;
  }
}

const half = 'must not contain half of a character (an unpaired surrogate such as \\ud83d)';
const takesText = ({ type, enum: values }: Schema) => [type].flat().includes('string') && values === undefined;

describe('half of a character', () => {
  const texts = placesOf(takesText).filter(({ role }) => role !== 'signed' && role !== 'message');

  test('is refused in every text of every body', async () => {
    expect(texts.length).toBeGreaterThan(200);
    for (const place of texts) {
      const errors = await errorsOf(place.shape, bodyWith(place, 'a\ud800'));
      const loc = ['body', ...locOf(place)];
      expect(errors, `${place.name} ${place.path.join('.')}`).toContainEqual({ loc, msg: half, type: 'value_error' });
    }
  });

  const anything = { type: 'object' };

  test('is refused in the name of a field, which the answer repeats as a whole text', async () => {
    expect(await errorsOf(anything, { a: [{ 'x\ud800/~': 1 }] })).toEqual([
      { loc: ['body', 'a', 0, 'x\ufffd/~'], msg: `has a field name that ${half}`, type: 'value_error' },
    ]);
  });

  test('does not matter in a field that the service does not know, because the field is dropped', async () => {
    const shape = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    expect(await errorsOf(shape, { a: '💥', b: '\ud800', '\ud800': 1 })).toEqual([]);
  });

  test('is reported a hundred times at most', async () => {
    const errors = await errorsOf(anything, { list: new Array(100_000).fill('\udc00') });
    expect(errors).toHaveLength(101);
    expect(errors[100]).toEqual({ loc: ['body'], msg: more, type: 'value_error' });
  });

  test('is not looked for in what a shop signs, because it is repaired there', async () => {
    expect(await errorsOf(anything, { a: '\ud800' }, 'signed')).toEqual([]);
  });
});

test.each([100, 101])('a body nested %i levels deep is refused if that is more than a hundred', async (depth) => {
  const nested = JSON.parse(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`);
  const errors = await errorsOf({ type: 'object' }, nested);
  expect(errors.map(({ msg }) => msg)).toEqual(depth > 100 ? ['must not be nested deeper than 100 levels'] : []);
});
