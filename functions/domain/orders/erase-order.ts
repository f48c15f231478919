import { mapConcurrently } from '#platform/batches.ts';
import { type CountsOf, type Declared, type Erasure, erased, personalPaths } from '#platform/personal-data.ts';
import {
  duePartition,
  keyOf,
  orderPartition,
  orderSortKey,
  outboxEventPrefix,
  outboxOf,
  shipmentPrefix,
} from '#platform/table/keys.ts';
import { packLines } from '#platform/table/packed-text.ts';
import { allItemsIn, getItem, itemsIn, type Key, queryPages } from '#platform/table/reads.ts';
import { removeAll } from '#platform/table/remove-all.ts';
import { type Action, commit, put, putVersion, remove, retryOnConflict, tryCommit } from '#platform/table/writes.ts';
import { outboxLimits } from '#schemas/catalogues/limits.ts';
import { erasedOrder, erasedShipment, isErased } from './erased-order.ts';
import type { Order, OrderWithShipments, Shipment, ShopIdentity } from './model.ts';
import { orderItem, type StoredItem, shipmentItem, toOrder, toShipment } from './order-items.ts';
import { referenceItems } from './order-store.ts';
import { type Snapshot, type StoredEvent, toOrderWithShipments } from './outbox.ts';
import { outboxDataOf, outboxItemData } from './personal-data.ts';

/** So many writes of one order at a time: other shops use the same table. */
const maxConcurrentWrites = 4;

/** An order and a parcel are in several indexes, and a write of several items counts twice: measured, not calculated. */
const unitsOfItem = 7;

/** A write is paid by the kilobytes of what was there. */
const unitsOf = (...packed: (Uint8Array | undefined)[]): number =>
  unitsOfItem + packed.reduce((sum, bytes) => sum + Math.floor((bytes?.length ?? 0) / 1024), 0);

/**
 * Erases what is personal from an order, its shipments, references and index entries. It comes first: what is made of the
 * order after it is made of the erased one. It can be repeated.
 * @returns undefined if there is no such order
 */
export async function eraseOrder(
  { slug }: ShopIdentity,
  orderId: string,
  erasure: Erasure,
): Promise<{ after: OrderWithShipments; counted: CountsOf<'orders' | 'order_references'> } | undefined> {
  const found = await retryOnConflict(() => eraseHead(slug, orderId, erasure));
  if (!found) return undefined;
  const shipments = await mapConcurrently(
    found.shipments,
    (item) => eraseShipment(slug, item, erasure),
    maxConcurrentWrites,
  );
  const after = { order: found.order, shipments: shipments.filter((shipment) => shipment !== undefined) };
  const documents = 1 + found.shipments.length;
  const listed = found.references.filter((item) => 'name_pk' in item || 'email_pk' in item).length;
  const counted = {
    orders: { found: documents, erased: documents, kept: 0 },
    order_references: { found: found.references.length, erased: listed, kept: found.references.length - listed },
  };
  return { after, counted };
}

interface ErasedHead {
  order: Order;
  /** As they were. */
  references: readonly object[];
  shipments: StoredItem[];
}

/** Whoever adds a shipment writes the order too, so none is added between the read and the write. */
async function eraseHead(slug: string, orderId: string, erasure: Erasure): Promise<ErasedHead | undefined> {
  const items = await allItemsIn<StoredItem>(orderPartition(slug, orderId));
  const head = items.find(({ sk }) => sk === orderSortKey);
  if (!head) return undefined;
  const before = toOrder(head);
  const order = erasedOrder(before, erasure);
  if (!erasure.dryRun) {
    await erasure.spend?.(2 * unitsOf(head.document, head.announced) + unitsOfItem);
    await commit(headActions(slug, order, head.version + 1));
  }
  return {
    order,
    references: referenceItems(slug, before),
    shipments: items.filter(({ sk }) => sk.startsWith(shipmentPrefix)),
  };
}

