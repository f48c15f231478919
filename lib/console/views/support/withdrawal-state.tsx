import type { withdrawalStatuses } from '#schemas/catalogues/enumerations.ts';
import { wordOf } from '../../texts/texts.ts';
import { State, tones } from '../../ui/tone.tsx';

export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

export const WithdrawalState = ({ status }: { status: WithdrawalStatus }) => (
  <State tone={tones.withdrawal[status]}>{wordOf('support.withdrawals.statuses', status)}</State>
);
