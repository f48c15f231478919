import { html, ownPath } from '#platform/html.ts';
import type { RawResponse } from '#platform/http/request.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { summaryView } from './faults-view.ts';
import { imageOrigins, imagesOf } from './images.ts';
import { cut, pageResponse } from './layout.ts';
import { type RatingFormState, ratingFields } from './rating-view.ts';
import { footView, tokenOf } from './tracking-view.ts';
import type { PageContext } from './view.ts';

/** The form of a rating that was not kept, with what was typed and what is wrong. */
export function ratingView(page: TrackingPage, form: RatingFormState, context: PageContext): RawResponse {
  const { rating, claim_form, faults } = context.texts;
  const images = imageOrigins(imagesOf(page));
  const back = ownPath(['..', tokenOf(page)], { lang: context.language });
  const fields = { stars: 'stars', text: 'rating-text', form: undefined };
  const messages = (['form', 'stars', 'text'] as const).flatMap((field) => {
    const key = form.faults[field];
    return key ? [{ field: fields[field], message: faults[key] }] : [];
  });
  const main = html`<div class="lead"><p><a href="${back}">${claim_form.back}</a></p><h1>${rating.title}</h1></div>
${summaryView(rating.not_sent, messages)}
<form method="post">${ratingFields(form, '', context)}</form>`;
  return pageResponse(
    {
      status: 422,
      title: `${rating.title} – ${cut(page.shop.name, 60)}`,
      brand: page.shop,
      shopUrl: page.links.shop_url,
      orderNumber: page.order_number,
      main,
      foot: footView(page.links, context),
      images,
    },
    context,
  );
}
