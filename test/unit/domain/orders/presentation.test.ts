import { expect, test } from 'vitest';
import { newOrderId } from '#domain/orders/model.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { toOrderResponse, viewerOf } from '#domain/orders/presentation.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
const shop = { slug: 'blue', uuid: '01930000-0000-7000-8000-000000000000' };

test('an erased order says when it was erased, and has no page to open', async () => {
  const viewer = await viewerOf({ shop, language: 'en', serviceUrl: 'https://service.example', now });
  const order = { ...newOrder(newOrderId(now), { order_number: '1' }, now), page_token: 'token' };
  expect(toOrderResponse({ order, shipments: [] }, viewer)).toMatchObject({
    erased_at: null,
    tracking_page_url: 'https://service.example/t/token',
  });
  const erased = { ...order, erased_at: now.toISOString(), erased_by: 'Mara in support' };
  expect(toOrderResponse({ order: erased, shipments: [] }, viewer)).toMatchObject({
    erased_at: now.toISOString(),
    tracking_page_url: null,
  });
});

test("what an order remembers of the shop's own system is in no answer", async () => {
  const viewer = await viewerOf({ shop, language: 'en', serviceUrl: 'https://service.example', now });
  const placed = newOrder(newOrderId(now), { order_number: '1' }, now);
  const at = now.toISOString();
  const remembered = {
    told_at: at,
    told_before: { [at]: ['weight'] },
    said_at: at,
    cancelled_at: at,
    unread: [{ at, field: 'total' }],
  };
  const answer = toOrderResponse({ order: { ...placed, ...remembered }, shipments: [] }, viewer);
  expect(answer).toEqual(toOrderResponse({ order: placed, shipments: [] }, viewer));
});
