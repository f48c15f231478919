import type { Recorded, RecordKind } from '#domain/records/record.ts';
import { records } from '#domain/records/records.ts';
import type { Campaign } from '#schemas/families/campaigns.ts';
import type { Booking, CalendarKind, Entry } from './calendar.ts';
import { overlap } from './window.ts';

type Derived = 'status' | 'discount';
type Identity = 'uuid' | 'shop_slug' | 'created_at' | 'updated_at';

export type CampaignFields = Omit<Campaign, Derived | Identity> & {
  /** The A/B tests that it belongs to and that are not known to be completed. */
  tests: Entry[];
};
export type CampaignRecord = Recorded<CampaignFields>;

export const campaignKind: RecordKind<CampaignFields> = {
  name: 'campaigns',
  notFound: 'campaign_not_found',
  unique: [{ name: 'name', of: ({ name }) => name, taken: 'campaign_exists' }],
};

export const campaignRecords = records(campaignKind);

export const campaignCalendar: CalendarKind = {
  of: 'campaigns',
  collide: overlap,
  taken: 'campaign_active_segment_exists',
  forgetsEnded: false,
};

/** Only what is enabled has its segment. */
export function campaignBooking(uuid: string, fields: CampaignFields): Booking | undefined {
  const { enabled, segment, start_date, end_date } = fields;
  return enabled ? { uuid, segment, start_date, end_date } : undefined;
}
