import { type AttributeValue, compareValues, type TypeName, typeOf } from '../values.ts';
import { Cursor } from './cursor.ts';
import type { References } from './references.ts';
import type { Comparator, Condition, Operand, Path } from './syntax.ts';

const COMPARATORS = new Set(['=', '<>', '<', '<=', '>', '>=']);
const ORDERED = new Set<TypeName>(['S', 'N', 'B']);
const TYPES = new Set(['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M']);
const MAX_CANDIDATES = 100;

export function parseCondition(expression: string, source: string, references: References): Condition {
  const cursor = new Cursor(expression, source, references);
  const condition = parseOr(cursor);
  cursor.expectEnd();
  return condition;
}

function parseOr(cursor: Cursor): Condition {
  let left = parseAnd(cursor);
  while (cursor.acceptWord('OR')) {
    cursor.operator();
    left = { kind: 'or', left, right: parseAnd(cursor) };
  }
  return left;
}

function parseAnd(cursor: Cursor): Condition {
  let left = parseNot(cursor);
  while (cursor.acceptWord('AND')) {
    cursor.operator();
    left = { kind: 'and', left, right: parseNot(cursor) };
  }
  return left;
}

function parseNot(cursor: Cursor): Condition {
  if (!cursor.acceptWord('NOT')) return parsePrimary(cursor);
  cursor.operator();
  return cursor.nested(() => ({ kind: 'not', condition: parseNot(cursor) }));
}

function parsePrimary(cursor: Cursor): Condition {
  if (cursor.accept('(')) {
    const condition = cursor.nested(() => parseOr(cursor));
    cursor.expect(')');
    return condition;
  }
  const isCall = cursor.peek().kind === 'word' && cursor.isSymbol('(', 1);
  if (isCall && cursor.peek().text !== 'size') return parseFunction(cursor);
  return parseComparison(cursor, parseOperand(cursor));
}

function parseOperand(cursor: Cursor): Operand {
  if (cursor.peek().kind === 'value') return { kind: 'value', value: cursor.value() };
  if (cursor.peek().kind === 'word' && cursor.isSymbol('(', 1)) return parseSize(cursor);
  return { kind: 'path', path: cursor.path() };
}

function parseSize(cursor: Cursor): Operand {
  const name = cursor.next().text;
  if (name !== 'size') {
    throw cursor.invalid(
      CONDITION_FUNCTIONS.has(name)
        ? `The function is not allowed to be used this way in an expression; function: ${name}`
        : `Invalid function name; function: ${name}`,
    );
  }
  cursor.operator();
  cursor.expect('(');
  const path = cursor.path();
  cursor.expect(')');
  return { kind: 'size', path };
}

function parseComparison(cursor: Cursor, left: Operand): Condition {
  if (cursor.acceptWord('BETWEEN')) return parseBetween(cursor, left);
  if (cursor.acceptWord('IN')) return parseIn(cursor, left);
  const token = cursor.peek();
  if (token.kind !== 'symbol' || !COMPARATORS.has(token.text)) throw cursor.unexpected();
  const comparator = cursor.next().text as Comparator;
  cursor.operator();
  const right = parseOperand(cursor);
  if (comparator !== '=' && comparator !== '<>') {
    checkOrdered(cursor, comparator, left);
    checkOrdered(cursor, comparator, right);
  }
  return { kind: 'compare', comparator, left, right };
}

function parseBetween(cursor: Cursor, operand: Operand): Condition {
  cursor.operator();
  const low = parseOperand(cursor);
  if (!cursor.acceptWord('AND')) throw cursor.unexpected();
  const high = parseOperand(cursor);
  for (const bound of [operand, low, high]) checkOrdered(cursor, 'BETWEEN', bound);
  if (low.kind === 'value' && high.kind === 'value') checkBounds(cursor, low.value, high.value);
  return { kind: 'between', operand, low, high };
}

