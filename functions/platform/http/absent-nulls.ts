import { requestLimits } from '#schemas/catalogues/limits.ts';
import type { NullIsAbsent } from '#schemas/families/operation.ts';

type Fields = Record<string, unknown>;

/**
 * The parsed body without the fields that are null, except those that the operation names. It makes new objects: to
 * delete fields from the old ones takes ten times as long. What is nested too deeply is left to the validation, which
 * refuses it. The parser has refused the name `__proto__`.
 */
export function nullRemover({ except = [], notWithin = [] }: NullIsAbsent): (body: unknown) => unknown {
  const keepsNull = new Set(except);
  const isLeftAlone = new Set(notWithin);

  function without(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || depth > requestLimits.depth) return value;
    if (Array.isArray(value)) return value.map((element) => without(element, depth + 1));
    const kept: Fields = {};
    for (const name in value) {
      const field = (value as Fields)[name];
      if (field !== null) kept[name] = isLeftAlone.has(name) ? field : without(field, depth + 1);
      else if (keepsNull.has(name)) kept[name] = null;
    }
    return kept;
  }

  return (body) => without(body, 0);
}
