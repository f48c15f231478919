import type { Phase } from '#schemas/catalogues/shipment-events.ts';
import type { Answer } from '../../api/client.ts';
import { wordOf } from '../../texts/texts.ts';
import { phaseTone, State, type Tone } from '../../ui/tone.tsx';

export type Order = Answer<'searchOrders'>[number];
export type Parcel = Order['trackings'][number];

/** The phases as a parcel goes. */
export const journey = [
  'order_created',
  'order_processed',
  'in_transit',
  'in_delivery',
  'collect',
  'delivered',
  'delivery_failed',
  'returned',
  'return_created',
  'return_transit',
  'return_received',
  'return_failed',
  'order_cancelled',
] as const satisfies Phase[];

/** A parcel that is late or has a problem needs somebody, whatever its phase. */
const toneOf = (phase: string, flag: string): Tone =>
  flag === 'error' ? 'failed' : flag === 'delay' ? 'attention' : phaseTone(phase);

interface PhaseProps {
  phase: string;
  flag: string;
  is_return?: boolean;
}

/** A return that is under way or has arrived is not the customer's parcel that is. */
export const PhaseState = ({ phase, flag, is_return = false }: PhaseProps) => (
  <State tone={toneOf(is_return ? phaseOfReturn(phase, flag) : phase, flag)}>
    {phaseWord({ phase, flag, is_return })}
    {flag !== 'normal' && `, ${wordOf('support.flags', flag)}`}
  </State>
);

export const phaseWord = ({ phase, flag, is_return }: PhaseProps): string =>
  wordOf('common.phases', is_return ? phaseOfReturn(phase, flag) : phase);

/** After a failed attempt that is not the last, the carrier brings the return again. */
const phaseOfReturn = (phase: string, flag: string): string =>
  phase === 'delivery_failed' && flag !== 'error' ? 'return_transit' : (phasesOfReturns[phase] ?? phase);

/** The phases that say the same of a return in its own words. */
const phasesOfReturns: Record<string, string> = {
  order_created: 'return_created',
  order_processed: 'return_created',
  in_transit: 'return_transit',
  in_delivery: 'return_transit',
  collect: 'return_transit',
  delivered: 'return_received',
  delivery_failed: 'return_failed',
};

const urgency = { error: 2, delay: 1, normal: 0 };

/** What the state of an order is about: the parcel with the worst problem, else the one that changed last. */
export function leadingParcel(parcels: readonly Parcel[]): Parcel | undefined {
  const byImportance = (a: Parcel, b: Parcel) =>
    urgency[b.flag] - urgency[a.flag] || (a.updated_at < b.updated_at ? 1 : -1);
  return parcels.toSorted(byImportance)[0];
}
