import { createHash } from 'node:crypto';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { written } from '#platform/table/dictionary.ts';
import { packLongText, packText, unpackLongText, unpackText } from '#platform/table/packed-text.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import { isOutage } from '#platform/verdicts.ts';
import { orderExamples } from '#schemas/examples/orders.ts';
import readByLastRelease from '#test/last-release/dictionaries.json' with { type: 'json' };

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

test.each<[string, (stored: Buffer) => Buffer]>([
  ['with a dictionary of a newer version', (stored) => stored.fill(stored[3]! ^ 1, 3, 4)],
  ['in another format', (stored) => zstdCompressSync(unpackText(stored))],
  ['without a dictionary', (stored) => deflateSync(unpackText(stored))],
])('what was packed %s is an outage', async (_, change) => {
  const stored = change(packText(text));
  expect(() => unpackText(stored)).toThrow(UnknownForm);
  await expect((async () => unpackLongText(stored))()).rejects.toThrow(UnknownForm);
  expect(isOutage(new UnknownForm())).toBe(true);
});

test('what is packed in a known way and damaged is no outage', () => {
  const stored = packText(text).fill(0xff, 10);
  const unpack = () => {
    try {
      return unpackText(stored);
    } catch (error) {
      return isOutage(error);
    }
  };
  expect(unpack()).toBe(false);
});

test('the dictionary that is written is one that the last release reads', () => {
  expect(readByLastRelease).toContain(createHash('sha256').update(written).digest('hex'));
});
