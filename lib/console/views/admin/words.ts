import { t, wordOf } from '../../texts/texts.ts';
import { eventWords } from '../../ui/shipment-events.ts';

/** What an integration is for, in words: the API knows it by a number. */
export const integrationName = (id: string): string => wordOf('admin.integrations', id);

/** In the words of the tracking page. */
export const eventName = (name: string): string => eventWords(name);

export const reasonText = (reason: string | null): string =>
  reason === null ? t('admin.notifications.active') : wordOf('admin.reasons', reason);