function checkBounds(cursor: Cursor, low: AttributeValue, high: AttributeValue): void {
  const show = (value: AttributeValue) => `AttributeValue: {${typeOf(value)}:${Object.values(value)[0]}}`;
  const order = compareValues(low, high);
  if (order === undefined) {
    throw cursor.invalid(
      `The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: ${show(low)}, upper bound operand: ${show(high)}`,
    );
  }
  if (order > 0) {
    throw cursor.invalid(
      `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: ${show(low)}, upper bound operand: ${show(high)}`,
    );
  }
}

function parseIn(cursor: Cursor, operand: Operand): Condition {
  cursor.operator();
  cursor.expect('(');
  const candidates = [parseOperand(cursor)];
  while (cursor.accept(',')) candidates.push(parseOperand(cursor));
  cursor.expect(')');
  if (candidates.length > MAX_CANDIDATES) {
    throw cursor.invalid(
      `The IN operator is provided with too many operands; number of operands: ${candidates.length}`,
    );
  }
  return { kind: 'in', operand, candidates };
}

function checkOrdered(cursor: Cursor, operator: string, operand: Operand): void {
  if (operand.kind !== 'value' || ORDERED.has(typeOf(operand.value))) return;
  throw cursor.invalid(
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeOf(operand.value)}`,
  );
}

const CONDITION_FUNCTIONS = new Map<string, (cursor: Cursor, operands: Operand[]) => Condition>([
  [
    'attribute_exists',
    (cursor, operands) => ({ kind: 'attribute_exists', path: pathOf(cursor, 'attribute_exists', operands, 1) }),
  ],
  [
    'attribute_not_exists',
    (cursor, operands) => ({ kind: 'attribute_not_exists', path: pathOf(cursor, 'attribute_not_exists', operands, 1) }),
  ],
  ['attribute_type', attributeType],
  ['begins_with', beginsWith],
  ['contains', (cursor, operands) => pair(cursor, 'contains', operands)],
]);

function parseFunction(cursor: Cursor): Condition {
  const name = cursor.next().text;
  const build = CONDITION_FUNCTIONS.get(name);
  if (!build) {
    throw cursor.invalid(
      name === 'if_not_exists' || name === 'list_append'
        ? `The function is not allowed in a condition expression; function: ${name}`
        : `Invalid function name; function: ${name}`,
    );
  }
  cursor.operator();
  cursor.expect('(');
  const operands = [parseOperand(cursor)];
  while (cursor.accept(',')) operands.push(parseOperand(cursor));
  cursor.expect(')');
  return build(cursor, operands);
}

function checkCount(cursor: Cursor, name: string, operands: Operand[], count: number): void {
  if (operands.length === count) return;
  throw cursor.invalid(
    `Incorrect number of operands for operator or function; operator or function: ${name}, number of operands: ${operands.length}`,
  );
}

function pathOf(cursor: Cursor, name: string, operands: Operand[], count: number): Path {
  checkCount(cursor, name, operands, count);
  const operand = operands[0]!;
  if (operand.kind !== 'path')
    throw cursor.invalid(`Operator or function requires a document path; operator or function: ${name}`);
  return operand.path;
}

function attributeType(cursor: Cursor, operands: Operand[]): Condition {
  const path = pathOf(cursor, 'attribute_type', operands, 2);
  const operand = operands[1]!;
  if (operand.kind !== 'value' || !('S' in operand.value)) {
    throw cursor.invalid(
      'Incorrect operand type for operator or function; operator or function: attribute_type, operand type: not a string',
    );
  }
  const type = operand.value.S;
  if (!TYPES.has(type)) throw cursor.invalid(`Invalid attribute type name found; type: ${type}`);
  return { kind: 'attribute_type', path, type };
}

function beginsWith(cursor: Cursor, operands: Operand[]): Condition {
  for (const operand of operands) {
    if (operand.kind !== 'value') continue;
    const type = typeOf(operand.value);
    if (type !== 'S' && type !== 'B') {
      throw cursor.invalid(
        `Incorrect operand type for operator or function; operator or function: begins_with, operand type: ${type}`,
      );
    }
  }
  return pair(cursor, 'begins_with', operands);
}

function pair(cursor: Cursor, kind: 'begins_with' | 'contains', operands: Operand[]): Condition {
  checkCount(cursor, kind, operands, 2);
  return { kind, path: operands[0]!, operand: operands[1]! };
}
