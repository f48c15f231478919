import { expect, test } from 'vitest';
import { streamTone, troubles } from '#lib/console/views/operator/operations-rules.ts';

const fine = {
  queues: [{ name: 'deliveries', waiting: 900, given_up: 0 }],
  circuits: [],
  providers: [{ provider: 'aftership' as const, last_webhook_at: null, unmapped: 7, refused: 0 }],
  streams: [{ name: 'counts' as const, age_seconds: null }],
};

test('what only waits is no trouble', () => {
  expect(troubles(fine)).toBe(0);
});

test('what was given up, does not answer, is refused or stands still is', () => {
  const circuit = { shop_slug: 'blue', target: 'integration_1', state: 'open' as const, since: '', parked: 1 };
  expect(
    troubles({
      queues: [{ name: 'runs', waiting: 0, given_up: 3 }],
      circuits: [circuit, { ...circuit, target: 'integration_2' }],
      providers: [{ ...fine.providers[0]!, refused: 5 }],
      streams: [
        { name: 'fan-out', age_seconds: 30 },
        { name: 'counts', age_seconds: 1000 },
      ],
    }),
  ).toBe(5);
});

test('parcels that wait to be watched are a trouble if no tracking provider is set', () => {
  const queues = [{ name: 'tracking-requests', waiting: 160, given_up: 0 }];
  expect(troubles({ ...fine, queues })).toBe(0);
  expect(troubles({ ...fine, queues, providers: [] })).toBe(1);
  expect(troubles({ ...fine, providers: [] })).toBe(0);
});

test('a reader of the stream is behind after three minutes, and stands still after a quarter of an hour', () => {
  expect([null, 0, 179, 180, 899, 900].map(streamTone)).toEqual([
    ...['quiet', 'arrived', 'arrived', 'attention', 'attention', 'failed'],
  ]);
});
