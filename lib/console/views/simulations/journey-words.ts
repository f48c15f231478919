import { t, wordOf } from '../../texts/texts.ts';

const minutesOfDay = 24 * 60;

/** Null means steps of the merchant's own. */
export const journeyTitle = (journey: string | null): string =>
  journey === null ? t('simulations.ownSteps') : wordOf('simulations.journeys.titles', journey);

/** How much happens, and how long it takes: "7 steps, 2 days". */
export function journeyLength(steps: readonly { after_minutes: number }[]): string {
  const minutes = Math.max(0, ...steps.map(({ after_minutes }) => after_minutes));
  return [
    t('simulations.steps.count', { count: steps.length }),
    t('simulations.days', { count: Math.max(1, Math.round(minutes / minutesOfDay)) }),
  ].join(', ');
}
