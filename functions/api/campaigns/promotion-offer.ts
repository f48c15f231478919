import { abTestCalendar, abTestRecords } from '#domain/promotions/ab-test-records.ts';
import { variantOf } from '#domain/promotions/assignment.ts';
import type { CalendarKind } from '#domain/promotions/calendar.ts';
import { readCalendars } from '#domain/promotions/calendar-store.ts';
import {
  type CampaignRecord,
  campaignCalendar,
  campaignKind,
  campaignRecords,
} from '#domain/promotions/campaign-records.ts';
import { isOpen } from '#domain/promotions/window.ts';
import { recordReader } from '#domain/records/record-list.ts';
import { walk } from '#platform/table/list-walk.ts';
import { type Customer, type Offer, segmentsOf } from './promotion-choice.ts';

/** The campaigns and tests that can matter to a customer now: the calendars of the segments tell. */
export async function offerTo(slug: string, customer: Customer, now: Date): Promise<Offer> {
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
  return calendars.flatMap(({ entries }) => entries.filter((entry) => isOpen(entry, now)).map(({ uuid }) => uuid));
}

const mostExplained = 100;

/** Also the newest of all campaigns: why each is not shown. */
export async function withNewest(slug: string, { campaigns, tests }: Offer): Promise<Offer> {
  const { found } = await walk<CampaignRecord>(recordReader(campaignKind, slug), { size: mostExplained });
  const known = new Set(campaigns.map(({ uuid }) => uuid));
  return { campaigns: [...campaigns, ...found.filter(({ uuid }) => !known.has(uuid))], tests };
}
