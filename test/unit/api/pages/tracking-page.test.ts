import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { landingUrl } from '#api/pages/go.ts';
import { pack, toOrder } from '#domain/orders/order-items.ts';
import type { CampaignRecord } from '#domain/promotions/campaign.ts';
import { keyOf } from '#platform/table/keys.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import {
  countsOf,
  factsOf,
  follow,
  holdsShop,
  newCampaign,
  pageOf,
  pageOfOrder,
  shopCall,
} from '#test/kit/page-shop.ts';
import { beforeNextRequest, beforeRequest } from '#test/kit/table.ts';

beforeEach(() => holdsShop());

describe('the link of an order', () => {
  test('opens its page and the same facts as JSON', async () => {
    const token = await pageOfOrder('1001', {}, '00340434161094042557');
    const { status, body, headers } = await factsOf(token);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      order_number: '1001',
      language: 'en',
      parcels: [{ tracking_number: '00340434161094042557', carrier: { name: 'DHL Paket' }, phase: 'order_processed' }],
      promotion: null,
      claims: [],
      links: { page_url: `https://service.example.com/t/${token}`, claim_url: expect.stringMatching(/\/claim$/) },
    });
    expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': '*', 'Content-Language': 'en' });
    expect((await pageOf(token)).status).toBe(200);
  });

  test('stays the same when the order changes, and is given to an older order with its next change', async () => {
    const token = await pageOfOrder('1001');
    expect(await pageOfOrder('1001', { weight: 3 })).toBe(token);
    const item = memoryTable.all(partitions.order).find(({ sk }) => sk === 'ORDER')!;
    const { page_token: _token, ...older } = toOrder(item as never);
    memoryTable.put({ ...item, document: pack(older) });
    const [shown] = await shopCall('orders', 'GET', '/orders', { query: { order_number: '1001' } });
    expect(shown.tracking_page_url).toBeNull();
    const another = await pageOfOrder('1001', { weight: 4 });
    expect(another).not.toBe(token);
    expect((await factsOf(another)).status).toBe(200);
  });

  test('is read in the language of the query, then of the header, then of the shop', async () => {
    await shopCall('shops', 'PATCH', '', { body: { language: 'hu' } });
    const token = await pageOfOrder('1001');
    const languageOf = async (call: object) => {
      const { body, headers } = await factsOf(token, call);
      expect(headers['Content-Language']).toBe(body.language);
      return body.language;
    };
    const headers = { 'Accept-Language': 'de' };
    expect(await languageOf({})).toBe('hu');
    expect(await languageOf({ headers })).toBe('de');
    expect(await languageOf({ headers, query: { lang: 'el' } })).toBe('gr');
    expect(await languageOf({ headers, query: { lang: 'fr_CA' } })).toBe('fr');
    expect(await languageOf({ headers, query: { lang: 'klingon' } })).toBe('de');
  });
});

test('the page that a sent form leads to thanks for it, and no other does', async () => {
  const token = await pageOfOrder('1001', {}, 'a');
  const thanks = async (query: Record<string, string>) =>
    (await pageOf(token, { query })).body.includes('The shop has your report');
  expect(await thanks({ sent: '1' })).toBe(true);
  for (const query of [{}, { lang: 'en' }, { sent: 'x' }])
    expect(await thanks(query as Record<string, string>)).toBe(false);
});

describe('a page that does not exist', () => {
  const answerOf = async (token: string) => {
    const { status, body, headers } = await pageOf(token);
    const { 'X-Correlation-Id': _id, ...same } = headers;
    return { status, body, same };
  };

  test('is answered in one way: unknown, malformed, deleted, or switched off', async () => {
    const [deleted, off] = [await pageOfOrder('1'), await pageOfOrder('2')];
    const unknown = await answerOf('AAAAAAAAAAAAAAAAAAAAAA');
    expect(unknown.status).toBe(404);
    expect(await answerOf('no token')).toEqual(unknown);
    const { order_id } = memoryTable.read(keyOf.pageReference(deleted))!;
    memoryTable.remove(keyOf.order('blue', order_id as string));
    expect(await answerOf(deleted)).toEqual(unknown);
    await shopCall('settings', 'PATCH', '/settings/tracking-page', { body: { enabled: false } });
    expect(await answerOf(off)).toEqual(unknown);
    expect(await factsOf(off)).toMatchObject({
      status: 404,
      body: { key: 'page_not_found' },
      headers: { 'Access-Control-Allow-Origin': '*' },
    });
    await shopCall('settings', 'PATCH', '/settings/tracking-page', { body: { enabled: null } });
    expect((await answerOf(off)).status).toBe(200);
  });
});

