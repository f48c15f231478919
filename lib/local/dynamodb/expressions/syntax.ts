import type { AttributeValue } from '../values.ts';

/** Attribute names and list indexes, from the top of the item. */
export type Path = (string | number)[];

export type Operand =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; value: AttributeValue }
  | { kind: 'size'; path: Path };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

type ConditionFunction =
  | { kind: 'attribute_exists' | 'attribute_not_exists'; path: Path }
  | { kind: 'attribute_type'; path: Path; type: string }
  | { kind: 'begins_with' | 'contains'; path: Operand; operand: Operand };

export type Condition =
  | { kind: 'and' | 'or'; left: Condition; right: Condition }
  | { kind: 'not'; condition: Condition }
  | { kind: 'compare'; comparator: Comparator; left: Operand; right: Operand }
  | { kind: 'between'; operand: Operand; low: Operand; high: Operand }
  | { kind: 'in'; operand: Operand; candidates: Operand[] }
  | ConditionFunction;

export type UpdateOperand =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; value: AttributeValue }
  | { kind: 'if_not_exists'; path: Path; fallback: UpdateOperand }
  | { kind: 'list_append'; left: UpdateOperand; right: UpdateOperand }
  | { kind: 'sum'; sign: 1n | -1n; left: UpdateOperand; right: UpdateOperand };

export type UpdateAction =
  | { kind: 'set'; path: Path; operand: UpdateOperand }
  | { kind: 'remove'; path: Path }
  | { kind: 'add' | 'delete'; path: Path; value: AttributeValue };

export const pathText = (path: Path) =>
  `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;

export const samePath = (one: Path, two: Path) => one.length === two.length && isPrefix(one, two);

export const isPrefix = (prefix: Path, path: Path) => prefix.every((part, index) => part === path[index]);
