import { useEffect } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { shopName } from './shop-name.ts';

/** The title of the browser's tab. */
export function useTitle(title: string): void {
  const shop = shopName.value;
  useEffect(() => {
    document.title = [title, shop, t('app.name')].filter(Boolean).join(' · ');
  }, [title, shop]);
}
