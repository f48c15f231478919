import { type AttributeMap, type AttributeValue, attributeOf, emptyMap } from '../values.ts';
import { Cursor } from './cursor.ts';
import type { References } from './references.ts';
import { isPrefix, type Path, pathText } from './syntax.ts';

export function parseProjection(expression: string, references: References): Path[] {
  const cursor = new Cursor(expression, 'ProjectionExpression', references);
  const paths = [projectedPath(cursor)];
  while (cursor.accept(',')) paths.push(projectedPath(cursor));
  cursor.expectEnd();
  assertApart(paths, cursor);
  return paths;
}

function projectedPath(cursor: Cursor): Path {
  if (!cursor.isSymbol('(', 1)) return cursor.path();
  cursor.next();
  throw cursor.unexpected();
}

export function assertApart(paths: Path[], cursor: Cursor): void {
  for (const [index, one] of paths.entries()) {
    for (const two of paths.slice(index + 1)) {
      const clash = clashOf(one, two);
      if (clash) {
        throw cursor.invalid(
          `Two document paths ${clash} with each other; must remove or rewrite one of these paths; path one: ${pathText(one)}, path two: ${pathText(two)}`,
        );
      }
    }
  }
}

function clashOf(one: Path, two: Path): 'overlap' | 'conflict' | undefined {
  if (isPrefix(one, two) || isPrefix(two, one)) return 'overlap';
  const fork = one.findIndex((part, index) => part !== two[index]);
  return typeof one[fork] === typeof two[fork] ? undefined : 'conflict';
}

type Tree = Map<string | number, Tree>;

function treeOf(paths: Path[]): Tree {
  const root: Tree = new Map();
  for (const path of paths) {
    let node = root;
    for (const part of path) {
      const child = node.get(part) ?? new Map();
      node.set(part, child);
      node = child;
    }
  }
  return root;
}

/** The parts of the item at these paths, in the structure of the item. Gaps in lists are closed. */
export const project = (item: AttributeMap, paths: Path[]): AttributeMap => projectionOf(paths)(item);

/** The same for many items. */
export function projectionOf(paths: Path[]): (item: AttributeMap) => AttributeMap {
  const tree = treeOf(paths);
  return (item) => projectMap(item, tree) ?? emptyMap();
}

function projectMap(map: AttributeMap, tree: Tree): AttributeMap | undefined {
  const result = emptyMap();
  let found = false;
  for (const [part, children] of tree) {
    const value = typeof part === 'string' ? attributeOf(map, part) : undefined;
    const kept = value && projectValue(value, children);
    if (!kept) continue;
    result[part] = kept;
    found = true;
  }
  return found ? result : undefined;
}

function projectValue(value: AttributeValue, tree: Tree): AttributeValue | undefined {
  if (tree.size === 0) return value;
  if ('M' in value) {
    const map = projectMap(value.M, tree);
    return map && { M: map };
  }
  if (!('L' in value)) return undefined;
  const list = [...tree]
    .filter(([part]) => typeof part === 'number')
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([part, children]) => {
      const element = value.L[part as number];
      return element && projectValue(element, children);
    })
    .filter((element) => element !== undefined);
  return list.length > 0 ? { L: list } : undefined;
}
