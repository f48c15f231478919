import type { claimStatuses } from '#schemas/catalogues/enumerations.ts';
import { wordOf } from '../../texts/texts.ts';
import { claimTone, State } from '../../ui/tone.tsx';

export type ClaimStatus = (typeof claimStatuses)[number];

export const ClaimState = ({ status }: { status: ClaimStatus }) => (
  <State tone={claimTone(status)}>{wordOf('support.statuses', status)}</State>
);
