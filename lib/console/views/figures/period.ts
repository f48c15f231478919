import { figuresLimits } from '#schemas/catalogues/limits.ts';

/** So many days up to today can be chosen. */
export const dayChoices = ['30', '90', '180'] as const;
const usualChoice = '90' satisfies (typeof dayChoices)[number];

export interface Period {
  choice: (typeof dayChoices)[number] | 'own';
  /** Days in UTC, the first and the last one. */
  from: string;
  to: string;
  /** Why nothing can be asked for: the days are in the wrong order, or too many. */
  fault?: 'order' | 'long';
}

/**
 * The days that the address names.
 * @param asked what stands in the query, which may be anything
 */
export function periodOf(asked: Record<'days' | 'from' | 'to', string>, now: Date): Period {
  const today = dayOf(now);
  const isOwn = asked.days === 'own' || (asked.days === '' && (isDay(asked.from) || isDay(asked.to)));
  if (!isOwn) {
    const choice = dayChoices.find((one) => one === asked.days) ?? usualChoice;
    return { choice, from: daysBefore(today, Number(choice) - 1), to: today };
  }
  const to = isDay(asked.to) ? asked.to : today;
  const from = isDay(asked.from) ? asked.from : daysBefore(to, Number(usualChoice) - 1);
  const period = { choice: 'own', from, to } as const;
  if (from > to) return { ...period, fault: 'order' };
  return from < daysBefore(to, figuresLimits.days - 1) ? { ...period, fault: 'long' } : period;
}

/** A year that is still being typed, such as 0002, is no day yet. */
const isDay = (text: string): boolean =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(new Date(text)) === text;

const dayOf = (at: Date): string => at.toISOString().slice(0, 'yyyy-mm-dd'.length);

const daysBefore = (day: string, count: number): string => dayOf(new Date(Date.parse(day) - count * 86_400_000));
