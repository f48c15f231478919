import { describe, expect, test } from 'vitest';
import { nullRemover } from '#platform/http/absent-nulls.ts';
import { requestLimits } from '#schemas/catalogues/limits.ts';

const nested = (levels: number, value: unknown): unknown =>
  Array.from({ length: levels }).reduce((inner) => ({ a: inner }), value);

describe('a body whose nulls count as absent', () => {
  test('loses fields that are null, in objects and in the objects of lists', () => {
    const body = { a: null, b: { c: null, d: [{ e: null, f: 1 }, {}] }, g: [[{ h: null }]] };
    expect(nullRemover({})(body)).toEqual({ b: { d: [{ f: 1 }, {}] }, g: [[{}]] });
  });

  test('keeps every other value, and the order of its fields', () => {
    const body = { z: '', a: 0, m: false, n: 'null', nothing: null, list: [], object: {} };
    expect(JSON.stringify(nullRemover({})(body))).toBe('{"z":"","a":0,"m":false,"n":"null","list":[],"object":{}}');
  });

  test('keeps the nulls of lists', () => {
    expect(nullRemover({})([null, { a: [null, 1], b: null }])).toEqual([null, { a: [null, 1] }]);
  });

  test.each([null, 'null', 5, true])('may be %j', (body) => {
    expect(nullRemover({})(body)).toBe(body);
  });

  test('keeps null in fields that are excepted, and removes others within them', () => {
    const remove = nullRemover({ except: ['alt', 'address'] });
    expect(remove({ alt: null, address: { city: null }, images: [{ src: null, alt: null }] })).toEqual({
      alt: null,
      address: {},
      images: [{ alt: null }],
    });
  });

  test('keeps what is within a field that is left alone, which may be absent itself', () => {
    const remove = nullRemover({ notWithin: ['notes'] });
    expect(remove({ notes: { a: null, b: [{ c: null }] }, b: null })).toEqual({ notes: { a: null, b: [{ c: null }] } });
    expect(remove({ notes: null })).toEqual({});
  });

  test('may be nested as deeply as a body can be', () => {
    const { depth } = requestLimits;
    expect(nullRemover({})(nested(depth, { b: null }))).toEqual(nested(depth, {}));
    const tooDeep = nested(200_000, null);
    expect(() => nullRemover({})(tooDeep)).not.toThrow();
  });

  test('is not changed itself', () => {
    const body = { a: null, b: { c: null } };
    nullRemover({})(body);
    expect(body).toEqual({ a: null, b: { c: null } });
  });
});
