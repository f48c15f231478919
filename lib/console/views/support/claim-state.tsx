import type { claimStatuses } from '#schemas/catalogues/enumerations.ts';
import { wordOf } from '../../texts/texts.ts';
import { State, tones } from '../../ui/tone.tsx';

export type ClaimStatus = (typeof claimStatuses)[number];

export const ClaimState = ({ status }: { status: ClaimStatus }) => (
  <State tone={tones.claim[status]}>{wordOf('support.statuses', status)}</State>
);
