import { text as elements } from 'minified:#schemas/look/elements.css';
import { text as tokens } from 'minified:#schemas/look/tokens.css';
import { text as pageStyle } from 'minified:./page.css';
import { text as script } from 'minified:./page.js';
import { createHash } from 'node:crypto';
import { boundDates, rangesIn, tagOf } from '#domain/tracking-page/dates.ts';
import { cut } from '#platform/cut.ts';
import { anchor, attribute, filled, foreign, type Html, html, link, ownElement } from '#platform/html.ts';
import type { RawResponse } from '#platform/http/request.ts';
import { remembered } from '#platform/recently-used.ts';
import { paletteStyle, type Scheme } from '#schemas/look/palette.ts';
import type { BrandPalette } from '#schemas/shapes/settings-shapes.ts';
import { sprite } from './icons.ts';
import { type ImageOrigins, imageLink } from './images.ts';
import type { Brand, PageContext } from './view.ts';

export { cut };

interface Page {
  status?: number;
  title: string;
  brand: Brand;
  shopUrl?: string | null;
  orderNumber?: string;
  banner?: string | undefined;
  main: Html;
  foot?: Html | null;
  isLive?: boolean;
  images?: ImageOrigins;
}

/** To find readable colours takes a fourteenth of the time of a page. */
const coloursFor = remembered((palette: string, theme?: Scheme) =>
  paletteStyle(JSON.parse(palette) as BrandPalette, theme),
);

/** A whole page with the headers that protect it. */
export function pageResponse(page: Page, context: PageContext): RawResponse {
  const colours = coloursFor(JSON.stringify(page.brand.palette), context.theme);
  return {
    ...(page.status && { status: page.status }),
    content: documentOf(page, colours, context).text,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': tagOf(context.language),
      'Content-Security-Policy': policyOf(colours, page.images ?? []),
      'Cache-Control': 'private, no-store',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

const style = tokens + elements + pageStyle;

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const ownHashes = { style: sha256(style), script: sha256(script) };

function policyOf(colours: string, images: ImageOrigins): string {
  return [
    "default-src 'none'",
    `style-src ${ownHashes.style} ${sha256(colours)}`,
    `script-src ${ownHashes.script}`,
    // The empty icon is data.
    ['img-src', 'data:', ...images].join(' '),
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ].join('; ');
}

function documentOf(page: Page, colours: string, context: PageContext): Html {
  const { texts, language, theme } = context;
  return html`<!doctype html>
<html lang="${tagOf(language)}" dir="ltr"${attribute('data-theme', theme)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no">
<title>${page.title}</title>
<link rel="icon" href="data:,">
${ownElement('style', style)}
${ownElement('style', colours)}
</head>
<body>
<a class="skip" href="${anchor('main')}">${texts.page.skip}</a>
${page.banner && html`<p class="banner">${page.banner}</p>`}
${page.brand.name !== '' && html`<header class="top">${brandOf(page)}${orderOf(page, context)}</header>`}
<main id="main" tabindex="-1"${attribute('data-live', page.isLive ?? false)}>${sprite(page.main)}${page.main}</main>
${page.foot && html`<footer class="foot">${page.foot}</footer>`}
${ownElement('script', script)}
</body>
</html>
`;
}

function brandOf({ brand, shopUrl, images = [] }: Page): Html {
  const logo = imageLink(brand.logo_url, images);
  const shown = logo
    ? html`<img class="logo" src="${logo}" alt="${cut(brand.name, 60)}" width="160" height="48">`
    : foreign(cut(brand.name, 60));
  const address = link(shopUrl);
  return address ? html`<a class="brand" href="${address}">${shown}</a>` : html`<span class="brand">${shown}</span>`;
}

const orderOf = ({ orderNumber }: Page, { texts }: PageContext) =>
  orderNumber &&
  html`<p class="order muted">${filled(texts.page.order, { number: foreign(cut(orderNumber, 60)) })}</p>`;

/** A sentence in which no line ends inside a range of numbers, or between a day and its month. */
export const unbroken = (sentence: string): Html =>
  html`${rangesIn(boundDates(sentence)).map((part, i) => (i % 2 === 1 ? html`<span class="range">${part}</span>` : part))}`;
