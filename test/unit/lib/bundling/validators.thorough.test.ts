import { describe, expect, test } from 'vitest';
import { toFieldErrors } from '#platform/http/validation.ts';
import { bodyShapes, bodyWith, elementOf, isList, placesOf, type Schema } from '#test/kit/body-places.ts';
import { validatorOf } from '#test/kit/validators.ts';

const places = placesOf((schema) => elementOf(schema) !== undefined);

const bodyBytes = 200_000;

/** The list and the map with as many elements as such a body holds. */
function longValues(element: unknown) {
  const bytes = JSON.stringify(element).length;
  const elements = (more: number) => new Array(Math.floor(bodyBytes / (bytes + more))).fill(element);
  return { list: elements(1), map: Object.fromEntries(elements(9).map((one, i) => [`k${i}`, one])) };
}

/** Counts how often an element is looked at. */
function counted(schema: Schema, { list, map }: ReturnType<typeof longValues>) {
  const counter = { looks: 0 };
  const value = new Proxy(isList(schema) ? list : map, {
    get: (target, name) => {
      if (typeof name === 'string' && /^k?\d+$/.test(name)) counter.looks++;
      return Reflect.get(target, name);
    },
  });
  return { value, counter };
}

/** Each field of the objects around a list can have a hundred faults of its own. */
const maxCollected = 1000;

describe('a very long list or map', () => {
  test('has a limit at each place of the contract', () => {
    expect(places.length).toBeGreaterThan(50);
    const unbounded = places.filter(
      ({ schema }) => (isList(schema) ? schema.maxItems : schema.maxProperties) === undefined,
    );
    expect(unbounded.map(({ name, path }) => `${name} ${path.join('.')}`)).toEqual([]);
  });

  test('is nowhere checked by a keyword that compares its elements or tries several shapes', () => {
    const keywords = ['uniqueItems', 'contains', 'anyOf', 'oneOf', 'patternProperties', 'dependentSchemas'];
    const text = JSON.stringify(bodyShapes);
    expect(keywords.filter((keyword) => text.includes(`"${keyword}":`))).toEqual([]);
  });

  const elements = [{}, 0, '', [], null, true].map((element) => ({ element, text: JSON.stringify(element) }));

  test.each(elements)('of $text is looked at up to its limit and makes few faults', ({ element }) => {
    const values = longValues(element);
    for (const place of places) {
      const { name, shape, path, schema } = place;
      const validate = validatorOf(shape);
      const { value, counter } = counted(schema, values);
      const at = `${name} ${path.join('.')}`;
      expect(validate(bodyWith(place, value)), at).toBe(false);
      expect(validate.errors!.length, at).toBeLessThan(maxCollected);
      expect(counter.looks, at).toBeLessThanOrEqual(schema.maxItems ?? schema.maxProperties!);
      expect(toFieldErrors('body', validate.errors!).length, at).toBeLessThanOrEqual(101);
    }
  });

  test('in each of many elements makes few faults too', () => {
    for (const place of places.filter(({ path }) => path.includes('*'))) {
      const validate = validatorOf(place.shape);
      const value = isList(place.schema) ? new Array(1000).fill(Infinity) : { name: Infinity };
      expect(validate(bodyWith(place, value, 50))).toBe(false);
      expect(validate.errors!.length, `${place.name} ${place.path.join('.')}`).toBeLessThan(maxCollected);
    }
  });
});
