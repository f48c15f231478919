import type { Answer } from '../../api/client.ts';
import { wordOf } from '../../texts/texts.ts';
import { phaseTone, State, type Tone } from '../../ui/tone.tsx';

export type Order = Answer<'searchOrders'>[number];
export type Parcel = Order['trackings'][number];

/** A parcel that is late or has a problem needs somebody, whatever its phase. */
const toneOf = (phase: string, flag: string): Tone =>
  flag === 'error' ? 'failed' : flag === 'delay' ? 'attention' : phaseTone(phase);

export const PhaseState = ({ phase, flag }: { phase: string; flag: string }) => (
  <State tone={toneOf(phase, flag)}>
    {wordOf('common.phases', phase)}
    {flag !== 'normal' && `, ${wordOf('support.flags', flag)}`}
  </State>
);

const urgency = { error: 2, delay: 1, normal: 0 };

/** What the state of an order is about: the parcel with the worst problem, else the one that changed last. */
export function leadingParcel(parcels: readonly Parcel[]): Parcel | undefined {
  const byImportance = (a: Parcel, b: Parcel) =>
    urgency[b.flag] - urgency[a.flag] || (a.updated_at < b.updated_at ? 1 : -1);
  return parcels.toSorted(byImportance)[0];
}
