import { type AbTestRecord, abTestCalendar, abTestRecords, variantOf } from './ab-test.ts';
import { type CalendarKind, isWithinWindow } from './calendar.ts';
import { readCalendars } from './calendar-store.ts';
import { type CampaignRecord, campaignCalendar, campaignRecords } from './campaign.ts';
import { type Customer, type Offer, segmentsOf } from './promotion-choice.ts';

/** The campaigns and tests that can matter to a customer now, according to the calendars of the segments. */
export async function offerTo(
  slug: string,
  customer: Customer,
  now: Date,
): Promise<Omit<Offer<CampaignRecord, AbTestRecord>, 'showsProducts'>> {
  const segments = segmentsOf(customer);
  const [campaignIds, testIds] = await Promise.all([
    openNow(campaignCalendar, slug, segments, now),
    openNow(abTestCalendar, slug, segments, now),
  ]);
  const tests = [...(await abTestRecords.byUuid(slug, testIds)).values()];
  const variants = tests.flatMap((test) => variantOf(test, customer.id) ?? []);
  const campaigns = [...(await campaignRecords.byUuid(slug, [...campaignIds, ...variants])).values()];
  return { campaigns, tests };
}

async function openNow(kind: CalendarKind, slug: string, segments: readonly string[], now: Date): Promise<string[]> {
  const calendars = await readCalendars(kind, slug, segments);
  return calendars.flatMap(({ entries }) =>
    entries.filter((entry) => isWithinWindow(entry, now)).map(({ uuid }) => uuid),
  );
}
