import { translated } from '#domain/texts/translations.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { Campaign, PromotionProperties } from '#schemas/families/campaigns.ts';
import type { CampaignRecord } from './campaign-records.ts';
import { campaignStatus } from './campaign-status.ts';
import { discountsNamed } from './discount.ts';

interface Viewer {
  language: Language;
  now: Date;
}

/** Campaigns as callers see them, with their discounts. */
export async function shownCampaigns(found: readonly CampaignRecord[], viewer: Viewer): Promise<Campaign[]> {
  const discounts = await discountsNamed(found);
  return found.map((record) => toCampaign(record, discounts.get(record.discount_id ?? '') ?? null, viewer));
}

export function toCampaign(record: CampaignRecord, discount: Campaign['discount'], viewer: Viewer): Campaign {
  const { version: _version, tests: _tests, ...fields } = record;
  return {
    ...fields,
    status: campaignStatus(record, viewer.now),
    promotion_properties: inLanguage(record.promotion_properties, viewer.language),
    discount,
  };
}

function inLanguage(properties: PromotionProperties, language: Language): PromotionProperties {
  const { title, subtitle, cta_label, translations, products } = properties;
  return {
    ...properties,
    ...translated({ title, subtitle, cta_label }, translations, language),
    products: products.map((product) => ({
      ...product,
      ...translated({ title: product.title }, product.translations, language),
    })),
  };
}
