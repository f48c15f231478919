import Type, { type Static } from 'typebox';
import { withdrawalStatuses } from '../catalogues/enumerations.ts';
import { claimLimits } from '../catalogues/limits.ts';
import { Choice, Nullable, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { withdrawalFields } from '../shapes/withdrawal-shapes.ts';
import { declare, shopPath } from './operation.ts';

export const Withdrawal = Shape('Withdrawal', {
  ...withdrawalFields,
  order_number: Type.String(),
  name: Nullable(Type.String({ description: 'Who declared it. Null after an erasure.' })),
  email_id: Nullable(Type.String({ description: 'Where the acknowledgement goes. Null after an erasure.' })),
});

const WithdrawalFilters = Type.Object({
  ...paging,
  status: Type.Optional(Choice(withdrawalStatuses, { description: 'Only withdrawals with this status.' })),
});

const WithdrawalSettlement = Shape('WithdrawalSettlement', {
  status: Choice(withdrawalStatuses, { description: 'The new status.' }),
  comment: Type.Optional(
    Nullable(
      Text(claimLimits.commentCharacters, {
        description: 'Why. The customer does not see it. Absent: the comment stays as it is.',
      }),
    ),
  ),
});

const withdrawalsPath = `${shopPath}/withdrawals` as const;
const withdrawalPath = `${withdrawalsPath}/{uuid}` as const;
const withdrawalParams = Type.Object({ uuid: Uuid() });

export const withdrawals = declare({
  searchWithdrawals: {
    method: 'GET',
    path: withdrawalsPath,
    role: 'viewer',
    summary: 'List withdrawals',
    description: "Returns the withdrawals of the shop's customers, newest first.",
    query: WithdrawalFilters,
    response: Shape('Withdrawals', { withdrawals: Type.Array(Withdrawal, { description: 'Newest first.' }) }),
  },
  getWithdrawal: {
    method: 'GET',
    path: withdrawalPath,
    params: withdrawalParams,
    role: 'viewer',
    summary: 'Get a withdrawal',
    description: 'Returns a withdrawal.',
    response: Withdrawal,
    errors: ['withdrawal_not_found'],
  },
  settleWithdrawal: {
    method: 'PUT',
    path: withdrawalPath,
    params: withdrawalParams,
    role: 'editor',
    summary: 'Settle a withdrawal',
    description:
      'Changes the status of a withdrawal: from `declared` to `accepted` or `rejected`, from `accepted` to `refunded`. Any other ' +
      'change is refused with 409. The service emits `withdrawals/settled`, and the tracking page shows the new status. The ' +
      'same request again changes nothing.',
    body: WithdrawalSettlement,
    response: Withdrawal,
    errors: ['withdrawal_not_found', 'withdrawal_transition_invalid', 'order_erased'],
  },
});

export type Withdrawal = Static<typeof Withdrawal>;
