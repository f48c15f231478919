import { t } from '../../texts/texts.ts';

/** The unit of an axis of times: days as soon as hours would be many. */
interface TimeUnit {
  /** Alone, and as the title of an axis that says what is measured. */
  name: string;
  title: string;
  hours: number;
}

export const unitFor = (longest: number): TimeUnit =>
  longest <= 72
    ? { name: t('figures.weeks.hours'), title: t('figures.times.hours'), hours: 1 }
    : { name: t('figures.weeks.days'), title: t('figures.times.days'), hours: 24 };
