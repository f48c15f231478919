import { readTestCells } from '#domain/figures/test-figures-store.ts';
import { readCounts } from '#domain/pages/promotion-counts.ts';
import { abTestRecords } from '#domain/promotions/ab-test.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { abTests } from '#schemas/families/ab-tests.ts';
import { resultsOf } from './result-rules.ts';

export const getAbTestResults: Implementation<typeof abTests.getAbTestResults> = async ({ shop, params, now }) => {
  const test = await abTestRecords.get(shop.slug, params.uuid);
  const [cells, ...promotions] = await Promise.all([
    test.counted ? readTestCells(shop.slug, test.uuid, test.campaigns.length) : [],
    // A campaign that was deleted stays an arm: what it did is a result, too.
    ...test.campaigns.map(({ campaign_id }) => readCounts(shop.slug, campaign_id, test.uuid)),
  ]);
  return resultsOf(test, { cells, promotions }, now);
};
