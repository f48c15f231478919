import { randomUUID } from 'node:crypto';
import type { AbTest } from '#schemas/families/ab-tests.ts';
import type { Campaign } from '#schemas/families/campaigns.ts';
import type { Answer } from './client.ts';
import { accepted, type Fields, type Merchant, newMerchant } from './orders.ts';

/** A shop, and the requests of its merchant for campaigns and A/B tests. */
export interface Marketer extends Merchant {
  postCampaign(fields?: Fields): Promise<Answer>;
  /** A new campaign that must be accepted. */
  campaign(fields?: Fields): Promise<Campaign>;
  statusOf(campaign: Campaign): Promise<Campaign['status']>;
  postTest(fields: Fields): Promise<Answer>;
  test(fields: Fields): Promise<AbTest>;
}

export const newCampaign = (fields: Fields = {}) => ({
  name: `Campaign ${randomUUID()}`,
  segment: `segment ${randomUUID()}`,
  promotion_type: 'basic',
  promotion_properties: {},
  ...fields,
});

export const newTest = (fields: Fields = {}) => ({
  name: 'A test',
  segment: `segment ${randomUUID()}`,
  campaign_type: 'basic',
  ...fields,
});

export const halves = (...campaigns: Pick<Campaign, 'uuid'>[]) =>
  campaigns.map(({ uuid }) => ({ campaign_id: uuid, allocation: 100 / campaigns.length }));

/** Days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

export async function newMarketer(): Promise<Marketer> {
  const shop = await newMerchant();
  const postCampaign: Marketer['postCampaign'] = (fields) =>
    shop.call('POST', '/campaigns', { body: newCampaign(fields) });
  const postTest: Marketer['postTest'] = (fields) => shop.call('POST', '/ab-tests', { body: newTest(fields) });
  return {
    ...shop,
    postCampaign,
    postTest,
    campaign: async (fields) => accepted(await postCampaign(fields)),
    test: async (fields) => accepted(await postTest(fields)),
    statusOf: async ({ uuid }) => accepted(await shop.call('GET', `/campaigns/${uuid}`)).status,
  };
}
