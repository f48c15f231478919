import { abTestBooking, abTestCalendar, abTestRecords, abTestStatus } from '#domain/promotions/ab-test-records.ts';
import { rebook } from '#domain/promotions/calendar-store.ts';
import { campaignRecords } from '#domain/promotions/campaign-records.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { abTests } from '#schemas/families/ab-tests.ts';
import { newAbTest, variantsOf } from './ab-test-rules.ts';
import { idsOf, shownTest, shownTests } from './shown-tests.ts';
import { joining, leaving } from './variants.ts';

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
        ...joining(variants, { uuid, start_date: fields.start_date, end_date: fields.end_date }, now),
      ],
    };
  });
  return shownTest(test, request);
};

export const listAbTests: Implementation<typeof abTests.listAbTests> = async (request) =>
  shownTests(await abTestRecords.page(request), request);

export const getAbTest: Implementation<typeof abTests.getAbTest> = async (request) =>
  shownTest(await abTestRecords.get(request.shop.slug, request.params.uuid), request);

export const endAbTest: Implementation<typeof abTests.endAbTest> = async (request) => {
  const { shop, params, now } = request;
  const ended = await abTestRecords.change(shop.slug, params.uuid, now, async (before) => {
    if (abTestStatus(before, now) === 'completed') return undefined;
    const campaigns = await campaignRecords.byUuid(shop.slug, idsOf(before));
    const booking = abTestBooking(before.uuid, before, now);
    return {
      fields: { ...before, ended_at: now.toISOString() },
      also: [
        ...(await rebook(abTestCalendar, shop.slug, booking, undefined, now)),
        ...leaving(campaigns.values(), before.uuid, now),
      ],
    };
  });
  return shownTest(ended, request);
};
