import { foreign, type Html, html, link, type SafeUrl } from '#platform/html.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { icon } from './icons.ts';
import { type ImageOrigins, picture } from './images.ts';
import { cut } from './layout.ts';
import type { PageContext } from './view.ts';

/** What the shop says to all customers of its page: promotion, deals, announcements. Its texts are shown as text. */

export function promotionView(
  promotion: TrackingPage['promotion'],
  go: SafeUrl | null,
  images: ImageOrigins,
  { texts }: PageContext,
): Html | null {
  if (!promotion) return null;
  const { title, subtitle, cta_label, image_url, discount_code, products } = promotion;
  const { offers } = texts;
  return html`<section class="card offer" id="promotion">${image_url && picture(image_url, images, 'gift')}<div class="text"><p class="kicker">${icon('gift')}${offers.label}</p>
<h2>${foreign(cut(title || offers.open, 200))}</h2>
${subtitle && html`<p>${foreign(cut(subtitle, 500))}</p>`}
${discount_code && html`<p>${offers.code}: <span class="code">${foreign(cut(discount_code, 100))}</span></p>`}
${products.length > 0 && html`<ul class="items">${products.slice(0, 6).map((product) => promotedView(product, images))}</ul>`}
${go && html`<a class="button" href="${go}">${cta_label ? foreign(cut(cta_label, 100)) : offers.open}</a>`}</div></section>`;
}

type Promoted = NonNullable<TrackingPage['promotion']>['products'][number];

function promotedView({ title, image_url, product_url }: Promoted, images: ImageOrigins): Html {
  const url = link(product_url);
  const name = foreign(cut(title, 200));
  return html`<li class="item">${picture(image_url, images, 'gift')}<div>${url ? html`<a href="${url}">${name}</a>` : name}</div></li>`;
}

export function dealsView(deals: TrackingPage['deals'], images: ImageOrigins, { texts }: PageContext): Html | null {
  if (deals.length === 0) return null;
  const items = deals.map(({ title, description, brand_image_url, brand_logo_url, cta_url, discount_code }) => {
    const url = link(cta_url);
    return html`<li class="item">${picture(brand_image_url ?? brand_logo_url, images, 'gift')}<div>${title && html`<h3>${foreign(cut(title, 200))}</h3>`}${description && html`<p class="muted">${foreign(cut(description, 300))}</p>`}${discount_code && html`<p class="muted">${texts.offers.code}: <strong>${foreign(cut(discount_code, 100))}</strong></p>`}${url && html`<p><a href="${url}">${texts.offers.open}<span class="hidden">: ${foreign(cut(title ?? '', 100))}</span></a></p>`}</div></li>`;
  });
  return html`<section class="stack" id="deals"><h2>${texts.offers.deals}</h2><ul class="items">${items}</ul></section>`;
}

const shownLength = 300;

export function announcementsView(announcements: TrackingPage['announcements'], { texts }: PageContext): Html | null {
  if (announcements.length === 0) return null;
  const items = announcements.map(({ text }, i) =>
    [...text].length <= shownLength * 1.5
      ? html`<li class="news">${foreign(text)}</li>`
      : html`<li class="news"><p>${foreign(cut(text, shownLength))}</p><details id="news-${i}"><summary>${texts.announcements.more}</summary><p>${foreign(text)}</p></details></li>`,
  );
  return html`<section class="card stack" id="announcements"><h2>${texts.announcements.title}</h2><ul class="items">${items}</ul></section>`;
}
