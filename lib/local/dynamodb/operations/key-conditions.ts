import { type KeySchema, keyNames, type TableDefinition } from '../definitions.ts';
import { invalidParameter, validation } from '../errors.ts';
import type { Comparator, Condition, Operand } from '../expressions/syntax.ts';
import { assertNotEmpty, sortBytes } from '../keys.ts';
import { type AttributeValue, typeOf } from '../values.ts';

interface Bound {
  bytes: Buffer;
  inclusive: boolean;
}

/** One partition and the range of sort keys that a query reads. */
export interface KeyRange {
  hash: Buffer;
  low?: Bound;
  high?: Bound;
}

interface KeyTest {
  attribute: string;
  operator: '=' | '<' | '<=' | '>' | '>=' | 'between' | 'begins_with';
  values: AttributeValue[];
}

export function keyRangeOf(condition: Condition, table: TableDefinition, key: KeySchema): KeyRange {
  const tests = testsOf(condition);
  assertOnePerAttribute(tests);
  const attributes = keyNames(key).length;
  if (tests.length > Math.max(attributes, 2)) {
    throw validation(
      `The number of query conditions (${tests.length}) exceeds the number of key attributes defined in the schema (${attributes})`,
    );
  }
  const hash = tests.find((test) => test.attribute === key.hash);
  if (!hash) throw validation(`Query condition missed key schema element: ${key.hash}`);
  if (hash.operator !== '=') throw validation('Query key condition not supported');
  const range = tests.find((test) => test !== hash);
  if (range && range.attribute !== key.range) {
    throw validation(
      key.range === undefined
        ? 'Query key condition not supported'
        : `Query condition missed key schema element: ${key.range}`,
    );
  }
  for (const test of tests) assertTypes(test, table);
  return { hash: sortBytes(hash.values[0]!), ...(range && boundsOf(range)) };
}

function testsOf(condition: Condition): KeyTest[] {
  return condition.kind === 'and' ? [...testsOf(condition.left), ...testsOf(condition.right)] : [testOf(condition)];
}

function testOf(condition: Condition): KeyTest {
  switch (condition.kind) {
    case 'compare': {
      if (condition.comparator === '<>') throw unsupported('<>');
      const { left, right, comparator } = condition.left.kind === 'value' ? mirrored(condition) : condition;
      return { attribute: nameOf(left), operator: comparator as KeyTest['operator'], values: [comparedValue(right)] };
    }
    case 'between': {
      const values = [comparedValue(condition.low), comparedValue(condition.high)];
      return { attribute: nameOf(condition.operand), operator: 'between', values };
    }
    case 'begins_with':
      return { attribute: nameOf(condition.path), operator: 'begins_with', values: [comparedValue(condition.operand)] };
    default:
      throw unsupported(LOGICAL.has(condition.kind) ? condition.kind.toUpperCase() : condition.kind);
  }
}

const MIRRORED: Record<Comparator, Comparator> = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

const mirrored = (test: { comparator: Comparator; left: Operand; right: Operand }) => ({
  left: test.right,
  right: test.left,
  comparator: MIRRORED[test.comparator],
});

const LOGICAL = new Set(['or', 'not', 'in']);
const unsupported = (operator: string) => validation(`Invalid operator used in KeyConditionExpression: ${operator}`);

function nameOf(operand: Operand): string {
  if (operand.kind === 'size') throw nestedOperation();
  if (operand.kind === 'value') {
    throw validation('Invalid condition in KeyConditionExpression: No key attribute specified');
  }
  if (operand.path.length > 1) {
    throw validation(
      'Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes',
    );
  }
  return String(operand.path[0]);
}

const nestedOperation = () => validation('KeyConditionExpressions cannot contain nested operations');

function comparedValue(operand: Operand): AttributeValue {
  if (operand.kind === 'value') return operand.value;
  if (operand.kind === 'size') throw nestedOperation();
  throw validation('Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition');
}

function assertOnePerAttribute(tests: KeyTest[]): void {
  if (new Set(tests.map((test) => test.attribute)).size < tests.length) {
    throw validation('Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key');
  }
}

function assertTypes(test: KeyTest, table: TableDefinition): void {
  for (const value of test.values) {
    if (typeOf(value) !== table.types[test.attribute]) {
      throw invalidParameter('Condition parameter type does not match schema type');
    }
    assertNotEmpty(value, test.attribute);
  }
}

function boundsOf(test: KeyTest): Pick<KeyRange, 'low' | 'high'> {
  const [first, second] = test.values.map(sortBytes) as [Buffer, Buffer];
  const at = (bytes: Buffer, inclusive = true): Bound => ({ bytes, inclusive });
  switch (test.operator) {
    case '=':
      return { low: at(first), high: at(first) };
    case '<':
    case '<=':
      return { high: at(first, test.operator === '<=') };
    case '>':
    case '>=':
      return { low: at(first, test.operator === '>=') };
    case 'between':
      return { low: at(first), high: at(second) };
    case 'begins_with': {
      const end = successor(first);
      return { low: at(first), ...(end && { high: at(end, false) }) };
    }
  }
}

/** The first bytes after all keys with this prefix. Undefined if the prefix is only 0xff. */
function successor(prefix: Buffer): Buffer | undefined {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  if (length === 0) return undefined;
  const end = Buffer.from(prefix.subarray(0, length));
  end[length - 1]! += 1;
  return end;
}

export function isWithin(range: KeyRange, hash: Buffer, sort: Buffer): boolean {
  if (!range.hash.equals(hash)) return false;
  const low = range.low ? Buffer.compare(sort, range.low.bytes) : 1;
  const high = range.high ? Buffer.compare(sort, range.high.bytes) : -1;
  return (low > 0 || (low === 0 && range.low!.inclusive)) && (high < 0 || (high === 0 && range.high!.inclusive));
}
