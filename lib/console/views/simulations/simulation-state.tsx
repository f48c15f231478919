import { t } from '../../texts/texts.ts';
import { State } from '../../ui/tone.tsx';

export const SimulationState = ({ status }: { status: 'running' | 'ended' }) => (
  <State tone={status === 'running' ? 'moving' : 'arrived'}>{t(`simulations.statuses.${status}`)}</State>
);
