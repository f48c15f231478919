import { type AttributeValue, compareValues, type TypeName, typeOf } from '../values.ts';
import { Cursor } from './cursor.ts';
import { sizeOf } from './evaluate.ts';
import type { References } from './references.ts';
import { type Comparator, type Condition, type Operand, type Path, pathText, samePath } from './syntax.ts';
import type { Token } from './tokens.ts';

const COMPARATORS = new Set(['=', '<>', '<', '<=', '>', '>=']);
const ORDERED = new Set<TypeName>(['S', 'N', 'B']);
const TYPES = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'];
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
  if (cursor.isSymbol('(') && !isComparison(cursor.tokenAfterGroup())) return cursor.group(() => parseOr(cursor));
  const isCall = cursor.peek().kind === 'word' && cursor.isSymbol('(', 1);
  if (isCall && cursor.peek().text !== 'size') return parseFunction(cursor);
  return parseComparison(cursor, parseOperand(cursor));
}

const isComparison = (token: Token) =>
  token.kind === 'symbol' ? COMPARATORS.has(token.text) : token.kind === 'word' && /^(?:BETWEEN|IN)$/i.test(token.text);

function parseOperand(cursor: Cursor): Operand {
  if (cursor.isSymbol('(')) return cursor.group(() => parseOperand(cursor));
  if (cursor.peek().kind === 'value') return { kind: 'value', value: cursor.value() };
  if (cursor.peek().kind === 'word' && cursor.isSymbol('(', 1)) return parseSize(cursor);
  return { kind: 'path', path: cursor.path() };
}

function parseSize(cursor: Cursor): Operand {
  const name = cursor.next().text;
  if (name !== 'size') {
    throw CONDITION_FUNCTIONS.has(name)
      ? cursor.misused(name)
      : cursor.invalid(`Invalid function name; function: ${name}`);
  }
  const operands = cursor.callOperands(() => parseOperand(cursor));
  cursor.assertCount('size', operands, 1);
  const operand = operands[0]!;
  if (operand.kind === 'path') return { kind: 'size', path: operand.path };
  const value = operand.kind === 'value' ? sizeOf(operand.value) : undefined;
  if (!value) throw cursor.wrongOperandType('size', typeOfOperand(operand) ?? 'N');
  return { kind: 'value', value };
}

/** The type of a value or a size. The type of a path is not known before the item is. */
const typeOfOperand = (operand: Operand): TypeName | undefined => {
  if (operand.kind === 'path') return undefined;
  return operand.kind === 'size' ? 'N' : typeOf(operand.value);
};

function assertDistinct(cursor: Cursor, operator: string, first: Operand, others: Operand[]): void {
  if (first.kind !== 'path') return;
  if (!others.some((other) => other.kind === 'path' && samePath(first.path, other.path))) return;
  throw cursor.invalid(
    `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${pathText(first.path)}`,
  );
}

function parseComparison(cursor: Cursor, left: Operand): Condition {
  if (cursor.acceptWord('BETWEEN')) return parseBetween(cursor, left);
  if (cursor.acceptWord('IN')) return parseIn(cursor, left);
  if (!isComparison(cursor.peek())) throw left.kind === 'size' ? cursor.misused('size') : cursor.unexpected();
  const comparator = cursor.next().text as Comparator;
  cursor.operator();
  const right = parseOperand(cursor);
  assertDistinct(cursor, comparator, left, [right]);
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
  assertDistinct(cursor, 'BETWEEN', operand, [low, high]);
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
  const candidates = cursor.callOperands(() => parseOperand(cursor));
  assertDistinct(cursor, 'IN', operand, candidates);
  if (candidates.length > MAX_CANDIDATES) {
    throw cursor.invalid(
      `The IN operator is provided with too many operands; number of operands: ${candidates.length}`,
    );
  }
  return { kind: 'in', operand, candidates };
}

function checkOrdered(cursor: Cursor, operator: string, operand: Operand): void {
  if (operand.kind !== 'value' || ORDERED.has(typeOf(operand.value))) return;
  throw cursor.wrongOperandType(operator, typeOf(operand.value));
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
  const operands = cursor.callOperands(() => parseOperand(cursor));
  if (isComparison(cursor.peek())) throw cursor.misused(name);
  assertDistinct(cursor, name, operands[0]!, operands.slice(1));
  return build(cursor, operands);
}

function pathOf(cursor: Cursor, name: string, operands: Operand[], count: number): Path {
  cursor.assertCount(name, operands, count);
  const operand = operands[0]!;
  if (operand.kind !== 'path') throw cursor.pathRequired(name);
  return operand.path;
}

function attributeType(cursor: Cursor, operands: Operand[]): Condition {
  const path = pathOf(cursor, 'attribute_type', operands, 2);
  const operand = operands[1]!;
  if (operand.kind !== 'value' || !('S' in operand.value)) {
    throw cursor.wrongOperandType('attribute_type', typeOfOperand(operand) ?? 'not a string');
  }
  const type = operand.value.S;
  if (!TYPES.includes(type)) {
    throw cursor.invalid(`Invalid attribute type name found; type: ${type}, valid types: {${TYPES.join(',')}}`);
  }
  return { kind: 'attribute_type', path, type };
}

function beginsWith(cursor: Cursor, operands: Operand[]): Condition {
  for (const operand of operands) {
    const type = typeOfOperand(operand);
    if (type && type !== 'S' && type !== 'B') throw cursor.wrongOperandType('begins_with', type);
  }
  return pair(cursor, 'begins_with', operands);
}

function pair(cursor: Cursor, kind: 'begins_with' | 'contains', operands: Operand[]): Condition {
  cursor.assertCount(kind, operands, 2);
  return { kind, path: operands[0]!, operand: operands[1]! };
}
