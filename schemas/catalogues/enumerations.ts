/** Value lists of the contract, as plain data: functions use them without loading a schema library. */

export const languages = [
  'cs',
  'da',
  'nl',
  'en',
  'fi',
  'fr',
  'de',
  'gr',
  'hu',
  'it',
  'lv',
  'pl',
  'pt',
  'sk',
  'es',
  'sv',
] as const;

export const industries = [
  'clothing_and_accessories',
  'electronics',
  'food_and_drink',
  'health_and_beauty',
  'home_and_garden',
  'sports_and_recreation',
  'jewelry_and_accessories',
  'toys_and_games',
  'pet_care',
  'automotive',
  'books_and_media',
  'office_and_business',
  'arts_and_crafts',
  'baby_and_kids',
  'other',
] as const;

export const shopProviders = ['shop_system_1', 'shop_system_2', 'shop_system_3', 'api'] as const;

/** From least to most: each role may do what the ones before it may. */
export const shopRoles = ['viewer', 'editor', 'admin'] as const;

export const imageTypes = ['background', 'claim', 'logo', 'signature', 'product', 'voucher'] as const;

/** What shows a customer's home or hand: seen only through a URL that is signed for a short time. */
export const privateImageTypes: readonly ImageType[] = ['claim', 'signature'];

export type ImageType = (typeof imageTypes)[number];
/** The segment that every customer is in. */
export const everybody = 'all';

export type Language = (typeof languages)[number];
export type ShopRole = (typeof shopRoles)[number];
