import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../api/client.ts';
import { currentShop } from './router.ts';

/** What the shops are called, by their slugs. */
const names = signal<Record<string, string>>({});

/** The name of the shop that is open. Undefined until it is read. */
export const shopName = computed(() => names.value[currentShop.value ?? '']);

/** After a shop was read or renamed. */
export function nameShop(slug: string, name: string): void {
  names.value = { ...names.value, [slug]: name };
}

/** An address that somebody typed may name what no shop can be called. */
export const isSlug = (text: string): boolean => /^[\w-]+$/.test(text);

/** Reads the name once for each shop. Without it, a shop is called by its slug. */
export function useShopName(): void {
  const slug = currentShop.value;
  useEffect(() => {
    if (slug === undefined || !isSlug(slug) || names.value[slug] !== undefined) return;
    call('getShop').then(
      ({ name }) => nameShop(slug, name),
      () => nameShop(slug, slug),
    );
  }, [slug]);
}
