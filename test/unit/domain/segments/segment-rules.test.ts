import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nextTry, postponed, type SegmentRequest, secondsUntilDue } from '#domain/segments/segment-request.ts';
import { hasCustomer, isSegmentSource, joinedSegments } from '#domain/segments/segment-rules.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';

describe('the segments that a vendor tells', () => {
  test('are added to those of the order, each once', () => {
    expect(joinedSegments(['vip'], ['new', 'vip', 'new'])).toEqual(['vip', 'new']);
  });

  test('change nothing if the order has them all', () => {
    expect(joinedSegments(['vip', 'new'], ['new'])).toBeUndefined();
    expect(joinedSegments([], [])).toBeUndefined();
  });

  test('are left out if an order cannot hold them', () => {
    expect(joinedSegments([], ['', 'x'.repeat(256), 'half \ud83d'])).toBeUndefined();
    expect(joinedSegments([], ['x'.repeat(255)])).toHaveLength(1);
    const many = Array.from({ length: 150 }, (_, i) => `segment ${i}`);
    expect(joinedSegments(['vip'], many)).toEqual(['vip', ...many.slice(0, 99)]);
    expect(joinedSegments(many.slice(0, 100), ['one more'])).toBeUndefined();
  });
});

test.each([
  [{ email_id: 'a@example.com' }, true],
  [{ external_customer_id: '7' }, true],
  [{}, false],
  [{ email_id: '', external_customer_id: '' }, false],
])('an order with %j has a customer whom a vendor may know: %s', (order, expected) => {
  expect(hasCustomer(order)).toBe(expected);
});

describe('an integration', () => {
  beforeEach(() => {
    const targets = {
      integration_1: { url: 'https://a.klaviyo.com', dialect: 'klaviyo' },
      integration_2: { url: 'https://mail.example.com' },
      integration_4: { url: 'https://rest.braze.eu', dialect: 'braze' },
      integration_5: { url: 'https://a.myshopify.com', dialect: 'shopify' },
    };
    vi.stubEnv('INTEGRATION_TARGETS', JSON.stringify(targets));
  });
  afterEach(() => void vi.unstubAllEnvs());

  const on: StoredSettings = {
    segments: { integration_1: true, integration_2: true, integration_4: true, integration_5: true },
  };
  const paused = { ...on, trigger_settings: { integration_1: { segments_enabled: false } } };
  const onlyOwn = { trigger_settings: { integration_1: { segments_enabled: true } } };
  const key = { origin: null };

  test.each([
    ['with its switch on', 'integration_1', on, key, true],
    ['of the other vendor that knows segments', 'integration_5', on, key, true],
    ['without a key', 'integration_1', on, undefined, false],
    ['with its switch off', 'integration_1', {}, key, false],
    ['that was paused by its own setting', 'integration_1', paused, key, false],
    ['whose own setting is on, but not its switch', 'integration_1', onlyOwn, key, false],
    ['without a dialect', 'integration_2', on, key, false],
    ['whose vendor tells no segments', 'integration_4', on, key, false],
  ] as const)('%s tells segments or not', (_, id, settings, stored, expected) => {
    expect(isSegmentSource(id, { shop: {}, settings, key: stored })).toBe(expected);
  });
});

describe('another try', () => {
  const now = new Date('2026-11-14T12:00:00Z');
  const request: SegmentRequest = {
    shop_slug: 'blue',
    order_id: 'o',
    integration: 'integration_1',
    since: now.toISOString(),
  };
  const waits = (tries: number, waitSeconds = 0) =>
    secondsUntilDue(nextTry({ ...request, tries }, { waitSeconds, now, random: 0.5 })!, now);

  test('comes later each time, up to an hour', () => {
    expect([0, 1, 2, 8, 9, 50].map((tries) => waits(tries))).toEqual([10, 20, 40, 2560, 3600, 3600]);
  });

  test('waits as long as the vendor asks', () => {
    expect([waits(0, 7000), waits(0, 1)]).toEqual([7000, 10]);
  });

  test('counts, but a pause does not', () => {
    expect(nextTry(request, { now, random: 0.5 })!.tries).toBe(1);
    expect(postponed(request, 5, now)!.tries).toBeUndefined();
  });

  test('does not follow when the order is a day old', () => {
    const dayLater = (ms: number) => new Date(now.getTime() + 24 * 3_600_000 + ms);
    expect(nextTry(request, { now: dayLater(-10_000), random: 0.5 })).toBeDefined();
    expect(nextTry(request, { now: dayLater(-9_999), random: 0.5 })).toBeUndefined();
    expect(postponed(request, 24 * 3600 + 1, now)).toBeUndefined();
  });
});
