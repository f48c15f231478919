import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deliveryWord, failureParts } from '#lib/console/ui/delivery-word.ts';
import { tones } from '#lib/console/ui/tones.ts';

const delivery = (status: Parameters<typeof deliveryWord>[0]['status'], last_error: string | null = null) => ({
  status,
  last_error,
  next_attempt_at: null,
});

test('a delivery whose last attempt failed is never shown as one that is being sent', () => {
  expect(deliveryWord(delivery('pending'))).toBe('pending');
  expect(deliveryWord(delivery('pending', 'http_500'))).toBe('retried');
  expect(tones.delivery.retried).toBe('attention');
});

test('a delivery that ended or is parked keeps its word, whatever failed before', () => {
  for (const status of ['parked', 'delivered', 'failed', 'cancelled'] as const) {
    expect(deliveryWord(delivery(status, 'timeout'))).toBe(status);
  }
});

test.each([
  ['http_500', { kind: 'http', answer: '500' }],
  ['token_http_401', { kind: 'token_http', answer: '401' }],
  ['reply_2008', { kind: 'reply', answer: '2008' }],
  ['connection_refused', { kind: 'connection_refused' }],
])('the words of %s name what the receiver answered', (error, parts) => {
  expect(failureParts(error)).toEqual(parts);
});

test.each(['en', 'de'])('every reason for a failed attempt has words in %s', (language) => {
  const { errors } = JSON.parse(readFileSync(`lib/console/texts/${language}.json`, 'utf8')).deliveries;
  const found = (file: string, form: RegExp) => readFileSync(file, 'utf8').matchAll(form);
  const reasons = [
    ...found('functions/platform/outgoing/call.ts', /(?:return|[A-Z]:) '([a-z_]+)'/g),
    ...globSync('functions/domain/vendors/**/*.ts').flatMap((file) => [
      ...found(file, /(?:refused|again)\('([a-z_]+)'/g),
    ]),
  ];
  expect(reasons.length).toBeGreaterThan(20);
  expect(reasons.map(([, reason]) => reason!).filter((reason) => !(reason in errors))).toEqual([]);
});
