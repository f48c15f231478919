import { beforeEach, expect, test } from 'vitest';
import { follow, holdsShop, newCampaign, pageOf, pageOfOrder, shopCall } from '#test/kit/page-shop.ts';

/** What somebody needs who edits campaigns and deals. */

beforeEach(() => holdsShop());

const translations = [{ language: 'en', values: { title: 'Translated' } }];

test('a campaign can be read with its texts as they were written', async () => {
  const { uuid } = await newCampaign('Written', {}, { translations });
  const get = (query: Record<string, string> = {}) =>
    shopCall('campaigns', 'GET', '/campaigns/{uuid}', { params: { uuid }, query });
  expect((await get()).promotion_properties.title).toBe('Translated');
  expect((await get({ untranslated: 'true' })).promotion_properties.title).toBe('Written');
});

test('one deal can be read, and with its texts as they were written', async () => {
  await shopCall('discounts', 'POST', '/discounts', { body: { type: 'order' } });
  const [{ uuid: discount_id }] = await shopCall('discounts', 'GET', '/discounts');
  const body = { discount_id, title: 'Written', translations: [{ language: 'en', data: { title: 'Translated' } }] };
  const { uuid } = await shopCall('deals', 'POST', '/deals', { body });
  await shopCall('deals', 'POST', '/deals', { body });
  const list = (query: Record<string, string>) => shopCall('deals', 'GET', '/deals', { query });
  expect(await list({ uuid })).toMatchObject([{ uuid, title: 'Translated' }]);
  expect(await list({ uuid, untranslated: 'true' })).toMatchObject([{ uuid, title: 'Written' }]);
  expect(await list({ uuid: discount_id })).toEqual([]);
  expect(await list({})).toHaveLength(2);
});

test('a list of campaigns or tests has counts if they are asked for', async () => {
  const { uuid } = await newCampaign('Tested', { segment: 'vip' });
  const other = await newCampaign('Other');
  const campaigns = [{ campaign_id: uuid, allocation: 100 }];
  const body = { name: 'Test', segment: 'vip', campaign_type: 'basic', campaigns };
  const tested = await shopCall('abTests', 'POST', '/ab-tests', { body });
  const token = await pageOfOrder('1', { segments: ['vip'] }, 'a');
  await pageOf(token);
  await follow(token, uuid);
  await pageOf(await pageOfOrder('2', {}, 'b'));

  const list = (family: 'campaigns' | 'abTests', path: string, query: Record<string, string>) =>
    shopCall(family, 'GET', path, { query });
  expect(await list('campaigns', '/campaigns', { counts: 'true' })).toMatchObject([
    { uuid: other.uuid, counts: { shown: 1, clicked: 0 } },
    { uuid, counts: { shown: 1, clicked: 1 } },
  ]);
  expect((await list('campaigns', '/campaigns', {}))[0]).not.toHaveProperty('counts');
  const [test] = await list('abTests', '/ab-tests', { counts: 'true', uuid: tested.uuid });
  expect(test.campaigns).toMatchObject([{ campaign_id: uuid, counts: { shown: 1, clicked: 1 } }]);
  expect(await list('abTests', '/ab-tests', { uuid })).toEqual([]);
});
