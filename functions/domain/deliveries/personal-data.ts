import { type Declared, each, kept, personal } from '#platform/personal-data.ts';
import type { Attempt, Delivery, MailSource } from './delivery-rules.ts';

/** What of a delivery is about a customer. What it sends lies in an item of its own, which goes as a whole. */

const attemptData: Declared<Attempt> = {
  at: kept,
  duration_ms: kept,
  status: kept,
  error: kept,
  // A merchant's system may repeat anything that it got.
  response: personal('free_text'),
  // A vendor gets the customer's name and e-mail, in the body or in the address.
  request: personal(['name', 'email', 'free_text']),
};

/** Ids and times. */
const mailData: Declared<MailSource> = { order_id: kept, subject_id: kept, time: kept, message_id: kept };

export const deliveryData: Declared<Delivery> = {
  id: kept,
  target: kept,
  kind: kept,
  shop_slug: kept,
  event_id: kept,
  ref: kept,
  event_group: kept,
  status: kept,
  reason: kept,
  mail: mailData,
  simulation_id: kept,
  feed: kept,
  subject_version: kept,
  attempt_count: kept,
  retry_id: kept,
  next_attempt_at: kept,
  run_since: kept,
  attempts: each(attemptData),
  feedback: kept,
  dropped_attempts: kept,
  created_at: kept,
  updated_at: kept,
  expires_at: kept,
  cause: kept,
  payload_id: kept,
  payload_part: kept,
};
