import { describe, expect, test } from 'vitest';
import type { Attempt } from '#domain/deliveries/delivery-rules.ts';
import {
  ownRequest,
  shownRequest,
  usualHeaders,
  vendorRequest,
  withNewestRequests,
} from '#domain/deliveries/sent-request.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';

const at = '2026-11-14T12:00:00.250Z';
const delivery = { id: 'd1', subject_version: 4, feed: { generation: 3, hour: '2026-11-14T12:00:00Z' } };
const shown = (request: Attempt['request']) =>
  shownRequest(delivery, { at, duration_ms: 1, ...(request && { request }) });

describe('the request of an attempt at an endpoint', () => {
  const url = 'https://example.com/hook?shop=blue';
  const signature = 'a'.repeat(64);
  const headers = {
    ...usualHeaders(delivery, new Date(at)),
    'service-signature': `t=1794657600,v1=${signature},v1=${'b'.repeat(64)}`,
    'webhook-signature': `v1,${'c'.repeat(43)}= v1,${'d'.repeat(43)}=`,
  };

  test('is shown with all its headers and with shortened signatures', () => {
    expect(shown(ownRequest({ url, headers }, undefined))).toEqual({
      method: 'POST',
      url,
      headers: {
        ...usualHeaders(delivery, new Date(at)),
        'webhook-subject-version': '4',
        'webhook-hour': '2026-11-14T12:00:00Z',
        'service-signature': 't=1794657600,v1=aaaaaaaa…,v1=bbbbbbbb…',
        'webhook-signature': 'v1,cccccccc… v1,dddddddd…',
      },
      body: null,
    });
  });

  test('takes few bytes, because every attempt is written with it', () => {
    expect(JSON.stringify(ownRequest({ url, headers }, undefined)).length).toBeLessThan(url.length + 150);
  });

  test('is null for an attempt from before requests were logged', () => {
    expect(shown(undefined)).toBeNull();
  });
});

describe('the request of an attempt at an integration', () => {
  const secret = 'the-key-of-the-shop';

  test.each([
    [{ authorization: `Bearer ${secret}` }, { authorization: 'Bearer ***' }],
    [{ authorization: `Klaviyo-API-Key ${secret}` }, { authorization: 'Klaviyo-API-Key ***' }],
    [{ authorization: 'a b c' }, { authorization: '***' }],
    [{ 'X-Shopify-Access-Token': secret }, { 'X-Shopify-Access-Token': '***' }],
    [{ 'x-wsse': 'UsernameToken Username="u", PasswordDigest="x"' }, { 'x-wsse': 'UsernameToken ***' }],
    [
      { 'x-integration-portal-id': '42', revision: '2026-10-15' },
      { 'x-integration-portal-id': '42', revision: '2026-10-15' },
    ],
    [{ 'x-integration-portal-id': secret }, { 'x-integration-portal-id': '***' }],
  ])('has the headers %j as %j', (headers, masked) => {
    const { headers: stored } = vendorRequest({ method: 'POST', url: 'https://a.example/', headers }, [secret]) as {
      headers: object;
    };
    expect(stored).toEqual(masked);
    expect(ownRequest({ url: 'https://a.example/', headers }, [secret])).toMatchObject({ own: masked });
  });

  test.each([
    ['https://user:password@a.example/events', 'https://***@a.example/events'],
    [`https://a.example/events?key=${secret}&mode=live`, 'https://a.example/events?key=***&mode=***'],
    [`https://a.example/${secret}/events`, 'https://a.example/***/events'],
  ])('in the form of a vendor has the address %s as %s', (url, masked) => {
    expect(vendorRequest({ method: 'GET', url, headers: {} }, [secret])).toMatchObject({ url: masked });
  });

  test.each([
    'https://user:password@a.example/hooks/a-key-of-the-operator',
    'https://a.example/?key=a-key-of-the-operator',
  ])('in our own form names only the server of %s, because the rest may be a key of the operator', (url) => {
    expect(ownRequest({ url, headers: {} }, [secret])).toMatchObject({ url: 'https://a.example/…' });
  });

  test('has its body without the credential, unless the body is too long', () => {
    const sent = (body: string) =>
      vendorRequest({ method: 'POST', url: 'https://a.example/', headers: {}, body }, [secret]);
    expect(shown(sent(`{"key":"${secret}","name":"Zoë"}`))).toMatchObject({ body: '{"key":"***","name":"Zoë"}' });
    expect(shown(sent('x'.repeat(deliveryLimits.requestBytes)))!.body).not.toBeNull();
    expect(shown(sent('ë'.repeat(deliveryLimits.requestBytes - 1)))!.body).toBeNull();
  });
});

test('a delivery keeps the requests of its newest attempts and the newest body, so its item stays small', () => {
  const request = vendorRequest({ method: 'POST', url: 'https://a.example/', headers: {}, body: 'x'.repeat(2048) }, []);
  const attempts: Attempt[] = Array.from({ length: 30 }, (_, n) => ({
    at,
    duration_ms: n,
    response: 'y'.repeat(1024),
    request,
  }));
  const kept = withNewestRequests(attempts);
  expect(kept.map(({ duration_ms }) => duration_ms)).toEqual(attempts.map(({ duration_ms }) => duration_ms));
  expect(kept.filter((attempt) => attempt.request)).toEqual(kept.slice(-deliveryLimits.requestsKept));
  expect(kept.filter((attempt) => attempt.request && 'body' in attempt.request)).toEqual(kept.slice(-1));
  expect(JSON.stringify(kept).length).toBeLessThan(40 * 1024);
});
