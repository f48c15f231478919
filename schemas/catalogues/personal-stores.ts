/** Where the service stores what is about customers, as answers and the privacy page call it. */
export const personalStores = [
  'orders',
  'order_references',
  'claims',
  'withdrawals',
  'outbox',
  'planned_triggers',
  'tracking_pages',
  'mails',
  'deliveries',
  'payloads',
  'waiting_retries',
  'automation_runs',
  'images',
  'payload_files',
  'disclosures',
] as const;

export type PersonalStore = (typeof personalStores)[number];
