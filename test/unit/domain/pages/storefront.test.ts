import { BatchGetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readStorefront } from '#domain/pages/storefront-store.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { storefrontLimits } from '#schemas/catalogues/limits.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { countsOf, factsOf, holdsShop, newCampaign, pageOfOrder, pageShop, shopCall } from '#test/kit/page-shop.ts';
import { beforeNextRequest, beforeRequest, dynamo, shopItem } from '#test/kit/table.ts';

const start = new Date('2026-11-15T12:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  holdsShop();
});
afterEach(() => void vi.useRealTimers());

const read = async () => (await readStorefront(pageShop, new Date()))!;
const versionOf = () => memoryTable.read(keyOf.storefrontVersion(pageShop))?.version ?? 0;
const madeSince = () => {
  dynamo.resetHistory();
  const { sk } = keyOf.storefrontView(pageShop);
  return () => dynamo.commandCalls(PutCommand).filter(({ args: [{ input }] }) => input.Item?.sk === sk).length;
};

const requests = () => dynamo.calls().map(({ args: [command] }) => command.constructor.name);

/** As functions do that have not shown this shop before: nothing that they read here stays in memory. */
async function withoutMemory<T>(work: () => Promise<T>): Promise<T> {
  const limits = storefrontLimits as { bytesInMemory: number };
  const usual = limits.bytesInMemory;
  limits.bytesInMemory = 0;
  try {
    return await work();
  } finally {
    limits.bytesInMemory = usual;
  }
}

const params = (name: string, uuid: string) => ({ params: { [name]: uuid } });

/** Each change of something that customers see, and what the storefront shows of it. */
const discounted = async () => {
  await shopCall('discounts', 'POST', '/discounts', { body: { code: 'OLD', type: 'order' } });
  const [{ uuid }] = await shopCall('discounts', 'GET', '/discounts');
  return uuid;
};
const deal = async () => {
  const discount_id = await discounted();
  return shopCall('deals', 'POST', '/deals', { body: { discount_id, title: 'Deal' } });
};
const announced = async () => {
  await shopCall('announcements', 'POST', '/announcements', { body: { text: 'Hello', language: 'en' } });
  const [{ uuid }] = await shopCall('announcements', 'GET', '/announcements');
  return uuid;
};
const tested = async () => {
  const { uuid } = await newCampaign('A');
  const campaigns = [{ campaign_id: uuid, allocation: 100 }];
  const body = { name: 'T', segment: 'vip', campaign_type: 'basic', campaigns };
  return shopCall('abTests', 'POST', '/ab-tests', { body });
};

