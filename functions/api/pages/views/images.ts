import { type Html, html, link, type SafeUrl } from '#platform/html.ts';
import type { IconName } from '#schemas/look/icons.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { icon } from './icons.ts';

/** The origins that a page may load images from. API Gateway takes 10 KB of headers, so there is room for some. */
export type ImageOrigins = readonly string[];

const maxOrigins = 20;
// Also what a policy can name: an address may have a host with a semicolon in it.
const plainOrigin = /^https?:\/\/[a-z0-9.-]{1,253}(:\d+)?$/;

export function imageOrigins(urls: readonly (string | null)[]): ImageOrigins {
  const origins = urls.map(originOf).filter((origin) => origin !== undefined);
  return [...new Set(origins)].slice(0, maxOrigins);
}

function originOf(url: string | null): string | undefined {
  const origin = (url && URL.parse(url)?.origin) || '';
  return plainOrigin.test(origin) ? origin : undefined;
}

/** In the order in which they matter, because the number of origins has a limit. */
export const imagesOf = ({ shop, parcels, promotion, deals, claims }: TrackingPage): (string | null)[] => [
  shop.logo_url,
  ...claims.flatMap(({ messages }) => messages.flatMap(({ image_urls }) => image_urls)),
  ...(promotion ? [promotion.image_url, ...promotion.products.map(({ image_url }) => image_url)] : []),
  ...parcels.flatMap(({ products }) => products.map(({ image_url }) => image_url)),
  ...deals.flatMap(({ brand_image_url, brand_logo_url }) => [brand_image_url, brand_logo_url]),
];

/** Undefined if the page cannot load it. */
export function imageLink(url: string | null, origins: ImageOrigins): SafeUrl | null {
  const origin = originOf(url);
  return origin && origins.includes(origin) ? link(url) : null;
}

/** A box of a fixed size. It shows the icon as long as there is no picture. */
export function picture(url: string | null, origins: ImageOrigins, placeholder: IconName): Html {
  const address = imageLink(url, origins);
  const image = address && html`<img src="${address}" alt="" loading="lazy" decoding="async">`;
  return html`<span class="picture">${icon(placeholder)}${image}</span>`;
}
