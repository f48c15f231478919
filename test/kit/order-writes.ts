import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { enclosedEvents } from '#domain/orders/enclosed-events.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import type { OutboxEvent } from '#domain/orders/outbox.ts';
import { keyOf, orderPartition, orderSortKey, shipmentPrefix } from '#platform/table/keys.ts';
import type { Action } from '#platform/table/writes.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { memoryTable } from './memory-table.ts';
import { beforeRequest, dynamo } from './table.ts';

/** A write of an order is a transaction, or a single put if it has only one action. */

const isOfOrder = (item: object | undefined) =>
  String((item as StoredItem | undefined)?.pk).startsWith(partitions.order);

/** The actions of each write, in the order in which they were sent. */
export const orderWrites = (): Action[][] =>
  dynamo.calls().flatMap(({ args: [command] }) => {
    if (command instanceof TransactWriteCommand) return [command.input.TransactItems!];
    if (command instanceof PutCommand && isOfOrder(command.input.Item)) return [[{ Put: command.input } as Action]];
    return [];
  });

/** Runs an action just before each write. The write throws what the action throws. */
export function beforeOrderWrite(act: (actions: Action[]) => void): void {
  beforeRequest(TransactWriteCommand, ({ TransactItems }) => act(TransactItems!));
  beforeRequest(PutCommand, (input) => {
    if (isOfOrder(input.Item)) act([{ Put: input } as Action]);
  });
}

export function beforeNextOrderWrite(act: () => void): void {
  let isNext = true;
  beforeOrderWrite(() => {
    if (!isNext) return;
    isNext = false;
    act();
  });
}

/** The outgoing events of an order, or of all orders of a shop, that the table holds: in their own items and in the outbox. */
export function outgoingOf(slug: string, orderId = ''): OutboxEvent[] {
  const items = memoryTable.all(orderPartition(slug, orderId)) as unknown as StoredItem[];
  const enclosed = [...Map.groupBy(items, ({ pk }) => pk).values()].flatMap((ofOrder) => {
    const head = ofOrder.find(({ sk }) => sk === orderSortKey);
    const shipments = ofOrder.filter(({ sk }) => sk.startsWith(shipmentPrefix)).map((item) => toShipment(item));
    return head ? enclosedEvents(slug, { order: toOrder(head), shipments }) : [];
  });
  const stored = memoryTable.all(keyOf.outbox(slug, orderId, '').pk) as unknown as (OutboxEvent & { kind: string })[];
  return [...enclosed, ...stored.filter(({ kind }) => kind === 'event')];
}
