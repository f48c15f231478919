import { describe, expect, test } from 'vitest';
import type { Fault } from '#platform/http/request.ts';
import { toFieldErrors } from '#platform/http/validation.ts';

const unknownAt = (instancePath: string, allowedValues: string[]): Fault => ({
  keyword: 'enum',
  instancePath,
  params: { allowedValues },
});

describe('the faults of a request', () => {
  test('are only counted from the hundredth on, so that the answer stays small enough to send', () => {
    const faults = Array.from({ length: 300_000 }, (_, i) => unknownAt(`/list/${i}`, ['a', 'b']));
    const errors = toFieldErrors('body', faults);
    expect(errors).toHaveLength(101);
    expect(errors[99]).toEqual({ loc: ['body', 'list', 99], msg: 'must be one of a, b', type: 'value_error' });
    expect(errors[100]).toEqual({ loc: ['body'], msg: 'has 299900 more errors', type: 'value_error' });
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
