import type { Recorded } from '#domain/records/record.ts';
import { records } from '#domain/records/records.ts';
import type { AbTest, AbTestStatus } from '#schemas/families/ab-tests.ts';
import type { Booking, CalendarKind } from './calendar.ts';
import { hasEnded, hasStarted, overlapOrMeet } from './window.ts';

type Derived = 'status' | 'campaigns' | 'start_date';
type Identity = 'uuid' | 'shop_slug' | 'created_at' | 'updated_at';

export interface Variant {
  campaign_id: string;
  /** Percent. */
  allocation: number;
}

export type AbTestFields = Omit<AbTest, Derived | Identity> & { campaigns: Variant[]; start_date: string };
export type AbTestRecord = Recorded<AbTestFields>;

export const abTestRecords = records<AbTestFields>({ name: 'abTests', notFound: 'a_b_test_not_found' });

export const abTestCalendar: CalendarKind = {
  of: 'abTests',
  collide: overlapOrMeet,
  taken: 'a_b_test_overlap',
  forgetsEnded: true,
};

type Situation = Pick<AbTestFields, 'start_date' | 'end_date' | 'ended_at'>;

export function abTestStatus(test: Situation, now: Date): AbTestStatus {
  if (test.ended_at !== null || hasEnded(test, now)) return 'completed';
  return hasStarted(test, now) ? 'running' : 'scheduled';
}

/** One that is completed is in nobody's way. */
export function abTestBooking(uuid: string, fields: AbTestFields, now: Date): Booking | undefined {
  const { segment, start_date, end_date } = fields;
  return abTestStatus(fields, now) === 'completed' ? undefined : { uuid, segment, start_date, end_date };
}
