import { t } from '../texts/texts.ts';

interface Author {
  by: string;
  by_name: string | null;
}

/** Who did something, as people call them. A change of before keys had names has only the id of its key. */
export function authorOf({ by, by_name }: Author): string {
  if (by === 'customer') return t('authors.customer');
  if (by.startsWith('automation')) return t('authors.automation');
  if (by_name?.startsWith('****')) return t('authors.unnamed', { end: by_name.slice(-4) });
  return by_name ?? t('authors.old', { end: by.slice(-4) });
}

const askers = ['shop_system', 'ledger', 'retention'] as const;

/** Who asked for something: people and programs by the names of their keys, the service's own by what they are. */
export function askerOf(by: string): string {
  const known = askers.find((asker) => asker === by);
  if (known) return t(`authors.askers.${known}`);
  return by.startsWith('****') ? t('authors.unnamed', { end: by.slice(-4) }) : by;
}
