import { simulationLimits as limits } from '#schemas/catalogues/limits.ts';
import type { SimulationStart } from '#schemas/families/simulations.ts';

/** What the form that starts a simulation holds, and what it sends. */

export const units = ['minutes', 'hours', 'days'] as const;
type Unit = (typeof units)[number];

const minutesOf: Record<Unit, number> = { minutes: 1, hours: 60, days: 24 * 60 };

export interface StepValues {
  event_name: string;
  after: string;
  unit: Unit;
  parcel: string;
  is_return: boolean;
}

export interface StartValues {
  /** Empty for steps of one's own. */
  journey: string;
  steps: StepValues[];
  start_at: string;
  integrations: boolean;
  emails: boolean;
}

export const firstSteps: StepValues[] = [
  { event_name: 'ORDER_PROCESSED', after: '2', unit: 'hours', parcel: '1', is_return: false },
  { event_name: 'OUT_FOR_DELIVERY', after: '1', unit: 'days', parcel: '1', is_return: false },
];

/** The next step begins where the last one is. */
export const newStep = (last: StepValues | undefined): StepValues => ({
  event_name: '',
  after: last?.after ?? '0',
  unit: last?.unit ?? 'hours',
  parcel: last?.parcel ?? '1',
  is_return: last?.is_return ?? false,
});

type Body = Partial<SimulationStart>;

export function toBody({ journey, steps, start_at, integrations, emails }: StartValues): Body {
  const script = journey === '' ? { steps: steps.map(toStep) } : { journey };
  return { ...script, ...(start_at && { start_at }), integrations, emails } as Body;
}

/** What is no number goes to the service as it is, which says what is wrong with it. */
function toStep({ event_name, after, unit, parcel, is_return }: StepValues) {
  const minutes = numberOr(after);
  return {
    event_name,
    after_minutes: typeof minutes === 'number' ? Math.round(minutes * minutesOf[unit]) : minutes,
    parcel: numberOr(parcel),
    is_return,
  };
}

const numberOr = (text: string): number | string => {
  const number = Number(text.replace(',', '.'));
  return text.trim() === '' || Number.isNaN(number) ? text : number;
};

/** The field that a fault of the service is about. */
export const fieldOf = (place: string): string => place.replace(/^(steps\.\d+)\.after_minutes$/, '$1.after');

export const maxSteps = limits.steps;
export const maxParcels = limits.parcels;
