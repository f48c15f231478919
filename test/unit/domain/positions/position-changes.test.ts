import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Change, childrenFor, type Plan, planChanges } from '#domain/positions/position-changes.ts';
import { shipmentKeys } from '#domain/positions/position-keys.ts';
import {
  countOf,
  decodeChildren,
  decodeEntries,
  type Entry,
  emptyRoot,
  encode,
  entryOf,
  isLeaf,
  maxBytes,
  type Node,
  rootId,
} from '#domain/positions/position-node.ts';

const keyOfNumber = (n: number, isDraft = n % 5 === 0) => {
  const key = Buffer.alloc(shipmentKeys.bytes);
  key.writeUInt32BE(n, 3);
  key.writeUInt32BE(Math.imul(n, 2654435761) >>> 0, 8);
  key.writeUInt8(isDraft ? 0 : 2, shipmentKeys.bytes - 1);
  return key;
};
const listed = (n: number): Change => ({ ...entryOf(shipmentKeys, keyOfNumber(n)), isListed: true });
const unlisted = (n: number): Change => ({ ...listed(n), isListed: false });

/** A tree that keeps its nodes as they are stored. */
function aTree() {
  const nodes = new Map<string, Node>([[rootId, emptyRoot]]);
  let ids = 0;
  const newId = () => Buffer.from(String(++ids).padStart(6, '0')).toString('base64url');
  const keep = (node: Node) => {
    const data = encode(node);
    const head = { id: node.id, version: node.version + 1, high: node.high };
    const stored = isLeaf(node)
      ? { ...head, level: 0 as const, entries: decodeEntries(data, shipmentKeys) }
      : { ...head, level: node.level, children: decodeChildren(data) };
    nodes.set(node.id, stored);
  };
  const load = (changes: readonly Change[]) => {
    const loaded = new Map<string, Node>([[rootId, nodes.get(rootId)!]]);
    for (const node of loaded.values()) {
      if (isLeaf(node)) continue;
      for (const id of childrenFor(node, changes)) loaded.set(id, nodes.get(id)!);
    }
    return loaded;
  };
  const plan = (changes: readonly Change[], deadBefore?: Buffer): Plan => {
    const loaded = load(changes);
    const first = planChanges(loaded, changes, { newId, deadBefore });
    for (const id of first.neighbours) loaded.set(id, nodes.get(id)!);
    return first.neighbours.length === 0 ? first : planChanges(loaded, changes, { newId, deadBefore });
  };
  return {
    nodes,
    plan,
    keep,
    apply: (changes: readonly Change[], deadBefore?: Buffer) => {
      const { written, removed } = plan(changes, deadBefore);
      for (const node of written) keep(node);
      for (const { id } of removed) nodes.delete(id);
      return written.length + removed.length;
    },
  };
}

type Tree = ReturnType<typeof aTree>;

/** All entries, after a look at everything that a tree promises. */
function checked({ nodes }: Tree, id = rootId, low: Buffer = Buffer.alloc(0), high?: Buffer): Entry[] {
  const node = nodes.get(id)!;
  expect(encode(node).length).toBeLessThanOrEqual(maxBytes);
  expect(node.high?.toString('hex')).toBe(high?.toString('hex'));
  if (isLeaf(node)) {
    const isWithin = (key: Buffer) => Buffer.compare(low, key) <= 0 && (!high || Buffer.compare(key, high) < 0);
    expect(node.entries.every(({ key }) => isWithin(key))).toBe(true);
    return [...node.entries];
  }
  return node.children.flatMap((child, i) => {
    const below = nodes.get(child.id)!;
    expect(below.level).toBe(node.level - 1);
    expect({ all: child.all, drafts: child.drafts }).toEqual(countOf(below));
    return checked({ nodes } as Tree, child.id, i === 0 ? low : child.low, node.children[i + 1]?.low ?? high);
  });
}

const namesOf = (entries: readonly Entry[]) => entries.map(({ key, isDraft }) => `${key.toString('hex')} ${isDraft}`);

const expected = (model: Set<number>) =>
  [...model].map((n) => entryOf(shipmentKeys, keyOfNumber(n))).sort((a, b) => Buffer.compare(a.key, b.key));

