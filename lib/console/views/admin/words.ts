import { t, wordOf } from '../../texts/texts.ts';
import { eventWords } from '../../ui/shipment-events.ts';

/** In the words of the tracking page. */
export const eventName = (name: string): string => eventWords(name);

export const reasonText = (reason: string | null): string =>
  reason === null ? t('admin.notifications.active') : wordOf('admin.reasons', reason);