const changes: Record<string, () => Promise<() => Promise<unknown>>> = {
  'another code of a deal': async () => {
    const { discount_id: uuid } = await deal();
    return () =>
      shopCall('discounts', 'PATCH', '/discounts/{uuid}', { ...params('uuid', uuid), body: { code: 'NEW' } });
  },
  'a deal without its discount': async () => {
    const { discount_id: uuid } = await deal();
    return () => shopCall('discounts', 'DELETE', '/discounts/{uuid}', params('uuid', uuid));
  },
  'a new deal': async () => () => deal(),
  'a changed deal': async () => {
    const { uuid } = await deal();
    return () =>
      shopCall('deals', 'PATCH', '/deals/{deal_id}', { ...params('deal_id', uuid), body: { title: 'More' } });
  },
  'a deleted deal': async () => {
    const { uuid } = await deal();
    return () => shopCall('deals', 'DELETE', '/deals/{deal_id}', params('deal_id', uuid));
  },
  'a new announcement': async () => () => announced(),
  'a changed announcement': async () => {
    const uuid = await announced();
    const body = { text: 'Bye' };
    return () => shopCall('announcements', 'PATCH', '/announcements/{uuid}', { ...params('uuid', uuid), body });
  },
  'a deleted announcement': async () => {
    const uuid = await announced();
    return () => shopCall('announcements', 'DELETE', '/announcements/{uuid}', params('uuid', uuid));
  },
  'a new campaign': async () => () => newCampaign('A'),
  'a disabled campaign': async () => {
    const { uuid } = await newCampaign('A');
    return () =>
      shopCall('campaigns', 'PUT', '/campaigns/{uuid}', { ...params('uuid', uuid), body: { enabled: false } });
  },
  'a deleted campaign': async () => {
    const { uuid } = await newCampaign('A');
    return () => shopCall('campaigns', 'DELETE', '/campaigns/{uuid}', params('uuid', uuid));
  },
  'a new A/B test': async () => () => tested(),
  'an ended A/B test': async () => {
    const { uuid } = await tested();
    return () => shopCall('abTests', 'POST', '/ab-tests/{uuid}/end-test', params('uuid', uuid));
  },
  'another colour': async () => () =>
    shopCall('settings', 'PATCH', '/settings/brand-palette', { body: { background: '#ABCDEF' } }),
  'products switched off': async () => () =>
    shopCall('settings', 'PATCH', '/settings/campaigns', { body: { product_recommendations_enabled: false } }),
  'other settings of the page': async () => () =>
    shopCall('settings', 'PATCH', '/settings/tracking-page', { body: { support_url: 'https://shop.example/help' } }),
  'another name of the shop': async () => () => shopCall('shops', 'PATCH', '', { body: { name: 'Red' } }),
};

