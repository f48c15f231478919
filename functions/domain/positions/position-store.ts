import { randomBytes } from 'node:crypto';
import { mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { commit, retryOnConflict, WriteConflict } from '#platform/table/writes.ts';
import { secondsOfDays } from '#schemas/catalogues/limits.ts';
import { type Change, childrenFor, isWithin, type Loaded, type Plan, planChanges } from './position-changes.ts';
import type { PositionList } from './position-lists.ts';
import {
  decodeChildren,
  decodeEntries,
  emptyRoot,
  encode,
  idBytes,
  isLeaf,
  type Node,
  rootId,
} from './position-node.ts';

/** The tree of a list as it is stored. Each node is an item. */

interface NodeItem {
  version: number;
  level: number;
  data: Uint8Array;
  high?: Uint8Array;
  /** Its entries went to another node. It is kept for a while, for those who are reading. */
  is_removed?: true;
  /** Of the root: no key that was ever counted sorts after it. */
  newest?: Uint8Array;
}

/** The root, with what is known of the whole list. */
export interface Root {
  node: Node;
  newest: Buffer | undefined;
}

/** DynamoDB takes a hundred actions in a transaction. */
const maxActions = 100;
/** More would let a root grow by two levels at once. */
const maxChanges = 500;
const writesAtOnce = 20;
const removedForSeconds = 3600;

/**
 * Brings entries into the list and takes others out of it. What is so already changes nothing, so a batch of the stream
 * can come again. Entries that are older than all that is counted stay uncounted: their nodes may have expired.
 */
export function changePositions(list: PositionList, changes: readonly Change[], now: Date): Promise<void> {
  const before = deadBefore(list, now);
  return changeLiving(list, before ? changes.filter(({ key }) => Buffer.compare(key, before) >= 0) : changes, now);
}

async function changeLiving(list: PositionList, changes: readonly Change[], now: Date): Promise<void> {
  if (changes.length === 0) return;
  const isDone = changes.length <= maxChanges && (await retryOnConflict(() => tryChange(list, changes, now)));
  if (isDone) return;
  const sorted = changes.toSorted((a, b) => Buffer.compare(a.key, b.key));
  const middle = Math.ceil(sorted.length / 2);
  await changeLiving(list, sorted.slice(0, middle), now);
  await changeLiving(list, sorted.slice(middle), now);
}

/** Returns false if the changes touch more nodes than a transaction can. */
async function tryChange(list: PositionList, changes: readonly Change[], now: Date): Promise<boolean> {
  const { nodes, newest } = await loadOrBegin(list, changes);
  const options = { newId, deadBefore: deadBefore(list, now) };
  let plan = planChanges(nodes, changes, options);
  if (plan.neighbours.length > 0) {
    for (const node of await readNeighbours(list, plan.neighbours)) nodes.set(node.id, node);
    plan = planChanges(nodes, changes, options);
  }
  const listed = changes.filter(({ isListed }) => isListed).map(({ key }) => key);
  const newestAfter = [newest ?? Buffer.alloc(0), ...listed].reduce((a, b) => (Buffer.compare(a, b) < 0 ? b : a));
  return writePlan(list, plan, { newest: newestAfter, now });
}

/** None if one of them has expired: then nothing is joined. */
async function readNeighbours(list: PositionList, ids: readonly string[]): Promise<Node[]> {
  try {
    return await readNodes(list, ids);
  } catch (error) {
    if (!(error instanceof LostNode)) throw error;
    return [];
  }
}

const newId = () => randomBytes(idBytes).toString('base64url');

function deadBefore({ days, form }: PositionList, now: Date): Buffer | undefined {
  if (days === undefined) return undefined;
  return form.startOf(now.getTime() - secondsOfDays(days) * 1000);
}

interface LoadedTree {
  nodes: Map<string, Node>;
  newest: Buffer | undefined;
}

/**
 * A tree that lost a node begins anew, as that of a list which is older than its positions. It loses one if a target gets
 * nothing for so long that its nodes expire: they are deleted in any order, the root maybe last. To fail would hold up
 * the stream for all shops.
 */
async function loadOrBegin(list: PositionList, changes: readonly Change[]): Promise<LoadedTree> {
  try {
    return await loadFor(list, changes);
  } catch (error) {
    if (!(error instanceof LostNode)) throw error;
    logger.warn('positions begin anew', { shop_slug: list.slug, list: list.name });
    const version = (await readRoot(list))?.node.version ?? 0;
    return { nodes: new Map([[rootId, { ...emptyRoot, version }]]), newest: undefined };
  }
}

/** Reads the nodes that have the keys, level by level. */
async function loadFor(list: PositionList, changes: readonly Change[]): Promise<LoadedTree> {
  const nodes = new Map<string, Node>();
  const { node: root, newest } = (await readRoot(list)) ?? { node: emptyRoot, newest: undefined };
  for (let level: Node[] = [root]; level.length > 0; ) {
    for (const node of level) nodes.set(node.id, node);
    const ids = level.flatMap((node) => (isLeaf(node) ? [] : childrenFor(node, changesIn(nodes, node, changes))));
    level = await readNodes(list, ids);
  }
  refuseIfSplit(nodes, changes);
  return { nodes, newest };
}

/** Only the root gets all of them; the others get what their parents give them. */
function changesIn(nodes: Loaded, node: Node, changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ key }) => ownerAt(nodes, key, node.level)?.id === node.id);
}

