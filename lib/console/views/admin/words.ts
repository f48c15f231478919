import { t, wordOf } from '../../texts/texts.ts';

export const groupName = (group: string): string => wordOf('admin.groups', group);

/** An event of the catalogue as words: `DELIVERY_DELAYED` is "delivery delayed". */
export const eventName = (name: string): string => name.replaceAll('_', ' ').toLowerCase();

export const reasonText = (reason: string | null): string =>
  reason === null ? t('admin.notifications.active') : wordOf('admin.reasons', reason);
