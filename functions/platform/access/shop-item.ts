import type { Shop } from '#schemas/families/shops.ts';

/** A shop as it is stored: what a response shows, and what it keeps to itself. */
export interface ShopItem extends Shop {
  contact_email?: string | null;
  shop_admin_url?: string | null;
  shop_url?: string | null;
  logo_url?: string | null;
}
