import {
  type AttributeMap,
  type AttributeValue,
  attributeOf,
  compareValues,
  contentOf,
  equalValues,
  typeOf,
} from '../values.ts';
import type { Comparator, Condition, Operand, Path } from './syntax.ts';

export function valueAt(item: AttributeMap, path: Path): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item };
  for (const part of path) {
    if (value === undefined) return undefined;
    value = partOf(value, part);
  }
  return value;
}

function partOf(value: AttributeValue, part: string | number): AttributeValue | undefined {
  if (typeof part === 'number') return 'L' in value ? value.L[part] : undefined;
  return 'M' in value ? attributeOf(value.M, part) : undefined;
}

export function holds(condition: Condition, item: AttributeMap): boolean {
  switch (condition.kind) {
    case 'and':
      return holds(condition.left, item) && holds(condition.right, item);
    case 'or':
      return holds(condition.left, item) || holds(condition.right, item);
    case 'not':
      return !holds(condition.condition, item);
    case 'compare':
      return compares(condition.comparator, resolve(condition.left, item), resolve(condition.right, item));
    case 'between': {
      const value = resolve(condition.operand, item);
      return (
        compares('>=', value, resolve(condition.low, item)) && compares('<=', value, resolve(condition.high, item))
      );
    }
    case 'in': {
      const value = resolve(condition.operand, item);
      return condition.candidates.some((candidate) => compares('=', value, resolve(candidate, item)));
    }
    case 'attribute_exists':
      return valueAt(item, condition.path) !== undefined;
    case 'attribute_not_exists':
      return valueAt(item, condition.path) === undefined;
    case 'attribute_type': {
      const value = valueAt(item, condition.path);
      return value !== undefined && typeOf(value) === condition.type;
    }
    case 'begins_with':
      return beginsWith(resolve(condition.path, item), resolve(condition.operand, item));
    case 'contains':
      return contains(resolve(condition.path, item), resolve(condition.operand, item));
  }
}

function resolve(operand: Operand, item: AttributeMap): AttributeValue | undefined {
  if (operand.kind === 'value') return operand.value;
  const value = valueAt(item, operand.path);
  return operand.kind === 'path' || value === undefined ? value : sizeOf(value);
}

export function sizeOf(value: AttributeValue): AttributeValue | undefined {
  if ('S' in value) return { N: String(value.S.length) };
  if ('B' in value) return { N: String(Buffer.byteLength(value.B, 'base64')) };
  if ('M' in value) return { N: String(Object.keys(value.M).length) };
  const content = contentOf(value);
  return Array.isArray(content) ? { N: String(content.length) } : undefined;
}

function compares(
  comparator: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (left === undefined || right === undefined) return comparator === '<>';
  if (comparator === '=') return equalValues(left, right);
  if (comparator === '<>') return !equalValues(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  if (comparator === '<') return order < 0;
  if (comparator === '<=') return order <= 0;
  return comparator === '>' ? order > 0 : order >= 0;
}

function beginsWith(value: AttributeValue | undefined, prefix: AttributeValue | undefined): boolean {
  if (value === undefined || prefix === undefined) return false;
  if ('S' in value && 'S' in prefix) return value.S.startsWith(prefix.S);
  if (!('B' in value && 'B' in prefix)) return false;
  const start = Buffer.from(prefix.B, 'base64');
  return Buffer.from(value.B, 'base64').subarray(0, start.length).equals(start);
}

function contains(value: AttributeValue | undefined, operand: AttributeValue | undefined): boolean {
  if (value === undefined || operand === undefined) return false;
  if ('L' in value) return value.L.some((element) => equalValues(element, operand));
  if ('S' in operand) {
    if ('S' in value) return value.S.includes(operand.S);
    return 'SS' in value && value.SS.includes(operand.S);
  }
  if ('N' in operand) return 'NS' in value && value.NS.includes(operand.N);
  if (!('B' in operand)) return false;
  if ('BS' in value) return value.BS.includes(operand.B);
  return 'B' in value && Buffer.from(value.B, 'base64').includes(Buffer.from(operand.B, 'base64'));
}
