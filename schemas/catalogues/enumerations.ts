/** The value lists of the contract. They are plain data, so functions can use them without a schema library. */

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

/** Ordered from the fewest rights to the most. Each role includes the rights of the roles before it. */
export const shopRoles = ['viewer', 'editor', 'admin'] as const;

export const imageTypes = ['background', 'claim', 'logo', 'signature', 'product', 'voucher'] as const;

/** Why a customer makes a claim. */
export const claimReasons = [
  'partial_damage',
  'damage',
  'investigation',
  'support',
  'return',
  'dissatisfied_with_product',
  'wrong_product',
  'missing_product',
] as const;
export const resolutionPreferences = ['reorder', 'refund', 'keep_with_reward'] as const;
export const claimStatuses = ['pending', 'accepted', 'rejected', 'closed'] as const;
/** Of a customer's withdrawal from the contract. */
export const withdrawalStatuses = ['declared', 'accepted', 'refunded', 'rejected'] as const;

type WithdrawalStatus = (typeof withdrawalStatuses)[number];
type ClaimStatus = (typeof claimStatuses)[number];

/** Why somebody may have to look after an order. */
export const attentionKinds = ['no_movement', 'failed_delivery', 'lost', 'damaged', 'exception', 'claims'] as const;

export type AttentionKind = (typeof attentionKinds)[number];

/** The statuses that a claim can change to, by its current status. */
export const claimTransitions: Record<ClaimStatus, readonly ClaimStatus[]> = {
  pending: ['accepted', 'rejected', 'closed'],
  accepted: ['closed'],
  rejected: ['pending', 'closed'],
  closed: [],
};

/** The same for a withdrawal. */
export const withdrawalTransitions: Record<WithdrawalStatus, readonly WithdrawalStatus[]> = {
  declared: ['accepted', 'rejected'],
  accepted: ['refunded'],
  refunded: [],
  rejected: [],
};

/** These images show a customer's home or signature, so they open only with a URL that is signed for a short time. */
export const privateImageTypes: readonly ImageType[] = ['claim', 'signature'];

export type ImageType = (typeof imageTypes)[number];
/** Every customer belongs to this segment. */
export const everybody = 'all';

export type Language = (typeof languages)[number];
export type ShopRole = (typeof shopRoles)[number];
