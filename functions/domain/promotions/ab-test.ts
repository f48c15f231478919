import { hash } from 'node:crypto';
import { storefrontChanged } from '#domain/settings/storefront-version.ts';
import type { Recorded } from '#platform/table/record.ts';
import { records } from '#platform/table/records.ts';
import type { AbTest, AbTestStatus } from '#schemas/families/ab-tests.ts';
import { type Booking, type CalendarKind, hasEnded, hasStarted, overlapOrMeet } from './calendar.ts';

type Derived = 'status' | 'campaigns' | 'start_date';
type Identity = 'uuid' | 'shop_slug' | 'created_at' | 'updated_at';

interface Variant {
  campaign_id: string;
  /** Percent. */
  allocation: number;
}

export type AbTestFields = Omit<AbTest, Derived | Identity> & {
  campaigns: Variant[];
  start_date: string;
  /** Absent if a release made it that did not count the customers of tests. */
  counted?: true;
};
export type AbTestRecord = Recorded<AbTestFields>;

export const abTestRecords = records<AbTestFields>({
  name: 'abTests',
  notFound: 'a_b_test_not_found',
  alsoOnChange: storefrontChanged,
});

export const abTestCalendar: CalendarKind = {
  of: 'abTests',
  collide: overlapOrMeet,
  taken: 'a_b_test_overlap',
  noun: 'A/B test',
  forgetsEnded: true,
};

type Situation = Pick<AbTestFields, 'start_date' | 'end_date' | 'ended_at'>;

export function abTestStatus(test: Situation, now: Date): AbTestStatus {
  if (test.ended_at !== null || hasEnded(test, now)) return 'completed';
  return hasStarted(test, now) ? 'running' : 'scheduled';
}

/** A completed test does not occupy its segment. */
export function abTestBooking(uuid: string, fields: AbTestFields, now: Date): Booking | undefined {
  const { segment, start_date, end_date } = fields;
  return abTestStatus(fields, now) === 'completed' ? undefined : { uuid, segment, start_date, end_date };
}

interface Shares {
  uuid: string;
  campaigns: readonly Variant[];
}

/**
 * The campaign that a test shows to a customer, or undefined for the holdout. The hash spreads customers evenly and
 * differently for each test, and is always the same for one customer, so nothing is stored.
 */
export function variantOf({ uuid, campaigns }: Shares, customer: string): string | undefined {
  const place = percentile(`${uuid}#${customer}`);
  let end = 0;
  for (const { campaign_id, allocation } of campaigns) {
    end += allocation;
    if (place < end) return campaign_id;
  }
  return undefined;
}

/** A number from 0 to below 100. */
const percentile = (text: string) => (Number.parseInt(hash('sha256', text).slice(0, 12), 16) / 2 ** 48) * 100;

interface Ordered {
  uuid: string;
  external_customer_id?: string;
  email_id?: string;
}

/** What identifies a customer: the shop's own id, otherwise the e-mail address, otherwise only this order. */
export function customerOf({ uuid, external_customer_id, email_id }: Ordered): string {
  return external_customer_id?.trim() || email_id?.trim().toLowerCase() || uuid;
}