/** The page of the order is closed in the same moment. */
function headActions(slug: string, order: Order, version: number): Action[] {
  const own = [isOwnOrGone, { ':order': order.uuid }] as const;
  return [
    putVersion(orderItem(slug, order, version)),
    ...referenceItems(slug, order).map((item) => put(item, ...own)),
    ...(order.page_token === undefined ? [] : [remove(keyOf.pageReference(order.page_token), ...own)]),
  ];
}

const isOwnOrGone = 'attribute_not_exists(pk) OR order_id = :order';

type ShipmentItem = StoredItem & { erased_at?: string };

/**
 * Also one with nothing personal gets a new version: a writer who read the order before its erasure, and would announce
 * all of it with its own change of the shipment, has to read it again. The mark says that it has got it, so that the erasure
 * of an order with very many of them gets on if it has to begin again. Who writes the shipment next leaves the mark out.
 */
async function eraseShipment(slug: string, item: ShipmentItem, erasure: Erasure): Promise<Shipment | undefined> {
  let known: ShipmentItem | undefined = item;
  return retryOnConflict(async () => {
    const current = known ?? (await getItem<ShipmentItem>(keyFrom(item)));
    known = undefined;
    if (!current) return undefined;
    const shipment = erasedShipment(toShipment(current));
    if (!erasure.dryRun && current.erased_at === undefined) {
      await erasure.spend?.(unitsOf(current.document, current.announced));
      await commit([putVersion({ ...shipmentItem(slug, shipment, current.version + 1), erased_at: erasure.at })]);
    }
    return shipment;
  });
}

const keyFrom = ({ pk, sk }: Key): Key => ({ pk, sk });

/** After the claims: erases the copies of the order in its outbox, and cancels its internal triggers. */
export async function eraseOutbox(
  { slug }: ShopIdentity,
  orderId: string,
  erasure: Erasure,
): Promise<CountsOf<'outbox' | 'planned_triggers'>> {
  const outbox = { found: 0, erased: 0, kept: 0 };
  const events = queryPages({
    ...itemsIn(outboxOf(slug, orderId), { prefix: outboxEventPrefix }),
    ConsistentRead: true,
  }) as AsyncGenerator<unknown[]> as AsyncGenerator<StoredOutboxEvent[]>;
  for await (const page of events) {
    const written = page.flatMap((item) => erasedEvent(item, erasure) ?? []);
    // One that expires meanwhile stays away.
    const write = async (item: (typeof written)[number]) => {
      await erasure.spend?.(unitsOf(item.snapshot));
      await tryCommit([put(item, 'attribute_exists(pk)')]);
    };
    if (!erasure.dryRun) await mapConcurrently(written, write, maxConcurrentWrites);
    outbox.found += page.length;
    outbox.erased += written.length;
    outbox.kept += page.length - written.length;
  }
  const plans = await allItemsIn<Key>(duePartition(slug, orderId));
  if (!erasure.dryRun) {
    await erasure.spend?.(unitsOfItem * plans.length);
    await removeAll(plans);
  }
  const { length } = plans;
  return { outbox, planned_triggers: { found: length, erased: length, kept: 0 } };
}

type StoredOutboxEvent = StoredEvent & Snapshot & Key;

/** Undefined if it has nothing personal. */
function erasedEvent({ snapshot, ...item }: StoredOutboxEvent, erasure: Erasure): (typeof item & Snapshot) | undefined {
  const declaration = { ...outboxDataOf(item as StoredEvent), ...outboxItemData } as Declared<typeof item>;
  const full = snapshot && toOrderWithShipments(snapshot);
  if ((!full || isErased(full.order)) && personalPaths(declaration, item).length === 0) return undefined;
  return { ...erased(declaration, item), ...(full && erasedSnapshot(full, erasure)) };
}

function erasedSnapshot({ order, shipments }: OrderWithShipments, erasure: Erasure): Snapshot {
  const lines = packLines([erasedOrder(order, erasure), ...shipments.map(erasedShipment)], outboxLimits.snapshotBytes);
  return lines ? { snapshot: lines } : {};
}
