import { dateLocale, t } from '../../texts/texts.ts';

export const dayText = (day: string): string =>
  new Date(day).toLocaleDateString(dateLocale(), { timeZone: 'UTC', day: 'numeric', month: 'short' });

/** @param time in the week's Monday */
export const weekLabel = (time: string): string =>
  t('figures.weeks.week', { day: dayText(time.slice(0, 'yyyy-mm-dd'.length)) });
