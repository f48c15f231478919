import { language } from '../texts/texts.ts';

/** The service counts by days in UTC. Their noon is the same day nearly everywhere. */
export const noonOf = (day: string): string => `${day}T12:00:00.000Z`;

export const dayLabel = (time: string): string =>
  new Date(time).toLocaleDateString(language.value, {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
