import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { newOrderId, type Shipment, shipmentId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { asDraft, newShipment } from '#domain/orders/shipment-rules.ts';
import { planItem, triggerName } from '#domain/triggers/plan.ts';
import { replanItem } from '#domain/triggers/plan-store.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { keyOf } from '#platform/table/keys.ts';
import { aTrigger, hoursAfter, triggersItem } from './internal-triggers.ts';

const third_party = 'webhook';

/** Work for each grant of the functions that plan and fire internal triggers, written without the API. */
export async function dueWork(stack: LocalStack): Promise<void> {
  const client = new DynamoDBClient(stack.clientConfig);
  const table = DynamoDBDocumentClient.from(client);
  const put = (Item: object) => table.send(new PutCommand({ TableName: stack.outputs.TableName, Item }));
  for (const item of itemsToWorkOff()) await put(item);
  client.destroy();
}

function itemsToWorkOff(): object[] {
  const slug = `shop-${randomUUID()}`;
  const now = new Date().toISOString();
  const yesterday = hoursAfter(now, -24);
  const order = newOrder(newOrderId(new Date(yesterday)), { order_number: 'A1' }, new Date(yesterday));
  const other = newOrder(newOrderId(new Date(yesterday)), { order_number: 'A2' }, new Date(yesterday));
  const draft = { order_id: order.uuid, uuid: shipmentId(order.uuid, 1) };
  const parcel = asDraft(newShipment(other, 2, 'merchant_customer', yesterday));
  const [past, coming, gone] = [
    aTrigger({ id: 'past', time_threshold_value: 1 }),
    aTrigger({ id: 'coming', time_threshold_value: 48 }),
    aTrigger({ id: 'gone' }),
  ];
  return [
    { ...keyOf.shop(slug), slug, uuid: randomUUID(), language: 'en' },
    triggersItem(slug, third_party, past, coming),
    // One fires, and one is dropped. Fan-out plans the coming one.
    planned(slug, draft, yesterday, past, gone),
    orderItem(slug, order, 1),
    // No trigger matches the parcel after its change, so fan-out deletes its plan.
    planned(slug, parcel, hoursAfter(now, 24), gone),
    shipmentItem(slug, parcel, 1),
    shipmentItem(slug, { ...parcel, direction: 'customer_merchant' }, 2),
    // The stream does not deliver these drafts; they are planned with all of the shop.
    { ...orderItem(slug, other, 1), sk: 'OTHER' },
    replanItem({ shop_slug: slug, due_at: yesterday, since: yesterday }),
    // Nobody can do this one, so it is moved.
    { ...replanItem({ shop_slug: slug, due_at: yesterday, since: yesterday }), sk: 'ODD', kind: 'odd' },
  ];
}

function planned(slug: string, shipment: Pick<Shipment, 'uuid' | 'order_id'>, at: string, ...triggers: Trigger[]) {
  const times = triggers.map((trigger) => [triggerName({ third_party, trigger }), Date.parse(at)]);
  return planItem(slug, shipment, { planned: Object.fromEntries(times), fired: {}, version: 0 }, 1)!;
}

type Trigger = ReturnType<typeof aTrigger>;
