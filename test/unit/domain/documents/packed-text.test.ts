import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packLongText, packText, unpackLongText, unpackText } from '#domain/documents/packed-text.ts';
import { orderExamples } from '#schemas/examples/orders.ts';

const text = JSON.stringify(orderExamples.upsertOrder.body.order);

test('a text is unpacked as it was packed, also in another thread', async () => {
  expect(unpackText(packText(text)).toString()).toBe(text);
  expect((await unpackLongText(await packLongText(text))).toString()).toBe(text);
});

test('an order takes a third of the space of its text', () => {
  expect(packText(text).length).toBeLessThan(text.length / 3);
});

test('what was stored before there was a dictionary can be read', async () => {
  expect(unpackText(gzipSync(text)).toString()).toBe(text);
  expect((await unpackLongText(gzipSync(text))).toString()).toBe(text);
});

test.each([
  ['first', 'ePm4HKrBq0ZLgYY4kqCRma6hoa6hcYihhZWJkZWhgZ6BgUGUUi0AiDkSKw=='],
  ['second', 'ePnS9Chlq0ZLgYY4kqCRma6hoa6hcYihhZWJkZWhgZ6BgUGUUi0AiDkSKw=='],
])('the %s dictionary has not changed, because what was packed with it can only be unpacked with it', (_, stored) => {
  const text = '{"order_name":"#1","order_placed_at":"2026-11-13T18:42:10.000Z"}';
  expect(unpackText(Buffer.from(stored, 'base64')).toString()).toBe(text);
});

test('what was packed with a dictionary that nobody has cannot be read', () => {
  const stored = packText(text);
  stored[3]! ^= 1;
  expect(() => unpackText(stored)).toThrow();
});
