import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { claimItem, historyItem } from '#domain/claims/claim-store.ts';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import { erasedPayload } from '#domain/deliveries/erased-payload.ts';
import { claimEvent, outboxItem } from '#domain/orders/outbox.ts';
import { eraseEverything } from '#domain/privacy/erase-everything.ts';
import { receiversOf } from '#domain/privacy/erase-trail.ts';
import { markFailed } from '#pipeline/dead-letters/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { packLines } from '#platform/table/packed-text.ts';
import { anAutomation, storedAutomation } from '#test/kit/automations.ts';
import { claimOf, madeAt } from '#test/kit/claims.ts';
import { handler } from '#test/kit/fan-out.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { itemsOf, listener, orderWithEvent, streamOf } from '#test/kit/outbox-records.ts';
import { batchOf } from '#test/kit/queue-messages.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';

const sqs = mockClient(SQSClient);
Object.assign(process.env, {
  DELIVERY_QUEUE_URL: 'https://deliveries',
  PARTS_QUEUE_URL: 'https://parts',
  DEAD_PARTS_QUEUE_URL: 'https://dead-parts',
});

const shop = shopItem('blue');
const placed = orderWithEvent('blue', 'A');
const { order, shipments } = placed;
const claim = claimOf({ order_id: order.uuid, shipment_id: shipments[0]!.uuid, description: 'Erika fell' });
const created = { ...claimEvent('created', claim, 1, 'key'), shop_slug: 'blue' };
const item = outboxItem(shop, created);
const erasure = { at: '2026-11-14T13:00:00.000Z', by: 'key' };

const atOnce = anAutomation();
const later = anAutomation({ uuid: '01930000-0000-7000-8000-0000000000bb', delay_minutes: 60 });

const messages = () => sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries!);

async function erase() {
  await eraseEverything(shop, order.uuid, await receiversOf('blue'), erasure, async () => {});
}

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
});

describe('what comes late or is sent again after an order was erased', () => {
  describe.each([
    ['automations', [storedAutomation(atOnce), storedAutomation(later)]],
    ['an endpoint', [listener('blue', 'endpoint')]],
    ['both', [storedAutomation(atOnce), storedAutomation(later), listener('blue', 'endpoint')]],
  ])('to %s', (_whom, listeners) => {
    beforeEach(async () => {
      tableWith(
        shop,
        ...listeners,
        ...itemsOf(placed),
        claimItem('blue', claim, 1),
        historyItem('blue', claim, 1, { at: madeAt, by: 'key', action: 'created', changes: [] }),
        item,
      );
      await erase();
    });

    const { shop_slug, order_id, id: event_id } = created;
    const whole = { shop_slug, order_id, event_id };

    test.each([
      ['a record of the stream', () => handler(streamOf({ event: item }))],
      ['an event that is yet to be split', () => handler(batchOf([whole], { group: 'blue' }))],
      ['a part of an event', () => handler(batchOf([{ ...whole, event: created, from: 0, to: 1 }], { group: 'blue' }))],
    ])('plans nothing and stores nothing: %s', async (_what, replay) => {
      const before = memoryTable.all();
      expect(await replay()).toEqual({ batchItemFailures: [] });
      expect(memoryTable.all()).toEqual(before);
      expect(messages()).toEqual([]);
    });
  });

  const source = { event_id: created.id, subject_id: claim.uuid, ref: created.ref, event_group: null };
  const delivery = newDelivery(
    { ...source, triggered_at: madeAt, shop_slug: 'blue' } as never,
    { id: 'endpoint', kind: 'webhook' },
    new Date(madeAt),
  );
  const mark = erasedPayload('blue', delivery.payload_id, erasure.at, 2_000_000_000);

  test('records no text of an attempt: a dead letter of a delivery that still waits', async () => {
    tableWith(shop, deliveryItem(delivery), mark);
    const { shop_slug, target, id: delivery_id, payload_id } = delivery;
    const result = { status: 500, error: 'http_500', response: 'Who is Erika?' };
    const ended = { at: '2026-11-14T12:30:00.000Z', duration_ms: 1, result };
    const letter = { shop_slug, target, delivery_id, payload_id, ended };
    expect(await markFailed(letter as never, new Date(ended.at), new Date(erasure.at))).toBe(true);
    expect(memoryTable.read(keyOf.delivery('blue', target, delivery_id))).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(memoryTable.all())).not.toContain('Erika');
  });
});

test('a record of a shop that was removed tells nothing to the shop that has its slug since', async () => {
  const again = shopItem('blue', { created_at: '2027-01-01T00:00:00.000Z' });
  tableWith(again, listener('blue', 'endpoint'), storedAutomation(atOnce));
  const before = memoryTable.all();
  const snapshot = packLines([order, ...shipments], 100_000);
  expect(await handler(streamOf({ event: { ...placed.event, snapshot } }))).toEqual({ batchItemFailures: [] });
  expect(memoryTable.all()).toEqual(before);
  expect(messages()).toEqual([]);
});
