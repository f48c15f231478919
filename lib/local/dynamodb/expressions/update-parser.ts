import { type AttributeValue, typeOf } from '../values.ts';
import { Cursor } from './cursor.ts';
import { assertApart } from './paths.ts';
import type { References } from './references.ts';
import type { UpdateAction, UpdateOperand } from './syntax.ts';

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
    `Incorrect operand type for operator or function; operator: ${section}, operand type: ${TYPE_WORDS[type] ?? type}, typeset: ALLOWED_FOR_${section}_OPERAND`,
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

function parseSum(cursor: Cursor): UpdateOperand {
  if (cursor.accept('(')) {
    const inner = cursor.nested(() => parseSum(cursor));
    cursor.expect(')');
    return inner;
  }
  const left = parseOperand(cursor);
  const sign = cursor.accept('+') ? 1n : cursor.accept('-') ? -1n : undefined;
  if (sign === undefined) return left;
  cursor.operator();
  const right = parseOperand(cursor);
  for (const operand of [left, right]) checkNumber(cursor, operand, sign);
  return { kind: 'sum', sign, left, right };
}

function checkNumber(cursor: Cursor, operand: UpdateOperand, sign: bigint): void {
  if (operand.kind !== 'value' || 'N' in operand.value) return;
  throw cursor.invalid(
    `Incorrect operand type for operator or function; operator or function: ${sign === 1n ? '+' : '-'}, operand type: ${typeOf(operand.value)}`,
  );
}

function parseOperand(cursor: Cursor): UpdateOperand {
  if (cursor.peek().kind === 'value') return { kind: 'value', value: cursor.value() };
  if (cursor.peek().kind === 'word' && cursor.isSymbol('(', 1)) return cursor.nested(() => parseCall(cursor));
  return { kind: 'path', path: cursor.path() };
}

function parseCall(cursor: Cursor): UpdateOperand {
  const name = cursor.next().text;
  cursor.operator();
  cursor.expect('(');
  if (name === 'if_not_exists') {
    const path = cursor.path();
    cursor.expect(',');
    const fallback = parseOperand(cursor);
    cursor.expect(')');
    return { kind: 'if_not_exists', path, fallback };
  }
  if (name !== 'list_append') throw cursor.invalid(`Invalid function name; function: ${name}`);
  const left = parseOperand(cursor);
  cursor.expect(',');
  const right = parseOperand(cursor);
  cursor.expect(')');
  for (const operand of [left, right]) {
    if (operand.kind === 'value' && !('L' in operand.value)) {
      throw cursor.invalid(
        `Incorrect operand type for operator or function; operator or function: list_append, operand type: ${typeOf(operand.value)}`,
      );
    }
  }
  return { kind: 'list_append', left, right };
}
