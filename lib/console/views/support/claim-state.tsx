import type { claimStatuses } from '#schemas/catalogues/enumerations.ts';
import { wordOf } from '../../texts/texts.ts';
import { State, type Tone } from '../../ui/tone.tsx';

export type ClaimStatus = (typeof claimStatuses)[number];

const tones: Record<ClaimStatus, Tone> = {
  pending: 'attention',
  accepted: 'arrived',
  rejected: 'failed',
  closed: 'quiet',
};

export const ClaimState = ({ status }: { status: ClaimStatus }) => (
  <State tone={tones[status]} icon={status === 'closed' ? 'check' : undefined}>
    {wordOf('support.statuses', status)}
  </State>
);
