import { type AttributeValue, typeOf } from '../values.ts';
import { Cursor } from './cursor.ts';
import { assertApart } from './paths.ts';
import type { References } from './references.ts';
import type { UpdateAction, UpdateOperand } from './syntax.ts';
import type { Token } from './tokens.ts';

const SECTIONS = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;
type Section = (typeof SECTIONS)[number];

export function parseUpdate(expression: string, references: References): UpdateAction[] {
  const cursor = new Cursor(expression, 'UpdateExpression', references);
  const actions: UpdateAction[] = [];
  const seen = new Set<Section>();
  while (cursor.peek().kind !== 'end') {
    const section = SECTIONS.find((name) => cursor.isWord(name));
    if (!section) throw cursor.unexpected();
    if (seen.has(section)) {
      throw cursor.invalid(`The "${section}" section can only be used once in an update expression;`);
    }
    seen.add(section);
    cursor.next();
    actions.push(...parseSection(cursor, section));
  }
  assertApart(
    actions.map((action) => action.path),
    cursor,
  );
  return actions;
}

function parseSection(cursor: Cursor, section: Section): UpdateAction[] {
  const actions = [parseAction(cursor, section)];
  while (cursor.accept(',')) actions.push(parseAction(cursor, section));
  return actions;
}

function parseAction(cursor: Cursor, section: Section): UpdateAction {
  cursor.operator();
  const path = cursor.path();
  if (section === 'REMOVE') return { kind: 'remove', path };
  if (section === 'SET') {
    cursor.expect('=');
    return { kind: 'set', path, operand: parseSum(cursor) };
  }
  const value = cursor.value();
  if (section === 'ADD') {
    checkType(cursor, section, value, ['N', 'SS', 'NS', 'BS']);
    return { kind: 'add', path, value };
  }
  checkType(cursor, section, value, ['SS', 'NS', 'BS']);
  return { kind: 'delete', path, value };
}

function checkType(cursor: Cursor, section: Section, value: AttributeValue, allowed: string[]): void {
  const type = typeOf(value);
  if (allowed.includes(type)) return;
  throw cursor.invalid(
    `Incorrect operand type for operator or function; operator: ${section}, operand type: ${TYPE_WORDS[type] ?? type}, typeSet: ALLOWED_FOR_${section}_OPERAND`,
  );
}

const TYPE_WORDS: Record<string, string> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  L: 'LIST',
  M: 'MAP',
};

const isSign = (token: Token) => token.kind === 'symbol' && (token.text === '+' || token.text === '-');

function parseSum(cursor: Cursor): UpdateOperand {
  if (cursor.isSymbol('(') && !isSign(cursor.tokenAfterGroup())) return cursor.group(() => parseSum(cursor));
  const left = parseOperand(cursor);
  const sign = cursor.accept('+') ? 1n : cursor.accept('-') ? -1n : undefined;
  if (sign === undefined) return left;
  cursor.operator();
  const right = parseOperand(cursor);
  for (const operand of [left, right]) {
    refuseListAppend(cursor, operand);
    checkNumber(cursor, operand, sign);
  }
  return { kind: 'sum', sign, left, right };
}

function checkNumber(cursor: Cursor, operand: UpdateOperand, sign: bigint): void {
  if (operand.kind !== 'value' || 'N' in operand.value) return;
  throw cursor.wrongOperandType(sign === 1n ? '+' : '-', typeOf(operand.value));
}

/** list_append may only be the whole right-hand side of a SET. */
function refuseListAppend(cursor: Cursor, operand: UpdateOperand): void {
  if (operand.kind === 'list_append') throw cursor.misused('list_append');
}

function parseOperand(cursor: Cursor): UpdateOperand {
  if (cursor.isSymbol('(')) return cursor.group(() => parseOperand(cursor));
  if (cursor.peek().kind === 'value') return { kind: 'value', value: cursor.value() };
  if (cursor.peek().kind === 'word' && cursor.isSymbol('(', 1)) return cursor.nested(() => parseCall(cursor));
  return { kind: 'path', path: cursor.path() };
}

const CONDITION_FUNCTIONS = [
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
  'size',
];

function parseCall(cursor: Cursor): UpdateOperand {
  const name = cursor.next().text;
  if (CONDITION_FUNCTIONS.includes(name)) {
    throw cursor.invalid(`The function is not allowed in an update expression; function: ${name}`);
  }
  if (name !== 'if_not_exists' && name !== 'list_append') {
    throw cursor.invalid(`Invalid function name; function: ${name}`);
  }
  const operands = cursor.callOperands(() => parseOperand(cursor));
  cursor.assertCount(name, operands, 2);
  for (const operand of operands) refuseListAppend(cursor, operand);
  const [first, second] = operands as [UpdateOperand, UpdateOperand];
  return name === 'if_not_exists' ? ifNotExists(cursor, first, second) : listAppend(cursor, first, second);
}

function ifNotExists(cursor: Cursor, first: UpdateOperand, fallback: UpdateOperand): UpdateOperand {
  if (first.kind !== 'path') throw cursor.pathRequired('if_not_exists');
  return { kind: 'if_not_exists', path: first.path, fallback };
}

function listAppend(cursor: Cursor, left: UpdateOperand, right: UpdateOperand): UpdateOperand {
  for (const operand of [left, right]) {
    if (operand.kind === 'value' && !('L' in operand.value)) {
      throw cursor.wrongOperandType('list_append', typeOf(operand.value));
    }
  }
  return { kind: 'list_append', left, right };
}
