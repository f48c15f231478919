import type { PagePromotion } from '#domain/pages/page-promotion.ts';
import { newestOfEachLanguage, type Storefront, type StorefrontDeal } from '#domain/pages/storefront.ts';
import { emptyProduct, emptyProperties } from '#domain/promotions/campaign.ts';
import { toPageSettings, toPalette } from '#domain/settings/page-settings.ts';
import { storefrontLimits } from '#schemas/catalogues/limits.ts';
import type { PageDraft } from '#schemas/families/pages.ts';

/** How the storefront of a shop would be if a draft were saved. */

/** The promotion codes of the discounts that a draft names, by their uuids in lower case. */
export type Codes = ReadonlyMap<string, string | null>;

/** The discounts that a draft names. */
export const discountIdsOf = ({ campaign, deals = [] }: PageDraft): string[] =>
  [campaign, ...deals].flatMap((part) => part?.discount_id?.toLowerCase() ?? []);

export function storefrontAfter(storefront: Storefront, draft: PageDraft, codes: Codes): Storefront {
  const { deals, announcements, show_storefront } = draft;
  const present = show_storefront ? storefront : { deals: [], announcements: [] };
  return {
    ...storefront,
    palette: changed(storefront.palette, draft.palette, toPalette({})),
    settings: changed(storefront.settings, draft.page_settings, toPageSettings({})),
    deals: deals ? deals.slice(0, storefrontLimits.deals).map((deal) => draftedDeal(deal, codes)) : present.deals,
    announcements: announcements ? newestOfEachLanguage(announcements) : present.announcements,
  };
}

/** Null restores the default, as it does when it is saved. */
function changed<T extends object>(present: T, changes: { [K in keyof T]?: T[K] | null } = {}, defaults: T): T {
  // The view that the release before this one stored lacks what is new.
  const entries = (Object.keys({ ...defaults, ...present }) as (keyof T)[]).map((name) => {
    const value = changes[name];
    return [name, (value === undefined ? present[name] : value) ?? defaults[name]];
  });
  return Object.fromEntries(entries) as T;
}

type DraftDeal = NonNullable<PageDraft['deals']>[number];

function draftedDeal(deal: DraftDeal, codes: Codes): StorefrontDeal {
  const { title = null, description = null, translations = [], brand_image_url = null } = deal;
  const { brand_logo_url = null, cta_url = null, discount_id } = deal;
  const discount_code = codeOf(discount_id, codes);
  return { title, description, translations, brand_image_url, brand_logo_url, cta_url, discount_code };
}

const codeOf = (discountId: string | null | undefined, codes: Codes): string | null =>
  codes.get(discountId?.toLowerCase() ?? '') ?? null;

type DraftCampaign = NonNullable<PageDraft['campaign']>;
type Drafted = Pick<PagePromotion, 'discount_code'> & {
  campaign: Pick<PagePromotion['campaign'], 'uuid' | 'promotion_properties'>;
};

/** No campaign has this uuid. */
const draftId = '00000000-0000-4000-8000-000000000000';

export function draftedPromotion(draft: DraftCampaign, codes: Codes): Drafted {
  const { promotion_type, promotion_properties: given = {}, discount_id } = draft;
  const { products = [], ...properties } = given;
  const shown = promotion_type === 'product' ? products : [];
  const promotion_properties = {
    ...emptyProperties,
    ...properties,
    products: shown.map((product) => ({ ...emptyProduct, uuid: draftId, title: '', ...product })),
  };
  const discount_code = promotion_properties.discount_code ?? codeOf(discount_id, codes);
  return { campaign: { uuid: draftId, promotion_properties }, discount_code };
}
