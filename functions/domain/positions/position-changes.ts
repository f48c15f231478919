import {
  type Child,
  childFor,
  countOf,
  type Entry,
  type Inner,
  isLeaf,
  maxBytes,
  type Node,
  rootId,
  sizeOf,
} from './position-node.ts';

/** An entry is to be in the list, or not. Said twice, it changes nothing. */
export interface Change extends Entry {
  isListed: boolean;
}

/** The nodes of a tree that a change needs: the root, and below it those that have its keys. */
export type Loaded = ReadonlyMap<string, Node>;

export interface Plan {
  /** New and changed nodes, with the version that they have in the table. Parents come after their children. */
  written: Node[];
  /** Nodes whose entries went to another node. */
  removed: Node[];
  /** Nodes that a node with few entries could be joined with, if they were loaded too. */
  neighbours: string[];
}

export interface PlanOptions {
  newId: () => string;
  /** Entries before this key have expired. Whole nodes of them are left out, and expire too. */
  deadBefore?: Buffer | undefined;
}

/** A node that lost entries and has less than this is joined with a neighbour, if both fill one no further than this. */
const joinBelow = maxBytes / 4;
const joinedAtMost = (maxBytes * 3) / 4;
/** A list grows at its end, so the last node is left nearly full when it is split. */
const lastFilledTo = maxBytes * 0.9;

/** What has to be written for some changes. The nodes that were loaded stay as they are. */
export function planChanges(loaded: Loaded, changes: readonly Change[], { newId, deadBefore }: PlanOptions): Plan {
  const work: Work = { loaded, newId, deadBefore, made: new Map(), removed: [], neighbours: [] };
  const sorted = changes.toSorted((a, b) => Buffer.compare(a.key, b.key));
  const root = loaded.get(rootId)!;
  growRoot(work, root, changed(work, root, sorted));
  shrinkRoot(work);
  const written = [...work.made.values()].filter((node) => node.version === 0 || !isSame(node, loaded.get(node.id)));
  return {
    written: written.toSorted((a, b) => a.level - b.level || Number(a.id === rootId) - Number(b.id === rootId)),
    removed: work.removed,
    neighbours: work.neighbours.filter((id) => !loaded.has(id)),
  };
}

/** The nodes of the level below the nodes that have the keys of these changes. */
export function childrenFor(inner: Inner, changes: readonly Change[]): string[] {
  return [...new Set(changes.filter(({ key }) => isWithin(inner, key)).map(({ key }) => childFor(inner, key).id))];
}

interface Work extends PlanOptions {
  loaded: Loaded;
  made: Map<string, Node>;
  removed: Node[];
  neighbours: string[];
}

/** A part of what was one node, and where it begins; undefined for the first. */
interface Piece {
  node: Node;
  low: Buffer | undefined;
}

/** The nodes that take the place of a node: itself, and others if it became too large. The first keeps its id. */
function changed(work: Work, node: Node, changes: readonly Change[]): Piece[] {
  if (isLeaf(node)) {
    const parts = split(node, merged(node.entries, changes), ({ key }, before) => separator(before.key, key));
    return pieces(work, node, parts, (entries) => ({ entries }));
  }
  const children = joined(work, node, changedChildren(work, node, changes));
  const parts = split(node, children, ({ low }) => low);
  return pieces(work, node, parts, (part) => ({ children: part }));
}

/** Both are sorted. Of an entry that is in both, the change counts. */
function merged(entries: readonly Entry[], changes: readonly Change[]): Entry[] {
  const changing = new Map(changes.map((change) => [change.key.toString('latin1'), change]));
  const kept = entries.filter(({ key }) => !changing.has(key.toString('latin1')));
  const listed = changes.filter(({ isListed }) => isListed).map(({ key, isDraft }) => ({ key, isDraft }));
  return [...kept, ...listed].sort((a, b) => Buffer.compare(a.key, b.key));
}

function changedChildren(work: Work, node: Inner, changes: readonly Change[]): Child[] {
  const byChild = Map.groupBy(changes, ({ key }) => childFor(node, key).id);
  return living(work, node.children).flatMap((child) => {
    const childNode = work.loaded.get(child.id);
    if (!childNode) return [child];
    return changed(work, childNode, byChild.get(child.id) ?? []).map(({ node: { id }, low = child.low }) => ({
      id,
      low,
      ...countOf(work.made.get(id)!),
    }));
  });
}

function living({ loaded, deadBefore }: Work, children: readonly Child[]): readonly Child[] {
  if (!deadBefore) return children;
  const first = children.findIndex(
    ({ id }, i) => loaded.has(id) || !children[i + 1] || Buffer.compare(children[i + 1]!.low, deadBefore) > 0,
  );
  return children.slice(first);
}

/** Nodes that lost entries are joined with the one before or after them. */
function joined(work: Work, parent: Inner, children: readonly Child[]): Child[] {
  const result: Child[] = [];
  for (const child of children) {
    const before = result.at(-1);
    const both = before && joinedNode(work, before, child);
    if (both) result[result.length - 1] = { ...before, ...countOf(both) };
    else result.push(child);
  }
  for (const [i, { id }] of result.entries()) {
    if (!isSmall(work, id)) continue;
    const neighbour = result[i - 1] ?? result[i + 1];
    if (neighbour && !work.made.has(neighbour.id) && parent.children.some(({ id: old }) => old === neighbour.id))
      work.neighbours.push(neighbour.id);
  }
  return result;
}

