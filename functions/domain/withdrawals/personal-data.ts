import { type Declared, each, kept, personal } from '#platform/personal-data.ts';
import type { PageWithdrawal, Withdrawal, WithdrawalStep } from './withdrawal-rules.ts';

/** What of a withdrawal is about its customer. */

const stepData: Declared<WithdrawalStep> = {
  at: kept,
  status: kept,
  by: kept,
  by_name: kept,
  comment: personal('free_text', null),
};

export const withdrawalData: Declared<Withdrawal> = {
  uuid: kept,
  order_id: kept,
  order_number: kept,
  items: kept,
  declared_at: kept,
  deadline: kept,
  based_on: kept,
  status: kept,
  comment: personal('free_text', null),
  name: personal('name', null),
  email_id: personal('email', null),
  history: each(stepData),
  simulation_id: kept,
  erased_at: kept,
};

/** The copy on the tracking page, which goes with the page. Whoever has the link sees it, so it names nobody. */
export const pageWithdrawalData: Declared<PageWithdrawal> = {
  uuid: kept,
  status: kept,
  declared_at: kept,
  deadline: kept,
  time_zone: kept,
  items: kept,
};
