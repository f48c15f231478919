import { useEffect } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { currentShop } from './router.ts';

/** The title of the browser's tab. */
export function useTitle(title: string): void {
  const shop = currentShop.value;
  useEffect(() => {
    document.title = [title, shop, t('app.name')].filter(Boolean).join(' · ');
  }, [title, shop]);
}