describe('the storefront', () => {
  test.each(Object.keys(changes))('shows %s at once', async (name) => {
    const change = await changes[name]!();
    const before = await read();
    const counted = versionOf();
    await change();
    expect(versionOf()).toBeGreaterThan(counted);
    expect(await read()).not.toEqual(before);
  });

  test('is stored once and then read in one request', async () => {
    await newCampaign('A');
    const first = await withoutMemory(read);
    const made = madeSince();
    expect(await read()).toEqual(first);
    expect(requests()).toEqual(['QueryCommand']);
    expect(made()).toBe(0);
  });

  test('stays in memory, so that the next view reads only its version', async () => {
    await newCampaign('A');
    const first = await read();
    dynamo.resetHistory();
    expect(await read()).toEqual(first);
    expect(requests()).toEqual(['BatchGetCommand']);
    const versionOnly = { Keys: [keyOf.storefrontVersion(pageShop)], ConsistentRead: false };
    expect(dynamo.commandCalls(BatchGetCommand).map(({ args: [{ input }] }) => input.RequestItems)).toEqual([
      { [tableName()]: versionOnly },
    ]);
  });

  test('in the memory of one function is not used after another function changed it', async () => {
    await newCampaign('A');
    await read();
    const version = versionOf();
    const settings = { ...keyOf.settings(pageShop), brand_palette: { background: '#123456' } };
    memoryTable.put(settings);
    expect((await read()).palette.background).not.toBe('#123456');
    memoryTable.put({ ...keyOf.storefrontVersion(pageShop), version: version + 1 });
    expect((await read()).palette.background).toBe('#123456');
    // An earlier version is another version, too.
    memoryTable.put({ ...keyOf.storefrontVersion(pageShop), version: version - 1 });
    memoryTable.put({ ...settings, brand_palette: { background: '#654321' } });
    expect((await read()).palette.background).toBe('#654321');
  });

  test('in memory is not that of a shop which was removed and whose slug another one has got', async () => {
    await newCampaign('A');
    await read();
    for (const key of [keyOf.storefrontVersion(pageShop), keyOf.storefrontView(pageShop)]) memoryTable.remove(key);
    await shopCall('shops', 'PATCH', '', { body: { name: 'Second' } });
    expect((await read()).shop.name).toBe('Second');
    memoryTable.remove(keyOf.storefrontVersion(pageShop));
    dynamo.resetHistory();
    await read();
    // Without a version nothing is kept.
    await read();
    expect(requests().filter((name) => name === 'QueryCommand').length).toBeGreaterThan(1);
  });

  test('leaves the memory when the views of other shops need its place', async () => {
    await newCampaign('A');
    await read();
    const second = 'second-shop';
    memoryTable.put(shopItem(second), { ...keyOf.storefrontVersion(second), version: 1 });
    await withoutMemory(() => readStorefront(second, new Date()));
    dynamo.resetHistory();
    await read();
    expect(requests()).toEqual(['QueryCommand']);
  });

  test('that was made while something changed is not used', async () => {
    await read();
    await newCampaign('A');
    // Everything has been read, and the view is about to be stored, when something else changes.
    beforeNextRequest(PutCommand, () => memoryTable.put({ ...keyOf.storefrontVersion(pageShop), version: 99 }));
    await read();
    const made = madeSince();
    await read();
    expect(made()).toBe(1);
  });

  test('is not made older by a maker that was slow', async () => {
    await newCampaign('A');
    const slow = await read();
    const view = memoryTable.read(keyOf.storefrontView(pageShop))!;
    await shopCall('shops', 'PATCH', '', { body: { name: 'Red' } });
    expect((await read()).shop.name).toBe('Red');
    memoryTable.put(view);
    expect(slow.shop.name).toBe(pageShop);
    expect((await read()).shop.name).toBe('Red');
  });

  test('holds what opens within its time, and is made again after that', async () => {
    const soon = new Date(start.getTime() + 30 * 60_000).toISOString();
    const later = new Date(start.getTime() + 90 * 60_000).toISOString();
    await newCampaign('Soon', { start_date: soon, end_date: later });
    await newCampaign('Later', { start_date: later });
    const token = await pageOfOrder('1');
    const shown = async () => (await factsOf(token)).body.promotion?.title ?? null;
    expect(await shown()).toBeNull();
    const made = madeSince();
    vi.setSystemTime(new Date(soon));
    expect(await shown()).toBe('Soon');
    expect(made()).toBe(0);
    vi.setSystemTime(new Date(later));
    expect(await shown()).toBe('Later');
    expect(made()).toBe(1);
  });

  test('with too many promotions leaves them out, and the page chooses the same', async () => {
    const segments = ['a', 'b', 'c'];
    for (const segment of segments) await newCampaign(segment, { segment }, { discount_code: null });
    const token = await pageOfOrder('1', { segments: ['b'] });
    const { promotion } = (await factsOf(token)).body;
    const limits = storefrontLimits as { promotions: number };
    limits.promotions = 2;
    try {
      await shopCall('shops', 'PATCH', '', { body: { name: 'Red' } });
      expect((await read()).promotions).toBeNull();
      expect((await factsOf(token)).body.promotion).toEqual(promotion);
      expect(promotion.title).toBe('b');
    } finally {
      limits.promotions = 300;
    }
  });

  test('of a shop that does not exist is not stored', async () => {
    expect(await readStorefront('nobody', new Date())).toBeUndefined();
    expect(memoryTable.read(keyOf.storefrontView('nobody'))).toBeUndefined();
  });

  test('shows the first deals with their codes, and announcements in the language of the reader', async () => {
    const discount_id = await discounted();
    for (const title of ['1', '2', '3', '4', '5', '6', '7'])
      await shopCall('deals', 'POST', '/deals', {
        body: { discount_id, title, translations: [{ language: 'de', data: { title: `Nr. ${title}` } }] },
      });
    for (const [language, text] of [
      ['en', 'Hello'],
      ['de', 'Hallo'],
      ['de', 'Grüß Gott'],
    ])
      await shopCall('announcements', 'POST', '/announcements', { body: { language, text } });
    const token = await pageOfOrder('1');
    const { body } = await factsOf(token, { query: { lang: 'de' } });
    expect(body.deals.map(({ title }: { title: string }) => title)).toEqual(
      ['1', '2', '3', '4', '5', '6'].map((title) => `Nr. ${title}`),
    );
    expect(body.deals[0].discount_code).toBe('OLD');
    expect(body.announcements).toHaveLength(2);
    const inFrench = await factsOf(token, { query: { lang: 'fr' } });
    expect(inFrench.body.announcements).toEqual([{ text: 'Hello' }]);
  });
});