const batches = fc.array(
  fc.array(fc.record({ n: fc.nat({ max: 900 }), isListed: fc.boolean(), run: fc.nat({ max: 60 }) }), {
    minLength: 1,
    maxLength: 12,
  }),
  { maxLength: 25 },
);
type Batch = readonly { n: number; isListed: boolean; run: number }[];

/** Runs of neighbours, so that nodes fill and empty. Of several changes of an entry the last counts. */
function changesOf(batch: Batch): Map<number, Change> {
  const numbers = batch.flatMap(({ n, run, isListed }) =>
    Array.from({ length: run + 1 }, (_, i) => ({ n: n + i, isListed })),
  );
  return new Map(numbers.map(({ n, isListed }) => [n, { ...listed(n), isListed }]));
}

describe('the tree of positions', () => {
  test('has exactly what was listed and not taken out, in order, whatever the batches, and also if they come twice', () => {
    fc.assert(
      fc.property(batches, (all) => {
        const tree = aTree();
        const model = new Set<number>();
        for (const batch of all) {
          const changes = changesOf(batch);
          tree.apply([...changes.values()]);
          expect(tree.apply([...changes.values()])).toBe(0);
          for (const [n, { isListed }] of changes) {
            if (isListed) model.add(n);
            else model.delete(n);
          }
          expect(namesOf(checked(tree))).toEqual(namesOf(expected(model)));
        }
      }),
      { numRuns: 25, seed: 7 },
    );
  });

  test('is repaired by a batch that comes again after the function died between two writes', () => {
    fc.assert(
      fc.property(batches, fc.nat({ max: 5 }), (all, done) => {
        const tree = aTree();
        const model = new Set<number>();
        for (const batch of all) {
          const changes = changesOf(batch);
          const { written, removed } = tree.plan([...changes.values()]);
          // Nodes come and go in one transaction; only what stays is written one by one.
          const isAtomic = removed.length > 0 || written.some(({ version, id }) => version === 0 && id !== rootId);
          if (!isAtomic) for (const node of written.slice(0, done)) tree.keep(node);
          tree.apply([...changes.values()]);
          for (const [n, { isListed }] of changes) {
            if (isListed) model.add(n);
            else model.delete(n);
          }
          expect(namesOf(checked(tree))).toEqual(namesOf(expected(model)));
        }
      }),
      { numRuns: 20, seed: 11 },
    );
  });

  test('has three levels for 30,000 entries that came one after the other, and writes one node of each for one more', () => {
    const tree = aTree();
    for (let n = 0; n < 30_000; n += 500) tree.apply(Array.from({ length: 500 }, (_, i) => listed(n + i)));
    expect(tree.nodes.get(rootId)!.level).toBe(2);
    expect(checked(tree)).toHaveLength(30_000);
    expect(tree.apply([listed(30_000)])).toBe(3);
  });

  test('becomes small again when its entries move to the end, as in a list by the last change', () => {
    const tree = aTree();
    const size = 1500;
    for (let n = 0; n < size; n += 50) tree.apply(Array.from({ length: 50 }, (_, i) => listed(n + i)));
    const before = tree.nodes.size;
    for (let n = 0; n < size; n++) tree.apply([unlisted((n * 7) % size), listed(size + n)]);
    expect(checked(tree)).toHaveLength(size);
    expect(tree.nodes.size).toBeLessThan(before * 1.5);
  });

  test('is one empty node when everything is taken out', () => {
    const tree = aTree();
    for (let n = 0; n < 2000; n += 100) tree.apply(Array.from({ length: 100 }, (_, i) => listed(n + i)));
    for (let n = 0; n < 2000; n += 100) tree.apply(Array.from({ length: 100 }, (_, i) => unlisted(n + i)));
    expect(checked(tree)).toEqual([]);
    expect(tree.nodes.size).toBeLessThan(4);
  });

  test('leaves out nodes whose entries have all expired, when their parent is written', () => {
    const tree = aTree();
    for (let n = 0; n < 3000; n += 100) tree.apply(Array.from({ length: 100 }, (_, i) => listed(n + i)));
    tree.apply([listed(3000)], keyOfNumber(2000));
    const left = checked(tree).map(({ key }) => key.readUInt32BE(3));
    expect(left.slice(-1001)).toEqual(Array.from({ length: 1001 }, (_, i) => 2000 + i));
    expect(left.length).toBeLessThan(3001);
  });
});