test('an order that was written a moment ago is read again if the cheaper read misses a part of it', async () => {
  const token = await pageOfOrder('1001', {}, 'a');
  for (const prefix of ['ORDER', 'SHIPMENT#']) {
    const late = memoryTable.all(partitions.order).find(({ sk }) => sk.startsWith(prefix))!;
    const reads: boolean[] = [];
    beforeRequest(QueryCommand, ({ ExpressionAttributeValues: values, ConsistentRead = false }) => {
      if (values?.[':partition'] !== late.pk) return;
      reads.push(ConsistentRead);
      if (ConsistentRead) memoryTable.put(late);
      else memoryTable.remove(late);
    });
    expect(await factsOf(token)).toMatchObject({ status: 200, body: { parcels: [{ tracking_number: 'a' }] } });
    expect(reads).toEqual([false, true]);
  }
});

describe('a promotion', () => {
  test('is counted once for an order, however often and in whatever form it is seen', async () => {
    const { uuid } = await newCampaign('Summer');
    const token = await pageOfOrder('1');
    const views = Array.from({ length: 50 }, (_, i) => (i % 2 ? pageOf(token) : factsOf(token)));
    expect(new Set((await Promise.all(views)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await countsOf(uuid)).toEqual({ shown: 1, clicked: 0 });
    await factsOf(await pageOfOrder('2'));
    await Promise.all(Array.from({ length: 20 }, () => follow(token, uuid)));
    expect(await countsOf(uuid)).toEqual({ shown: 2, clicked: 1 });
  });

  test('that is shown and followed, and the visit, name the shop whose figures count them', async () => {
    const { uuid } = await newCampaign('Summer');
    const token = await pageOfOrder('1');
    await pageOf(token);
    await follow(token, uuid);
    const marks = [keyOf.pageVisits(token), keyOf.pageShown(token, uuid), keyOf.pageClicked(token, uuid)];
    expect(marks.map((key) => memoryTable.read(key)?.slug)).toEqual(['blue', 'blue', 'blue']);
  });

  test('that is followed from elsewhere counts as shown and clicked, if it is the one of the order', async () => {
    const [mine, other] = [await newCampaign('Mine'), await newCampaign('Other', { segment: 'vip' })];
    const token = await pageOfOrder('1');
    for (const { uuid } of [mine, other]) expect((await follow(token, uuid)).status).toBe(302);
    expect(await countsOf(mine.uuid)).toEqual({ shown: 1, clicked: 1 });
    expect(await countsOf(other.uuid)).toEqual({ shown: 0, clicked: 0 });
  });

  test('that is followed while a view counts its showing loses neither', async () => {
    const { uuid } = await newCampaign('Mine');
    const token = await pageOfOrder('1');
    beforeNextRequest(TransactWriteCommand, () => memoryTable.put(keyOf.pageShown(token, uuid)));
    expect((await follow(token, uuid)).status).toBe(302);
    expect(await countsOf(uuid)).toEqual({ shown: 0, clicked: 1 });
  });

  test('leads to its page with the attribution, and keeps what its link has', async () => {
    const { uuid } = await newCampaign('Sommer & Sonne');
    const { headers } = await follow(await pageOfOrder('1'), uuid);
    expect(headers.Location).toBe(
      'https://shop.example/offer?a=b%20c&utm_source=trackpages&utm_medium=basic_promotion&utm_campaign=Sommer+%26+Sonne#top',
    );
    expect(headers).toMatchObject({ 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' });
  });

  test.each([
    ['https://shop.example', 'https://shop.example/?utm_source=trackpages&utm_medium=product_promotion&utm_campaign=A'],
    [
      'https://shop.example/?utm_source=mail&x=1',
      'https://shop.example/?x=1&utm_source=trackpages&utm_medium=product_promotion&utm_campaign=A',
    ],
    ['mailto:help@shop.example?subject=A', 'mailto:help@shop.example?subject=A'],
    ['ftp://shop.example/x', undefined],
    ['javascript:alert(1)', undefined],
    [null, undefined],
  ])('with the link %j leads to %j', (cta_url, expected) => {
    const campaign = { name: 'A', promotion_type: 'product', promotion_properties: { cta_url } };
    expect(landingUrl(campaign as CampaignRecord)).toBe(expected);
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'x', '../x'])(
    '%j that nobody knows is a page that does not exist',
    async (id) => {
      expect((await follow(await pageOfOrder('1'), id)).status).toBe(404);
    },
  );

  test('is not counted when a browser prefetches the page, nor for a simulated order', async () => {
    const { uuid } = await newCampaign('Summer');
    const token = await pageOfOrder('1');
    const headers = { 'Sec-Purpose': 'prefetch;anonymous-client-ip' };
    await factsOf(token, { headers });
    await follow(token, uuid, { headers });
    const item = memoryTable.all(partitions.order).find(({ sk }) => sk === 'ORDER')!;
    memoryTable.put({ ...item, document: pack({ ...toOrder(item as never), simulation_id: 's' }) });
    await factsOf(token);
    await follow(token, uuid);
    expect(await countsOf(uuid)).toEqual({ shown: 0, clicked: 0 });
  });

  test('that cannot be counted is shown nevertheless, and counted with the next view', async () => {
    const { uuid } = await newCampaign('Summer');
    const token = await pageOfOrder('1');
    beforeNextRequest(TransactWriteCommand, () => {
      throw new Error('throttled');
    });
    expect((await factsOf(token)).body.promotion.promotion_id).toBe(uuid);
    expect(await countsOf(uuid)).toEqual({ shown: 0, clicked: 0 });
    await factsOf(token);
    expect(await countsOf(uuid)).toEqual({ shown: 1, clicked: 0 });
  });

  test('of an A/B test is counted for its variant, and the click stays with the test when it has ended', async () => {
    const variants = [await newCampaign('A', { enabled: false }), await newCampaign('B', { enabled: false })];
    const test = await shopCall('abTests', 'POST', '/ab-tests', {
      body: {
        name: 'Which?',
        segment: 'all',
        campaign_type: 'basic',
        campaigns: variants.map(({ uuid }) => ({ campaign_id: uuid, allocation: 50 })),
      },
    });
    const tokens = await Promise.all(Array.from({ length: 12 }, (_, i) => pageOfOrder(`order ${i}`)));
    const seen = await Promise.all(tokens.map(async (token) => (await factsOf(token)).body.promotion.promotion_id));
    await shopCall('abTests', 'POST', '/ab-tests/{uuid}/end-test', { params: { uuid: test.uuid } });
    for (const [i, token] of tokens.entries()) expect((await follow(token, seen[i])).status).toBe(302);
    const { campaigns } = await shopCall('abTests', 'GET', '/ab-tests/{uuid}', { params: { uuid: test.uuid } });
    const expected = variants.map(({ uuid }) => seen.filter((one) => one === uuid).length);
    expect(Math.min(...expected)).toBeGreaterThan(0);
    expect(campaigns.map(({ counts }: { counts: object }) => counts)).toEqual(
      expected.map((count) => ({ shown: count, clicked: count })),
    );
    expect(await countsOf(variants[0].uuid)).toEqual({ shown: expected[0], clicked: expected[0] });
  });
});

test('a claim is on the page with its status, newest first, until it is deleted', async () => {
  const token = await pageOfOrder('1', {}, 'a');
  const claim = (reason: string) => shopCall('claims', 'POST', '/claims', { body: { tracking_number: 'a', reason } });
  const shown = async () =>
    (await factsOf(token)).body.claims.map((one: Record<string, string>) => [one.reason, one.status]);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const { uuid } = await claim('damage');
  vi.advanceTimersByTime(1);
  await claim('missing_product');
  expect(await shown()).toEqual([
    ['missing_product', 'pending'],
    ['damage', 'pending'],
  ]);
  await shopCall('claims', 'PUT', '/claims/{uuid}', { params: { uuid }, body: { status: 'accepted' } });
  expect((await shown())[1]).toEqual(['damage', 'accepted']);
  await shopCall('claims', 'DELETE', '/claims/{uuid}', { params: { uuid } });
  expect(await shown()).toEqual([['missing_product', 'pending']]);
});
