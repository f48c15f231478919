import * as contract from 'contract:withdrawals';
import { authentication } from '#platform/http/authentication.ts';
import { serve } from '#platform/http/serve.ts';
import type { withdrawals } from '#schemas/families/withdrawals.ts';
import { getWithdrawal, searchWithdrawals, settleWithdrawal } from './withdrawals.ts';

export const handler = serve<typeof withdrawals>(
  contract,
  { searchWithdrawals, getWithdrawal, settleWithdrawal },
  authentication,
);
