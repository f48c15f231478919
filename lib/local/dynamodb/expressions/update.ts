import { validation } from '../errors.ts';
import { addNumbers } from '../numbers.ts';
import { type AttributeMap, type AttributeValue, assertNestingBelow, attributeOf, copyMap } from '../values.ts';
import { valueAt } from './evaluate.ts';
import type { Path, UpdateAction, UpdateOperand } from './syntax.ts';

/** Returns a new item and does not change the old one. Right-hand sides read the item before the update. */
export function applyUpdate(item: AttributeMap, actions: UpdateAction[]): AttributeMap {
  const writes = actions
    .filter((action) => action.kind !== 'remove')
    .map((action) => ({ path: action.path, value: newValue(item, action) }));
  const removals = actions.filter((action) => action.kind === 'remove').map((action) => ({ path: action.path }));
  const result = copyMap(item);
  for (const { path, value } of writes.sort(byListIndex)) {
    // At the top of the item a value is never nested deeper than where it was read.
    if (value && path.length > 1) assertNestingBelow(value, path.length - 1);
    if (value === undefined) removeFrom(result, path);
    else setIn(result, path, value);
  }
  // Removes the last list index first, so the other indexes of the expression stay valid.
  for (const { path } of removals.sort(byListIndex).reverse()) removeFrom(result, path);
  return result;
}

function byListIndex(one: { path: Path }, two: { path: Path }): number {
  const fork = one.path.findIndex((part, index) => part !== two.path[index]);
  const a = one.path[fork];
  const b = two.path[fork];
  return typeof a === 'number' && typeof b === 'number' ? a - b : 0;
}

function newValue(item: AttributeMap, action: UpdateAction): AttributeValue | undefined {
  if (action.kind === 'remove') return undefined;
  if (action.kind === 'set') return evaluate(item, action.operand);
  const current = valueAt(item, action.path);
  return action.kind === 'add' ? added(current, action.value) : reduced(current, action.value);
}

const wrongType = () => validation('An operand in the update expression has an incorrect data type');

function evaluate(item: AttributeMap, operand: UpdateOperand): AttributeValue {
  switch (operand.kind) {
    case 'value':
      return operand.value;
    case 'path': {
      const value = valueAt(item, operand.path);
      if (value === undefined) {
        throw validation('The provided expression refers to an attribute that does not exist in the item');
      }
      return value;
    }
    case 'if_not_exists':
      return valueAt(item, operand.path) ?? evaluate(item, operand.fallback);
    case 'list_append': {
      const left = evaluate(item, operand.left);
      const right = evaluate(item, operand.right);
      if (!('L' in left && 'L' in right)) throw wrongType();
      return { L: [...left.L, ...right.L] };
    }
    case 'sum': {
      const left = evaluate(item, operand.left);
      const right = evaluate(item, operand.right);
      if (!('N' in left && 'N' in right)) throw wrongType();
      return { N: addNumbers(left.N, right.N, operand.sign) };
    }
  }
}

type SetType = 'SS' | 'NS' | 'BS';
const SET_TYPES: SetType[] = ['SS', 'NS', 'BS'];
const setTypeOf = (value: AttributeValue) => SET_TYPES.find((type) => type in value);
const membersOf = (value: AttributeValue, type: SetType) => (value as unknown as Record<SetType, string[]>)[type];
const setOf = (type: SetType, members: Iterable<string>) => ({ [type]: [...members] }) as unknown as AttributeValue;

function added(current: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (current === undefined) return value;
  if ('N' in current && 'N' in value) return { N: addNumbers(current.N, value.N) };
  const type = setTypeOf(value);
  if (!type || setTypeOf(current) !== type) throw wrongType();
  return setOf(type, new Set([...membersOf(current, type), ...membersOf(value, type)]));
}

function reduced(current: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined {
  if (current === undefined) return undefined;
  const type = setTypeOf(value);
  if (!type || setTypeOf(current) !== type) throw wrongType();
  const removed = new Set(membersOf(value, type));
  const kept = membersOf(current, type).filter((member) => !removed.has(member));
  return kept.length > 0 ? setOf(type, kept) : undefined;
}

const noSuchPath = () => validation('The document path provided in the update expression is invalid for update');

/** Changes the map itself, which is a copy. What is nested in it is not copied yet. */
function setIn(copy: AttributeMap, path: Path, value: AttributeValue): void {
  const [name, ...rest] = path as [string, ...Path];
  copy[name] = replaced(attributeOf(copy, name), rest, value);
}

function replaced(current: AttributeValue | undefined, path: Path, value: AttributeValue): AttributeValue {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (current === undefined) throw noSuchPath();
  if (typeof part === 'string') {
    if (!('M' in current)) throw noSuchPath();
    const copy = copyMap(current.M);
    setIn(copy, [part, ...rest], value);
    return { M: copy };
  }
  if (!('L' in current)) throw noSuchPath();
  const list = [...current.L];
  list[Math.min(part, list.length)] = replaced(list[part], rest, value);
  return { L: list };
}

/** Changes the map itself. Removing a missing attribute changes nothing, but an invalid parent in the path is refused. */
function removeFrom(copy: AttributeMap, path: Path): void {
  const [name, ...rest] = path as [string, ...Path];
  const current = attributeOf(copy, name);
  if (current === undefined) {
    if (rest.length > 0) throw noSuchPath();
  } else if (rest.length === 0) delete copy[name];
  else copy[name] = pruned(current, rest);
}

function pruned(current: AttributeValue, path: Path): AttributeValue {
  const [part, ...rest] = path;
  if (typeof part === 'string') {
    if (!('M' in current)) throw noSuchPath();
    const copy = copyMap(current.M);
    removeFrom(copy, [part, ...rest]);
    return { M: copy };
  }
  if (part === undefined || !('L' in current)) throw noSuchPath();
  const element = current.L[part];
  if (element === undefined) {
    if (rest.length > 0) throw noSuchPath();
    return current;
  }
  const list = [...current.L];
  if (rest.length === 0) list.splice(part, 1);
  else list[part] = pruned(element, rest);
  return { L: list };
}
