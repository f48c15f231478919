import { readCounts } from '#domain/pages/promotion-counts.ts';
import {
  type AbTestFields,
  type AbTestRecord,
  abTestBooking,
  abTestCalendar,
  abTestRecords,
  abTestStatus,
} from '#domain/promotions/ab-test.ts';
import { type Entry, hasEnded } from '#domain/promotions/calendar.ts';
import { rebook } from '#domain/promotions/calendar-store.ts';
import { type CampaignRecord, campaignKind, campaignRecords, shownCampaigns } from '#domain/promotions/campaign.ts';
import { mapConcurrently } from '#platform/batches.ts';
import type { Implementation, Request } from '#platform/http/request.ts';
import { type FieldNames, pick } from '#platform/pick.ts';
import { replacement } from '#platform/table/record-writes.ts';
import type { Action } from '#platform/table/writes.ts';
import type { AbTest, abTests } from '#schemas/families/ab-tests.ts';
import { newAbTest, variantsOf } from './ab-test-rules.ts';

export const createAbTest: Implementation<typeof abTests.createAbTest> = async (request) => {
  const { shop, body, now } = request;
  const fields = newAbTest(body, now);
  const test = await abTestRecords.create(shop.slug, now, async (uuid) => {
    const variants = variantsOf(fields, await campaignRecords.byUuid(shop.slug, idsOf(fields)));
    const booking = abTestBooking(uuid, fields, now);
    return {
      fields,
      also: [
        ...(await rebook(abTestCalendar, shop.slug, undefined, booking, now)),
        ...joinTest(variants, { uuid, start_date: fields.start_date, end_date: fields.end_date }, now),
      ],
    };
  });
  return toResponse(test, request);
};

export const listAbTests: Implementation<typeof abTests.listAbTests> = async (request) => {
  const tests = await toResponses(await abTestRecords.page(request), request);
  return request.query.counts ? mapConcurrently(tests, withCounts, maxCountedTests) : tests;
};

/** At once: each may have twenty variants. */
const maxCountedTests = 3;

export const getAbTest: Implementation<typeof abTests.getAbTest> = async (request) => {
  const test = await abTestRecords.get(request.shop.slug, request.params.uuid);
  return withCounts(await toResponse(test, request));
};

async function withCounts(test: AbTest) {
  const { shop_slug, uuid, campaigns } = test;
  const counts = await Promise.all(campaigns.map(({ campaign_id }) => readCounts(shop_slug, campaign_id, uuid)));
  return { ...test, campaigns: campaigns.map((variant, i) => ({ ...variant, counts: counts[i]! })) };
}

export const endAbTest: Implementation<typeof abTests.endAbTest> = async (request) => {
  const { shop, params, now } = request;
  const ended = await abTestRecords.change(shop.slug, params.uuid, request, async (before) => {
    if (abTestStatus(before, now) === 'completed') return undefined;
    const campaigns = await campaignRecords.byUuid(shop.slug, idsOf(before));
    const booking = abTestBooking(before.uuid, before, now);
    return {
      fields: { ...before, ended_at: now.toISOString() },
      also: [
        ...(await rebook(abTestCalendar, shop.slug, booking, undefined, now)),
        ...leaveTest(campaigns.values(), before.uuid, now),
      ],
    };
  });
  return toResponse(ended, request);
};

type Viewer = Pick<Request<typeof abTests.getAbTest>, 'shop' | 'language' | 'now'>;

const idsOf = ({ campaigns }: Pick<AbTestFields, 'campaigns'>) => campaigns.map(({ campaign_id }) => campaign_id);

/** The fields that a response shows as they are stored. */
const storedFields: FieldNames<Exclude<keyof AbTest, 'campaigns' | 'status'>> = {
  uuid: true,
  name: true,
  shop_slug: true,
  segment: true,
  campaign_type: true,
  has_holdout: true,
  holdout_percentage: true,
  start_date: true,
  end_date: true,
  ended_at: true,
  created_at: true,
  updated_at: true,
};

/** The tests as a response shows them, with their campaigns. */
async function toResponses(tests: readonly AbTestRecord[], viewer: Viewer): Promise<AbTest[]> {
  const found = await campaignRecords.byUuid(viewer.shop.slug, tests.flatMap(idsOf));
  const campaigns = await shownCampaigns([...found.values()], viewer);
  const byUuid = new Map(campaigns.map((campaign) => [campaign.uuid, campaign]));
  return tests.map((test) => ({
    ...pick(test, storedFields),
    campaigns: test.campaigns.map((variant) => ({ ...variant, ...byUuid.get(variant.campaign_id) })),
    status: abTestStatus(test, viewer.now),
  }));
}

async function toResponse(test: AbTestRecord, viewer: Viewer): Promise<AbTest> {
  const [response] = await toResponses([test], viewer);
  return response!;
}

/**
 * A campaign stores the periods of its tests, so that its own record is enough to know its status. The write fails if
 * the campaign has changed since it was read, so that nobody deletes it or changes its type in the meantime.
 */
function joinTest(campaigns: readonly CampaignRecord[], test: Entry, now: Date): Action[] {
  return campaigns.flatMap((campaign) => withTests(campaign, [...othersOf(campaign, test.uuid, now), test]));
}

function leaveTest(campaigns: Iterable<CampaignRecord>, uuid: string, now: Date): Action[] {
  return [...campaigns].flatMap((campaign) => withTests(campaign, othersOf(campaign, uuid, now)));
}

const othersOf = ({ tests }: CampaignRecord, uuid: string, now: Date) =>
  tests.filter((test) => test.uuid !== uuid && !hasEnded(test, now));

const withTests = (campaign: CampaignRecord, tests: Entry[]) =>
  replacement(campaignKind, campaign, { ...campaign, tests, version: campaign.version + 1 });
