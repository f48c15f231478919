import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { deliveryWord, failureParts } from '#lib/console/ui/delivery-word.ts';
import { tones } from '#lib/console/ui/tones.ts';
import { mailFeedbacks, skipReasons } from '#schemas/catalogues/emails.ts';

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

test('what a mail server says later counts more than that an e-mail was sent', () => {
  const bounced = { ...delivery('delivered'), feedback: { kind: 'bounce', at: '2026-11-17T10:00:00Z' } as const };
  expect(deliveryWord(bounced)).toBe('bounce');
  expect(tones.delivery.bounce).toBe('failed');
  // Sent again since, it is a new try.
  expect(deliveryWord({ ...bounced, status: 'pending' })).toBe('pending');
});

test('an e-mail that was not sent is no failure', () => {
  expect(deliveryWord({ ...delivery('skipped'), reason: 'suppressed' })).toBe('skipped');
  expect(tones.delivery.skipped).toBe('quiet');
});

describe.each(['en', 'de'])('in %s', (language) => {
  const { deliveries } = JSON.parse(readFileSync(`lib/console/texts/${language}.json`, 'utf8'));

  test('every reason why an e-mail was not sent has words', () => {
    expect(Object.keys(deliveries.skipped)).toEqual([...skipReasons, 'unknown']);
    expect(new Set(Object.values(deliveries.skipped)).size).toBe(skipReasons.length + 1);
  });

  test('everything that becomes of an e-mail has a word in the log and a sentence in the timeline', () => {
    const words = [...Object.keys(deliveries.status), 'skipped', ...mailFeedbacks];
    expect(Object.keys(deliveries.mailStatus)).toEqual(expect.arrayContaining(words));
    expect(Object.keys(deliveries.mailed)).toEqual(expect.arrayContaining([...words, 'retried']));
  });

  test('every answer of the mail service has words', () => {
    const found = readFileSync('functions/platform/lazy/ses.ts', 'utf8').matchAll(/(?:error|E[A-Z]+): '([a-z_]+)'/g);
    const reasons = [...found].map(([, reason]) => reason!);
    expect(reasons.length).toBeGreaterThan(10);
    expect([...reasons, 'outcome_unknown'].filter((reason) => !(reason in deliveries.errors))).toEqual([]);
  });
});
