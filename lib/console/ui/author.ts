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