function joinedNode(work: Work, left: Child, right: Child): Node | undefined {
  const [a, b] = [work.made.get(left.id), work.made.get(right.id)];
  if (!a || !b || !(isSmall(work, a.id) || isSmall(work, b.id))) return undefined;
  if (bytesOf(a) + bytesOf(b) > joinedAtMost) return undefined;
  const content = isLeaf(a)
    ? { entries: [...a.entries, ...(b as typeof a).entries] }
    : {
        children: [
          ...a.children,
          ...(b as typeof a).children.map((child, i) => (i === 0 ? { ...child, low: right.low } : child)),
        ],
      };
  const both = { ...a, ...content, high: b.high } as Node;
  work.made.set(a.id, both);
  work.made.delete(b.id);
  if (b.version > 0) work.removed.push(b);
  return both;
}

/** Whether the node lost entries and has few left. */
function isSmall({ made, loaded }: Work, id: string): boolean {
  const [after, before] = [made.get(id), loaded.get(id)];
  if (!after || !before) return false;
  return bytesOf(after) === 0 || bytesOf(after) < Math.min(joinBelow, bytesOf(before));
}

const partsOf = (node: Node): readonly (Entry | Child)[] => (isLeaf(node) ? node.entries : node.children);
const bytesOf = (node: Node): number => totalOf(partsOf(node));
const totalOf = (parts: readonly (Entry | Child)[]): number => parts.reduce((sum, part) => sum + sizeOf(part), 0);

interface Part<T> {
  content: T[];
  low: Buffer | undefined;
}

/** Parts of about the same size, none too large. In the last node of a level all but the last part are nearly full. */
function split<T extends Entry | Child>(
  { high }: Node,
  content: readonly T[],
  lowOf: (first: T, before: T) => Buffer,
): Part<T>[] {
  const total = totalOf(content);
  const full = high === undefined ? lastFilledTo : total / Math.ceil(total / (maxBytes * 0.8));
  const limit = total <= maxBytes ? maxBytes : full;
  const parts: Part<T>[] = [{ content: [], low: undefined }];
  let size = 0;
  for (const [i, one] of content.entries()) {
    const bytes = sizeOf(one);
    if (size > 0 && size + bytes > limit) {
      parts.push({ content: [], low: lowOf(one, content[i - 1]!) });
      size = 0;
    }
    parts.at(-1)!.content.push(one);
    size += bytes;
  }
  return parts;
}

function pieces<T>(work: Work, node: Node, parts: Part<T>[], toContent: (content: T[]) => object): Piece[] {
  return parts.map(({ content, low }, i) => {
    const identity = i === 0 ? { id: node.id, version: node.version } : { id: work.newId(), version: 0 };
    const made = {
      level: node.level,
      ...identity,
      high: parts[i + 1]?.low ?? node.high,
      ...toContent(content),
    } as Node;
    work.made.set(made.id, made);
    return { node: made, low };
  });
}

/** The shortest beginning of the later key that sorts after the earlier one. */
function separator(earlier: Buffer, later: Buffer): Buffer {
  const same = later.findIndex((byte, i) => byte !== earlier[i]);
  return later.subarray(0, same + 1);
}

/** The root keeps its id. If it became too large, its parts become its children. */
function growRoot(work: Work, root: Node, rootPieces: readonly Piece[]): void {
  if (rootPieces.length === 1) return;
  const children = rootPieces.map(({ node, low = Buffer.alloc(0) }): Child => {
    const moved = node.id === rootId ? { ...node, id: work.newId(), version: 0 } : node;
    work.made.set(moved.id, moved);
    return { id: moved.id, low, ...countOf(moved) };
  });
  const grown = { id: rootId, version: root.version, level: root.level + 1, high: undefined, children };
  work.made.set(rootId, grown);
}

/** A root with one child takes its place. */
function shrinkRoot(work: Work): void {
  const root = work.made.get(rootId)!;
  if (isLeaf(root) || root.children.length > 1) return;
  const only = work.made.get(root.children[0]!.id);
  if (!only) return;
  work.made.delete(only.id);
  if (only.version > 0) work.removed.push(work.loaded.get(only.id)!);
  work.made.set(rootId, { ...only, id: rootId, version: root.version } as Node);
  shrinkRoot(work);
}

/** Whether the key belongs to this node, and not to one that was split off it. */
export const isWithin = ({ high }: Node, key: Buffer): boolean => high === undefined || Buffer.compare(key, high) < 0;

function isSame(a: Node, b: Node | undefined): boolean {
  if (!b || a.level !== b.level || a.version !== b.version || !isSameKey(a.high, b.high)) return false;
  const [left, right] = [partsOf(a), partsOf(b)];
  return left.length === right.length && left.every((part, i) => isSamePart(part, right[i]!));
}

const isSameKey = (a: Buffer | undefined, b: Buffer | undefined) => (a && b ? a.equals(b) : a === b);

function isSamePart(a: Entry | Child, b: Entry | Child): boolean {
  if ('id' in a && 'id' in b) return a.id === b.id && a.all === b.all && a.drafts === b.drafts && a.low.equals(b.low);
  return 'key' in a && 'key' in b && a.key.equals(b.key);
}
