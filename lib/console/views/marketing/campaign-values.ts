import { everybody } from '#schemas/catalogues/enumerations.ts';
import type { Campaign } from '#schemas/families/campaigns.ts';
import type { PageDraft } from '#schemas/families/pages.ts';
import { linkOrNull, orNull } from './typed-texts.ts';

/** A campaign as its form holds it: an empty text is no value. */
export interface CampaignValues {
  name: string;
  segment: string;
  promotion_type: string;
  enabled: boolean;
  start_date: string;
  end_date: string;
  discount_id: string;
  title: string;
  subtitle: string;
  cta_label: string;
  cta_url: string;
  image_url: string;
  discount_code: string;
  translations: Translation[];
  products: Product[];
}

export interface Translation {
  language: string;
  title: string;
  subtitle: string;
  cta_label: string;
}

export interface Product {
  uuid?: string;
  title: string;
  image_url: string;
  product_url: string;
}

export const newTranslation = (language = 'de'): Translation => ({ language, title: '', subtitle: '', cta_label: '' });
export const newProduct = (): Product => ({ title: '', image_url: '', product_url: '' });

export function toValues(campaign: Campaign | null): CampaignValues {
  const { promotion_properties: properties } = campaign ?? {};
  return {
    name: campaign?.name ?? '',
    segment: campaign?.segment ?? everybody,
    promotion_type: campaign?.promotion_type ?? 'basic',
    enabled: campaign?.enabled ?? false,
    start_date: campaign?.start_date ?? '',
    end_date: campaign?.end_date ?? '',
    discount_id: campaign?.discount_id ?? '',
    title: properties?.title ?? '',
    subtitle: properties?.subtitle ?? '',
    cta_label: properties?.cta_label ?? '',
    cta_url: properties?.cta_url ?? '',
    image_url: properties?.image_url ?? '',
    discount_code: properties?.discount_code ?? '',
    translations: (properties?.translations ?? []).map(({ language, values }) => ({
      language,
      title: values.title ?? '',
      subtitle: values.subtitle ?? '',
      cta_label: values.cta_label ?? '',
    })),
    products: (properties?.products ?? []).map(({ uuid, title, image_url, product_url }) => ({
      uuid,
      title,
      image_url: image_url ?? '',
      product_url: product_url ?? '',
    })),
  };
}

type Link = (text: string) => string | null;

function toProperties(values: CampaignValues, link: Link) {
  const { title, subtitle, cta_label, cta_url, image_url, discount_code, translations, products } = values;
  return {
    title: orNull(title),
    subtitle: orNull(subtitle),
    cta_label: orNull(cta_label),
    cta_url: link(cta_url),
    image_url: link(image_url),
    discount_code: orNull(discount_code),
    translations: translations.map(({ language, ...texts }) => ({
      language,
      values: {
        title: orNull(texts.title),
        subtitle: orNull(texts.subtitle),
        cta_label: orNull(texts.cta_label),
      },
    })),
    products: products.map((product) => ({
      ...(product.uuid !== undefined && { uuid: product.uuid }),
      title: product.title,
      image_url: link(product.image_url),
      product_url: link(product.product_url),
    })),
  };
}

/** A basic campaign has no products, and those of another one stay out of the request. */
function propertiesFor(values: CampaignValues, link: Link) {
  const { products, ...others } = toProperties(values, link);
  return values.promotion_type === 'product' ? { ...others, products } : others;
}

export function toBody(values: CampaignValues) {
  const { name, segment, promotion_type, enabled, start_date, end_date, discount_id } = values;
  return {
    name: name.trim(),
    segment: segment.trim(),
    promotion_type: promotion_type as Campaign['promotion_type'],
    enabled,
    ...(start_date !== '' && { start_date }),
    end_date: orNull(end_date),
    discount_id: orNull(discount_id),
    promotion_properties: propertiesFor(values, orNull) as Campaign['promotion_properties'],
  };
}

export function toDraft(values: CampaignValues): Partial<PageDraft> {
  const properties = propertiesFor(values, linkOrNull) as ReturnType<typeof toProperties>;
  const { products = [], ...others } = properties;
  return {
    campaign: {
      promotion_type: values.promotion_type as Campaign['promotion_type'],
      // A new product begins without a title.
      promotion_properties: { ...others, products: products.filter(({ title }) => title !== '') },
      discount_id: orNull(values.discount_id),
    },
  };
}

/** The place of a fault in the request, as the name of a field. */
export const fieldOf = (place: string): string => place.replace(/^promotion_properties\./, '').replace('.values.', '.');
