import { t } from '../../texts/texts.ts';

/** The unit of an axis of times: days as soon as hours would be many. */
export interface TimeUnit {
  title: string;
  hours: number;
}

export const unitFor = (longest: number): TimeUnit =>
  longest <= 72 ? { title: t('figures.times.hours'), hours: 1 } : { title: t('figures.times.days'), hours: 24 };
