import { t } from '../../texts/texts.ts';
import { State, tones } from '../../ui/tone.tsx';

export const SimulationState = ({ status }: { status: 'running' | 'ended' }) => (
  <State tone={tones.simulation[status]}>{t(`simulations.statuses.${status}`)}</State>
);