/** The node of this level that the key leads to. */
function ownerAt(nodes: Loaded, key: Buffer, level: number): Node | undefined {
  let node = nodes.get(rootId);
  while (node && node.level > level && !isLeaf(node)) node = nodes.get(childrenFor(node, [asChange(key)])[0] ?? '');
  return node;
}

const asChange = (key: Buffer): Change => ({ key, isDraft: false, isListed: true });

/** A node was split after its parent was read: then the key belongs to the other part. */
function refuseIfSplit(nodes: Loaded, changes: readonly Change[]): void {
  for (const { key } of changes) {
    const leaf = ownerAt(nodes, key, 0);
    if (!leaf || !isWithin(leaf, key)) throw new WriteConflict([]);
  }
}

export async function readRoot(list: PositionList): Promise<Root | undefined> {
  const [item] = await batchGet([rootKey(list)]);
  return item && toRoot(list, item);
}

/** For a reader, who need not see the last writes. */
export async function viewRoot(list: PositionList): Promise<Root | undefined> {
  const [item] = await batchGet([rootKey(list)], { ConsistentRead: false });
  return item && toRoot(list, item);
}

export const rootKey = ({ slug, name }: PositionList) => keyOf.position(slug, name, rootId);

export const toRoot = (list: PositionList, item: Record<string, unknown>): Root => ({
  node: toNode(list, rootId, item as unknown as NodeItem),
  newest: (item as unknown as NodeItem).newest && Buffer.from((item as unknown as NodeItem).newest!),
});

interface NodeReadOptions {
  ConsistentRead?: boolean;
}

/** A node is gone without a mark that says so. */
class LostNode extends WriteConflict {}

/** Throws WriteConflict if a node was removed meanwhile. */
export async function readNodes(
  list: PositionList,
  ids: readonly string[],
  options: NodeReadOptions = {},
): Promise<Node[]> {
  if (ids.length === 0) return [];
  const items = await batchGet(
    ids.map((id) => keyOf.position(list.slug, list.name, id)),
    options,
  );
  return (items as unknown as (NodeItem | undefined)[]).map((item, i) => {
    if (!item) throw new LostNode([]);
    if (item.is_removed) throw new WriteConflict([]);
    return toNode(list, ids[i]!, item);
  });
}

function toNode({ form }: PositionList, id: string, { version, level, data, high }: NodeItem): Node {
  const bytes = Buffer.from(data);
  const head = { id, version, high: high && Buffer.from(high) };
  if (level === 0) return { ...head, level, entries: decodeEntries(bytes, form) };
  return { ...head, level, children: decodeChildren(bytes) };
}

interface WriteOptions {
  newest: Buffer;
  now: Date;
}

/**
 * Every node is written on the condition that nobody else has written it. If nodes come or go, all are written in one
 * transaction. Otherwise the leaves come first and then their parents with the counts of them: if the function dies in
 * between, the batch that comes again finds the leaves done and corrects the counts.
 */
async function writePlan(list: PositionList, { written, removed }: Plan, options: WriteOptions): Promise<boolean> {
  const puts = [
    ...written.map((node) => putOf(list, node, options)),
    ...removed.map((node) => removal(list, node, options)),
  ];
  if (removed.length > 0 || written.some(({ version, id }) => version === 0 && id !== rootId)) {
    if (puts.length > maxActions) return false;
    await commit(puts.map((Put) => ({ Put })));
    return true;
  }
  for (const [, level] of Map.groupBy(written, ({ level }) => level)) {
    await mapConcurrently(level, (node) => commit([{ Put: putOf(list, node, options) }]), writesAtOnce);
  }
  return true;
}

const putOf = (list: PositionList, node: Node, options: WriteOptions) =>
  conditional(nodeItem(list, node, options), node);

export function nodeItem({ slug, name, days }: PositionList, node: Node, { newest, now }: WriteOptions) {
  return {
    ...keyOf.position(slug, name, node.id),
    version: node.version + 1,
    level: node.level,
    data: encode(node),
    ...(node.high && { high: node.high }),
    ...(node.id === rootId && { newest }),
    ...(days !== undefined && { expires_at: Math.floor(now.getTime() / 1000) + secondsOfDays(days) }),
  };
}

function removal({ slug, name }: PositionList, node: Node, { now }: WriteOptions) {
  const Item = {
    ...keyOf.position(slug, name, node.id),
    version: node.version + 1,
    is_removed: true,
    expires_at: Math.floor(now.getTime() / 1000) + removedForSeconds,
  };
  return conditional(Item, node);
}

const conditional = (Item: object, { version }: Node) => ({
  TableName: tableName(),
  Item: Item as Record<string, unknown>,
  ...(version === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }),
});