describe('a running campaign of everybody in an A/B test of a segment', () => {
  const explained = async (number: string) => {
    const [{ uuid }] = await shopCall('orders', 'GET', '/orders', { query: { order_number: number } });
    return shopCall('campaigns', 'GET', '/orders/{order_id}/promotion', {
      ...params('order_id', uuid),
      query: { explain: 'true' },
    });
  };

  test.each([300, 0])('is shown outside that segment, and explained (views of up to %i promotions)', async (size) => {
    const limits = storefrontLimits as { promotions: number };
    limits.promotions = size;
    try {
      const usual = await newCampaign('Usual');
      const special = await newCampaign('Special', { enabled: false });
      const body = {
        name: 'T',
        segment: 'vip',
        campaign_type: 'basic',
        campaigns: [
          { campaign_id: special.uuid, allocation: 100 },
          { campaign_id: usual.uuid, allocation: 0 },
        ],
      };
      const { uuid } = await shopCall('abTests', 'POST', '/ab-tests', { body });
      const [inside, outside] = [await pageOfOrder('1', { segments: ['vip'] }), await pageOfOrder('2')];
      const seen = async () =>
        Promise.all([inside, outside].map(async (token) => (await factsOf(token)).body.promotion?.title ?? null));
      const reasons = async (number: string) => {
        const { promotion, ab_test, explanation } = await explained(number);
        const all = explanation.map(({ name, reason }: { name: string; reason: string }) => [name, reason]);
        return { seen: promotion?.name, test: ab_test?.ab_test_id, ...Object.fromEntries(all) };
      };
      expect(await seen()).toEqual(['Special', 'Usual']);
      expect(await reasons('1')).toEqual({
        seen: 'Special',
        test: uuid,
        T: 'chosen',
        Special: 'chosen',
        Usual: 'in_ab_test',
      });
      expect(await reasons('2')).toEqual({ seen: 'Usual', test: undefined, Usual: 'chosen', Special: 'disabled' });
      // It is still the one enabled campaign of its segment.
      expect((await shopCall('campaigns', 'GET', '/campaigns/{uuid}', params('uuid', usual.uuid))).status).toBe(
        'paused',
      );
      await expect(newCampaign('Second')).rejects.toThrow('campaign_active_segment_exists');
      await shopCall('abTests', 'POST', '/ab-tests/{uuid}/end-test', params('uuid', uuid));
      expect(await seen()).toEqual(['Usual', 'Usual']);
      // A showing outside the test counts for the campaign, not for the test.
      expect((await countsOf(usual.uuid)).shown).toBe(2);
    } finally {
      limits.promotions = 300;
    }
  });
});

test('two writes of a shop at once both succeed, though both count up the version of its storefront', async () => {
  await newCampaign('A');
  const before = versionOf();
  let collisions = 2;
  beforeRequest(TransactWriteCommand, () => {
    if (collisions-- <= 0) return;
    const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
    throw Object.assign(new Error('conflict'), { name: 'TransactionCanceledException', CancellationReasons });
  });
  await Promise.all([announced(), shopCall('shops', 'PATCH', '', { body: { name: 'Red' } })]);
  expect(versionOf()).toBe(before + 2);
});

test('a view that cannot be read is made anew', async () => {
  await announced();
  const before = await withoutMemory(read);
  const key = keyOf.storefrontView(pageShop);
  memoryTable.put({ ...memoryTable.read(key)!, document: Buffer.from('packed in another way') });
  const made = madeSince();
  expect(await read()).toEqual(before);
  expect(made()).toBe(1);
  expect(await read()).toEqual(before);
  expect(made()).toBe(1);
});
