import type { KeyForm } from './position-keys.ts';

/**
 * The positions of a list are a tree that counts: the leaves hold the keys of the list, and each node above them says how
 * many entries each of its children has. So the entry at any position is found by reading one node of each level.
 */

export interface Entry {
  key: Buffer;
  /** A shipment without a tracking number. A list can be counted with these or without. */
  isDraft: boolean;
}

export interface Counted {
  all: number;
  drafts: number;
}

export interface Child extends Counted {
  id: string;
  /**
   * The child's keys do not sort before it, and those of the child before it do. The first child of a node also takes
   * what sorts before.
   */
  low: Buffer;
}

interface AnyNode {
  id: string;
  /** Zero if it is not stored yet. */
  version: number;
  /** Keys from here on belong to other nodes. Undefined in the last node of a level. */
  high: Buffer | undefined;
}

export interface Leaf extends AnyNode {
  level: 0;
  entries: readonly Entry[];
}

export interface Inner extends AnyNode {
  /** The leaves have level 0. */
  level: number;
  children: readonly Child[];
}

export type Node = Leaf | Inner;

export const isLeaf = (node: Node): node is Leaf => node.level === 0;

export const rootId = 'ROOT';

export const emptyRoot: Leaf = { id: rootId, version: 0, level: 0, high: undefined, entries: [] };

/** With its keys and the name of its list, an item stays below the kilobyte that a write unit holds. */
export const maxBytes = 800;

export function countOf(node: Node): Counted {
  if (isLeaf(node)) return { all: node.entries.length, drafts: node.entries.filter(({ isDraft }) => isDraft).length };
  return node.children.reduce((sum, { all, drafts }) => ({ all: sum.all + all, drafts: sum.drafts + drafts }), {
    all: 0,
    drafts: 0,
  });
}

/** The child that has the key, if the list has it. */
export function childFor({ children }: Inner, key: Buffer): Child {
  const next = children.findIndex(({ low }) => Buffer.compare(low, key) > 0);
  return children.at(next === -1 ? -1 : Math.max(0, next - 1))!;
}

/** How many bytes an entry of a leaf or a child takes. */
export const sizeOf = (part: Entry | Child): number =>
  'id' in part ? 1 + part.low.length + idBytes + numberSize(part.all) + numberSize(part.drafts) : part.key.length;

export const idBytes = 6;

export const encode = (node: Node): Buffer =>
  Buffer.concat(isLeaf(node) ? node.entries.map(({ key }) => key) : node.children.flatMap(encodeChild));

const encodeChild = ({ low, id, all, drafts }: Child): Buffer[] => [
  Buffer.of(low.length),
  low,
  Buffer.from(id, 'base64url'),
  Buffer.from([...numberBytes(all), ...numberBytes(drafts)]),
];

export const decodeEntries = (data: Buffer, form: KeyForm): Entry[] =>
  Array.from({ length: data.length / form.bytes }, (_, i) =>
    entryOf(form, data.subarray(i * form.bytes, (i + 1) * form.bytes)),
  );

export const entryOf = (form: KeyForm, key: Buffer): Entry => ({ key, isDraft: form.isDraft(key) });

export function decodeChildren(data: Buffer): Child[] {
  const children: Child[] = [];
  for (let at = 0; at < data.length; ) {
    const low = data.subarray(at + 1, at + 1 + data[at]!);
    at += 1 + low.length;
    const id = data.toString('base64url', at, at + idBytes);
    at += idBytes;
    const all = readNumber(data, at);
    const drafts = readNumber(data, at + numberSize(all));
    at += numberSize(all) + numberSize(drafts);
    children.push({ id, low, all, drafts });
  }
  return children;
}

/** Seven bits in a byte. The eighth says whether more follow. */
function numberBytes(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...numberBytes(Math.floor(value / 128))];
}

const numberSize = (value: number): number => numberBytes(value).length;

function readNumber(data: Buffer, at: number): number {
  const byte = data[at]!;
  return byte < 128 ? byte : (byte & 127) + 128 * readNumber(data, at + 1);
}
