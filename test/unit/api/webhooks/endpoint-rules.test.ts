import { describe, expect, test } from 'vitest';
import { eventTimeOf, toDeliveryDetails } from '#api/webhooks/deliveries.ts';
import { matches, normalizeUrl, rotated, urlHash } from '#api/webhooks/endpoint-rules.ts';
import { deliveryId, newDelivery } from '#domain/deliveries/delivery-items.ts';
import type { EndpointSecret } from '#domain/endpoints/endpoint.ts';
import { timeRange } from '#platform/time.ts';
import { endpoint } from '#test/kit/endpoints.ts';

const now = new Date('2026-11-14T12:00:00Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

describe('the rotation of a secret', () => {
  const secret = (name: string, expires_at: Date | null = null): EndpointSecret => ({
    ciphertext: Buffer.from(name),
    created_at: '2026-11-01T00:00:00.000Z',
    expires_at: expires_at?.toISOString() ?? null,
  });
  const listed = (secrets: EndpointSecret[]) =>
    secrets.map(({ ciphertext, expires_at }) => [Buffer.from(ciphertext).toString(), expires_at]);
  const afterRotation = (secrets: EndpointSecret[], grace: number) =>
    listed(rotated(secrets, Buffer.from('new'), grace, now));

  test('puts the new secret first and lets the old one sign until the grace period ends', () => {
    expect(afterRotation([secret('old')], 24)).toEqual([
      ['new', null],
      ['old', hours(24).toISOString()],
    ]);
  });

  test('without a grace period ends every earlier secret at once', () => {
    expect(afterRotation([secret('old'), secret('older', hours(5))], 0)).toEqual([['new', null]]);
  });

  test('repeated within the grace period keeps the first secret signing', () => {
    const once = rotated([secret('old')], Buffer.from('lost'), 24, now);
    expect(listed(rotated(once, Buffer.from('new'), 24, hours(1)))).toEqual([
      ['new', null],
      ['lost', hours(25).toISOString()],
      ['old', hours(24).toISOString()],
    ]);
  });

  test('does not extend the life of any secret', () => {
    expect(afterRotation([secret('old'), secret('older', hours(2)), secret('gone', hours(-1))], 168)).toEqual([
      ['new', null],
      ['old', hours(168).toISOString()],
      ['older', hours(2).toISOString()],
    ]);
  });

  test('keeps a bounded number of secrets', () => {
    let secrets = [secret('0')];
    for (let i = 1; i <= 20; i++) secrets = rotated(secrets, Buffer.from(String(i)), 168, now);
    expect(listed(secrets).map(([name]) => name)).toEqual(['20', '19', '18', '17', '16']);
  });
});

describe('the address of an endpoint', () => {
  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://EXAMPLE.com:443/a', 'https://example.com/a'],
    ['https://example.com/a#one', 'https://example.com/a#two'],
    ['https://example.com/a/../b', 'https://example.com/b'],
  ])('%s is the same as %s', (a, b) => {
    expect(normalizeUrl(a)).toBe(normalizeUrl(b));
    expect(urlHash(a)).toBe(urlHash(b));
  });

  test.each([
    ['https://example.com/a', 'https://example.com/A'],
    ['https://example.com/a', 'https://example.com/a/'],
    ['https://example.com/?a', 'https://example.com/?b'],
    ['https://example.com:8443/', 'https://example.com/'],
  ])('%s differs from %s', (a, b) => {
    expect(urlHash(a)).not.toBe(urlHash(b));
  });
});

describe('a search', () => {
  const one = endpoint({ url: 'https://example.com/hook' });
  const paging = { page: 1, per_page: 30 };

  test.each([
    [{}, true],
    [{ uuid: one.uuid.toUpperCase() }, true],
    [{ url: 'https://EXAMPLE.com/hook' }, true],
    [{ status: 'active' as const, url: 'https://example.com/hook' }, true],
    [{ status: 'inactive' as const }, false],
    [{ url: 'https://example.com/' }, false],
    [{ url: 'hook' }, false],
    [{ status: 'inactive' as const, uuid: one.uuid }, false],
  ])('for %j finds the endpoint: %s', (filters, found) => {
    expect(matches(one, { ...paging, ...filters })).toBe(found);
  });
});

describe('a time range', () => {
  test('accepts every form of a time', () => {
    expect(timeRange('query', { since: '2026-11-14T13:00:00+01:00', until: '2026-12-31t23:59:60z' })).toEqual({
      since: now,
      until: new Date('2026-12-31T23:59:59.000Z'),
    });
    expect(timeRange('body', { since: '2026-11-14T12:00:00Z', until: null })).toEqual({ since: now });
  });

  test('that ends before it begins is refused with the place of its end', () => {
    const backwards = { since: '2026-11-14T12:00:00Z', until: '2026-11-14T11:59:59Z' };
    expect(() => timeRange('body', backwards)).toThrow(
      expect.objectContaining({ details: { errors: [expect.objectContaining({ loc: ['body', 'until'] })] } }),
    );
  });
});

test('the id of a delivery contains the time of its event', () => {
  const origin = { event_id: 'e', triggered_at: now.toISOString(), target: 't', subject_id: 's' };
  expect(eventTimeOf(deliveryId(origin))).toEqual(now);
});

test('a delivery whose payload is too big to show is shown with its attempts', () => {
  const event = { event_id: 'e', subject_id: 's', ref: 'claims/created', event_group: null, shop_slug: 'blue' };
  const made = newDelivery({ ...event, triggered_at: now.toISOString() }, { id: 't', kind: 'webhook' }, now);
  const attempts = [{ at: now.toISOString(), duration_ms: 1, status: 413 }];
  const shown = (body: string | undefined) => toDeliveryDetails({ ...made, attempts }, body);
  expect(shown(JSON.stringify({ big: 'x'.repeat(5 * 1024 * 1024) }))).toMatchObject({ payload: null, attempts });
  expect(shown('{"small":1}')).toMatchObject({ payload: { small: 1 }, attempts });
  expect(shown(undefined)).toMatchObject({ payload: null, attempts });
});
