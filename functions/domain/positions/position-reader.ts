import type { PositionList } from './position-lists.ts';
import {
  type Child,
  type Counted,
  childFor,
  countOf,
  type Entry,
  type Inner,
  isLeaf,
  type Leaf,
  type Node,
} from './position-node.ts';
import { readNodes } from './position-store.ts';

/** Which end of the list positions are counted from. */
export type End = 'newest' | 'oldest';

/** Which entries count. */
interface Measure {
  withDrafts: boolean;
}

const all: Measure = { withDrafts: true };
export const counted = ({ all, drafts }: Counted, { withDrafts }: Measure) => (withDrafts ? all : all - drafts);

/** A leaf of the tree, without its content. */
interface LeafPlace {
  /** Its first key does not sort before this one. Undefined at the oldest end of the list. */
  low: Buffer | undefined;
  /** All its keys sort before this one. Undefined at the newest end of the list. */
  high: Buffer | undefined;
  /** How many of its entries come before the position. */
  skip: number;
}

/** A node with its place among the others of its level. */
interface Placed {
  node: Node;
  low: Buffer | undefined;
  high: Buffer | undefined;
  /** How many entries come before it. */
  before: number;
}

interface ChildPlace extends Omit<Placed, 'node'> {
  child: Child;
}

/** The leaf with the entry at a position; the last one if the list ends before it. Undefined if the root is a leaf. */
export async function findLeaf(
  list: PositionList,
  root: Node,
  position: number,
  end: End,
): Promise<LeafPlace | undefined> {
  let found: Placed = { node: root, low: undefined, high: undefined, before: 0 };
  while (!isLeaf(found.node)) {
    const places = childPlaces({ ...found, node: found.node }, end, all);
    const { child, ...place } = places.find(({ before, child }) => position < before + child.all) ?? places.at(-1)!;
    if (found.node.level === 1) return { low: place.low, high: place.high, skip: position - place.before };
    const [node] = await readNodes(list, [child.id], { ConsistentRead: false });
    found = { ...place, node: node! };
  }
  return undefined;
}

/** The entries at these positions, in their order. */
export async function entriesAt(
  list: PositionList,
  root: Node,
  { position, count, end, measure }: { position: number; count: number; end: End; measure: Measure },
): Promise<Entry[]> {
  const isWanted = ({ before, child }: ChildPlace) =>
    before < position + count && position < before + counted(child, measure);
  let level: Placed[] = [{ node: root, low: undefined, high: undefined, before: 0 }];
  while (level.some(({ node }) => !isLeaf(node))) {
    const wanted = level
      .flatMap((placed) => childPlaces(placed as Placed & { node: Inner }, end, measure))
      .filter(isWanted);
    const nodes = await readNodes(
      list,
      wanted.map(({ child }) => child.id),
      { ConsistentRead: false },
    );
    level = wanted.map((place, i) => ({ ...place, node: nodes[i]! }));
  }
  const entries = level.flatMap(({ node }) => inOrder((node as Leaf).entries, end));
  const first = position - (level[0]?.before ?? 0);
  return entries.filter(({ isDraft }) => measure.withDrafts || !isDraft).slice(first, first + count);
}

/** How many entries sort before each of the keys. */
export async function countsBefore(list: PositionList, root: Node, keys: readonly Buffer[]): Promise<Counted[]> {
  let paths = keys.map((key) => ({ key, node: root, before: { all: 0, drafts: 0 } as Counted }));
  while (paths.some(({ node }) => !isLeaf(node))) {
    const steps = paths.map(({ key, node, before }) => ({ key, before, ...stepDown(node as Inner, key) }));
    const ids = [...new Set(steps.map(({ child }) => child.id))];
    const nodes = await readNodes(list, ids, { ConsistentRead: false });
    paths = steps.map(({ key, child, earlier, before }) => ({
      key,
      node: nodes[ids.indexOf(child.id)]!,
      before: earlier.reduce(sum, before),
    }));
  }
  return paths.map(({ key, node, before }) => {
    const entries = (node as Leaf).entries.filter((entry) => Buffer.compare(entry.key, key) < 0);
    return sum(before, countOf({ ...(node as Leaf), entries }));
  });
}

function stepDown(node: Inner, key: Buffer) {
  const child = childFor(node, key);
  return { child, earlier: node.children.slice(0, node.children.indexOf(child)) as readonly Counted[] };
}

const sum = (a: Counted, b: Counted): Counted => ({ all: a.all + b.all, drafts: a.drafts + b.drafts });

function childPlaces(parent: Placed & { node: Inner }, end: End, measure: Measure): ChildPlace[] {
  const { children } = parent.node;
  let before = parent.before;
  return inOrder([...children.entries()], end).map(([i, child]) => {
    const place = {
      child,
      low: i === 0 ? parent.low : child.low,
      high: children[i + 1]?.low ?? parent.high,
      before,
    };
    before += counted(child, measure);
    return place;
  });
}

/** The tree is sorted with the oldest first. */
const inOrder = <T>(sorted: readonly T[], end: End): readonly T[] => (end === 'oldest' ? sorted : sorted.toReversed());
