import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { validate as isUuid } from 'uuid';
import { chunks } from '#platform/batches.ts';
import { ServiceError } from '#platform/errors.ts';
import { table, tableName } from '#platform/table/client.ts';
import {
  indexKeyOf,
  keyOf,
  orderIdIn,
  orderPartition,
  orderSortKey,
  partitionOf,
  shipmentPrefix,
} from '#platform/table/keys.ts';
import { batchGet, itemsIn, type Key, queryAll } from '#platform/table/reads.ts';
import {
  type Action,
  commit,
  insert,
  put,
  putVersion,
  remove,
  retryOnConflict,
  WriteConflict,
} from '#platform/table/writes.ts';
import type { OrderIdType, OrderInput, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import { nameEntries } from './customer-name.ts';
import { enclose, keepingEvents } from './enclosed-events.ts';
import { countedByCountry } from './handed-over.ts';
import { type Order, type OrderWithShipments, type Shipment, type ShopIdentity, shipmentId } from './model.ts';
import type { ReadBudget } from './order-items.ts';
import {
  goneTrackingItem,
  orderItem,
  type StoredDocument,
  type StoredItem,
  shipmentItem,
  toOrder,
  toShipment,
  trackingItem,
} from './order-items.ts';
import { checkPayloadSize } from './order-size.ts';
import { type OutboxEvent, outboxWrites, withVersions } from './outbox.ts';
import { pageReferenceItem } from './tracking-page.ts';
import {
  type NumberedShipment,
  numberedShipments,
  referenceNumbers,
  type TrackingReference,
} from './tracking-references.ts';

/** An order with the versions that were read. A write is refused if somebody else wrote after that. */
export interface Loaded extends OrderWithShipments {
  version: number;
  /** By the uuid of the shipment. */
  versions: Map<string, number>;
}

export async function loadOrder(slug: string, orderId: string): Promise<Loaded | undefined> {
  const items = await queryAll<StoredItem>({ ...orderQuery(slug, orderId), ConsistentRead: true });
  const whole = assemble(items);
  if (!whole && items.some(isHead)) throw new WriteConflict([]); // then it is read again
  return whole;
}

const orderQuery = (slug: string, orderId: string) => itemsIn(orderPartition(slug, orderId));

/**
 * An order for somebody who only looks at it: half the price of `loadOrder`. The read may miss what was written just
 * before, so an order that seems to be missing or incomplete is read again.
 */
export async function viewOrder(slug: string, orderId: string): Promise<OrderWithShipments | undefined> {
  const seen = await queryAll<StoredItem>({ ...orderQuery(slug, orderId), ConsistentRead: false });
  return assemble(seen) ?? retryOnConflict(() => loadOrder(slug, orderId));
}

/**
 * Several orders with their shipments, in the order of `orderIds`. Orders that do not exist are left out. Throws when
 * the budget is spent.
 */
export async function loadOrders(
  slug: string,
  orderIds: readonly string[],
  budget: ReadBudget,
): Promise<OrderWithShipments[]> {
  if (orderIds.length === 0) return [];
  const headKeys = orderIds.map((id) => keyOf.order(slug, id));
  const heads = await readAll(headKeys, (item) => toOrder(item, budget));
  for (const { shipments, drafts } of heads) budget.addShipments(shipments.length + drafts.length);
  const keys = heads.flatMap(({ uuid, shipments }) =>
    shipments.map((slot) => keyOf.shipment(slug, uuid, shipmentId(uuid, slot))),
  );
  const shipments = await readAll(keys, (item) => toShipment(item, budget));
  const byOrder = Map.groupBy(shipments, ({ order_id }) => order_id);
  return heads.map((order) => ({ order, shipments: byOrder.get(order.uuid) ?? [] }));
}

/** So few that the budget is checked before much is read beyond it. */
const keysAtOnce = 500;

async function readAll<T>(keys: readonly Key[], unpacked: (item: StoredItem) => T): Promise<T[]> {
  const found: T[] = [];
  for (const part of chunks(keys, keysAtOnce)) {
    const items = (await batchGet(part)) as unknown as (StoredItem | undefined)[];
    for (const item of items) if (item) found.push(unpacked(item));
  }
  return found;
}

const isHead = ({ sk }: StoredItem) => sk === orderSortKey;

/** Undefined if a part is missing: a query may see only some items of a transaction. */
function assemble(items: readonly StoredItem[]): Loaded | undefined {
  const head = items.find(isHead);
  if (!head) return undefined;
  const stored = items.filter(({ sk }) => sk.startsWith(shipmentPrefix));
  const order = toOrder(head);
  if (order.shipments.length !== stored.length) return undefined;
  return {
    order,
    version: head.version,
    shipments: stored.map((item) => toShipment(item)),
    versions: new Map(stored.map(({ sk, version }) => [sk.slice(shipmentPrefix.length), version])),
  };
}

/** Writes the change in one transaction. Throws WriteConflict if the order changed after it was read. */
export async function saveOrder(change: OrderChange): Promise<void> {
  if (!change.isReport) checkPayloadSize(change.before, orderAfter(change), change.toFollow);
  const actions = actionsOf(change);
  const bytes = actions.reduce((sum, action) => sum + documentSize(action), 0);
  if (bytes > maxTransactionBytes) {
    throw new ServiceError('payload_too_large', {
      message: 'The request has too much data. Send the trackings in several requests.',
    });
  }
  await commit(actions);
}

/** A DynamoDB transaction takes 4 MB. The rest is for keys. */
const maxTransactionBytes = 3.8 * 1024 * 1024;
const documentSize = ({ Put }: Action) =>
  sizeOf(Put?.Item?.document) + sizeOf(Put?.Item?.announced) + sizeOf(Put?.Item?.snapshot);
const sizeOf = (bytes: Uint8Array | undefined) => bytes?.length ?? 0;

/** Everything that one transaction writes, with the events that it causes. */
export interface OrderChange {
  shop: ShopIdentity;
  before: Loaded | undefined;
  /** Absent if the order itself does not change. */
  order?: Order;
  shipments?: Shipment[];
  /** The shipments of `shipments` that got a tracking number. */
  fulfilled?: Shipment[];
  removed?: Shipment[];
  /** The references of `removed`. One that was lost is missing. */
  dropped?: readonly Key[];
  /** References of the order that were lost. They are made again. */
  repaired?: readonly NumberedShipment[];
  events?: OutboxEvent[];
  /** Extra writes in the same transaction. */
  also?: readonly Action[];
  /** Parcels that the same request adds in a later transaction. They count for the size of the order. */
  toFollow?: readonly Pick<TrackingInput, 'products'>[];
  /** The places of the order in its parcels, by reference number. A number that is left out has the first place. */
  places?: ReadonlyMap<string, number>;
  /** Set if no merchant asked for the change. Then the order may become too large. */
  isReport?: boolean;
  now: string;
}

export function actionsOf(change: OrderChange): Action[] {
  const { shop, before, fulfilled = [], removed = [], events = [], also = [], now } = change;
  const order = change.order && keepingEvents(change.order, removed, now);
  const { slug } = shop;
  const references = [...fulfilled.flatMap(numberedShipments), ...(change.repaired ?? [])];
  const shipments = withCountries(change);
  const after = orderAfter({ ...change, shipments });
  const watched = fulfilled.filter(isWatched);
  const { documents, others, parcels } = enclose({ order, shipments, events, parcels: watched, after, now });
  const versioned = others.map((event) => withVersions(event, versionAfter(before, shipments)));
  return [
    ...(order ? orderActions(slug, before, order, documents.get(order.uuid)) : []),
    ...shipments.map((shipment) => {
      const version = (before?.versions.get(shipment.uuid) ?? 0) + 1;
      return putVersion(shipmentItem(slug, shipment, version, documents.get(shipment.uuid)));
    }),
    ...references.map(({ number, shipment }) =>
      insert(trackingItem(slug, number, shipment, change.places?.get(number) ?? 0)),
    ),
    ...removed.flatMap((shipment) => removeShipment(slug, shipment, before!.versions.get(shipment.uuid)!, now)),
    ...(change.dropped ?? []).map(({ pk, sk }) =>
      remove({ pk, sk }, 'order_id = :order', { ':order': after.order.uuid }),
    ),
    ...outboxWrites(shop, versioned, after, { parcels, now }),
    ...also,
  ];
}

/** Each shipment says where it goes, so that its item alone tells where it is counted. */
function withCountries({ before, order = before?.order, shipments = [] }: OrderChange): Shipment[] {
  const stored = new Map(before?.shipments.map((shipment) => [shipment.uuid, shipment]));
  return shipments.map((shipment) => countedByCountry(shipment, order!, stored.get(shipment.uuid)));
}

/** The version of a shipment after these were written. A draft line of the order has the version 0. */
export function versionAfter(before: Loaded | undefined, written: readonly Shipment[]): (id: string) => number {
  const changed = new Set(written.map(({ uuid }) => uuid));
  return (id) => (before?.versions.get(id) ?? 0) + Number(changed.has(id));
}

/** No carrier has the parcels of a simulation. */
const isWatched = ({ simulation_id }: Shipment) => simulation_id === undefined;

function orderAfter({ before, order = before?.order, shipments = [], removed = [] }: OrderChange): OrderWithShipments {
  const others = new Set([...shipments, ...removed].map(({ uuid }) => uuid));
  const kept = before?.shipments.filter(({ uuid }) => !others.has(uuid)) ?? [];
  return { order: order!, shipments: [...kept, ...shipments] };
}

function orderActions(slug: string, before: Loaded | undefined, order: Order, document?: StoredDocument): Action[] {
  const head = putVersion(orderItem(slug, order, (before?.version ?? 0) + 1, document));
  return [head, ...pageActions(slug, before?.order, order), ...referenceActions(slug, before?.order, order)];
}

function pageActions(slug: string, before: Order | undefined, order: Order): Action[] {
  const { page_token } = order;
  if (page_token === undefined) return [];
  const item = pageReferenceItem(page_token, slug, order);
  if (page_token !== before?.page_token) return [insert(item)];
  return isSame(item, pageReferenceItem(page_token, slug, before)) ? [] : [put(item)];
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

function referenceActions(slug: string, before: Order | undefined, order: Order): Action[] {
  const [byNumber, byExternalId] = referenceItems(slug, order);
  if (!before) return [insert(byNumber), insert(byExternalId)];
  const [oldNumber, oldExternalId] = referenceItems(slug, before);
  const numberActions = isSame(byNumber, oldNumber) ? [] : [put(byNumber)];
  if (before.external_id === order.external_id)
    return isSame(byExternalId, oldExternalId) ? numberActions : [...numberActions, put(byExternalId)];
  return [
    ...numberActions,
    remove(keyOf.externalOrderId(slug, before.external_id), 'attribute_not_exists(pk) OR order_id = :order', {
      ':order': order.uuid,
    }),
    insert(byExternalId),
  ];
}

/** They also find the order by its customer's name and id: every order has them, and neither uses these indexes otherwise. */
export function referenceItems(slug: string, order: Order) {
  const { uuid: order_id, order_number, external_id, external_customer_id: customer, order_placed_at } = order;
  const { ofLast, ofFirst } = nameEntries(slug, order);
  const byCustomer = customer && indexKeyOf.ordersByCustomerId(slug, customer, order_placed_at, order_id);
  return [
    { ...keyOf.orderNumber(slug, order_number), ...ofLast, ...byCustomer, order_id },
    { ...keyOf.externalOrderId(slug, external_id), ...ofFirst, order_id },
  ] as const;
}

function removeShipment(
  slug: string,
  { order_id, uuid, tracking_number }: Shipment,
  version: number,
  now: string,
): Action[] {
  const shipment = remove(keyOf.shipment(slug, order_id, uuid), 'version = :before', { ':before': version });
  return tracking_number === null ? [shipment] : [shipment, put(goneTrackingItem(slug, tracking_number, now))];
}

/** The uuid of an order that a caller identifies in one of four ways. */
export async function findOrderId(slug: string, id: string, type: OrderIdType): Promise<string | undefined> {
  switch (type) {
    case 'uuid':
      return isUuid(id) ? id.toLowerCase() : undefined;
    case 'order_number':
    case 'external_id':
      return (await findOrderIds(slug, [id], type))[0];
    case 'order_name': {
      // Names are not unique: the newest order with the name is used.
      const item = await firstNamed(partitionOf.ordersByName(slug, id));
      return item && orderIdIn(item.pk);
    }
  }
}

/** The orders that have one of these numbers or external ids. */
export async function findOrderIds(
  slug: string,
  ids: readonly string[],
  type: 'order_number' | 'external_id',
): Promise<string[]> {
  const keyFor = type === 'order_number' ? keyOf.orderNumber : keyOf.externalOrderId;
  const references = await batchGet(ids.map((id) => keyFor(slug, id)));
  return references.flatMap((reference) => (reference ? [(reference as { order_id: string }).order_id] : []));
}

export async function findByExternalShipmentId(slug: string, id: string): Promise<TrackingReference | undefined> {
  const item = await firstNamed(partitionOf.shipmentsByExternalId(slug, id));
  return item && { order_id: orderIdIn(item.pk), shipment_id: item.sk.slice(item.sk.indexOf('#') + 1) };
}

async function firstNamed(partition: string): Promise<Key | undefined> {
  const { Items } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partition, { index: 'names' }),
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  return Items?.[0] as Key | undefined;
}

export interface References {
  /** The order that the id of the upsert refers to. */
  orderId: string | undefined;
  numberOwner: string | undefined;
  externalOwner: string | undefined;
  /** The orders, perhaps this one, that have the first place under a reference number of the upsert. */
  firstOwners: ReadonlyMap<string, string>;
}

/**
 * Reads in one request which orders own the ids of an upsert and which of its tracking numbers are in use.
 */
export async function readReferences(
  slug: string,
  { id, id_type }: { id: string; id_type: OrderIdType },
  order: OrderInput | undefined,
  trackings: readonly TrackingInput[],
): Promise<References> {
  const number = id_type === 'order_number' ? id : order?.order_number;
  const external = id_type === 'external_id' ? id : order && (order.external_id ?? number);
  const numbers = [...new Set(trackings.flatMap(({ tracking_number }) => referenceNumbers(tracking_number)))];
  const keys = {
    number: number === undefined ? [] : [keyOf.orderNumber(slug, number)],
    external: external === undefined ? [] : [keyOf.externalOrderId(slug, external)],
    trackings: numbers.map((one) => keyOf.tracking(slug, one, 0)),
  };
  const found = (await batchGet(Object.values(keys).flat())) as ({ order_id: string } | undefined)[];
  const owners = found.map((reference) => reference?.order_id);
  const [numberOwner] = owners.splice(0, keys.number.length);
  const [externalOwner] = owners.splice(0, keys.external.length);
  // Names are not unique and their index may lag behind the table. So the order number decides if it is known.
  const orderId = () => {
    if (id_type === 'order_number' || (id_type === 'order_name' && number !== undefined)) return numberOwner;
    return id_type === 'external_id' ? externalOwner : findOrderId(slug, id, id_type);
  };
  return {
    orderId: await orderId(),
    numberOwner,
    externalOwner,
    firstOwners: new Map(numbers.flatMap((one, i) => (owners[i] === undefined ? [] : [[one, owners[i]]]))),
  };
}
