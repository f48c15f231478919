import type { Withdrawal as WithdrawalShape } from '#schemas/families/withdrawals.ts';
import { toEventWithdrawal, type Withdrawal } from './withdrawal-rules.ts';

/** A withdrawal as callers see it. */
export const toWithdrawalResponse = (withdrawal: Withdrawal): WithdrawalShape => {
  const { order_number, name, email_id } = withdrawal;
  return { ...toEventWithdrawal(withdrawal), order_number, name, email_id };
};
