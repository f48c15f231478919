import { type Declared, each, kept } from '#platform/personal-data.ts';
import type { MailRecord, MailState } from './email-rules.ts';
import type { Suppression } from './suppression-store.ts';

/** No mail is stored. What is kept of one says which it was and when, and an address is only known as its hash. */

const mailRecordData: Declared<MailRecord> = {
  delivery_id: kept,
  run: kept,
  subject: kept,
  name: kept,
  step: kept,
  time: kept,
  event_name: kept,
  at: kept,
};

export const mailStateData: Declared<MailState> = { version: kept, mails: each(mailRecordData) };

export const suppressionData: Declared<Suppression> = {
  slug: kept,
  id: kept,
  reason: kept,
  at: kept,
  order_id: kept,
};
