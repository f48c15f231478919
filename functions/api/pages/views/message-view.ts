import { html, ownPath } from '#platform/html.ts';
import type { RawResponse } from '#platform/http/request.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { conversationView, type MessageFormState, messageFields } from './conversation-view.ts';
import { summaryView } from './faults-view.ts';
import { imageOrigins, imagesOf } from './images.ts';
import { cut, pageResponse } from './layout.ts';
import { footView, tokenOf } from './tracking-view.ts';
import type { PageContext } from './view.ts';

export type { MessageFaults } from './conversation-view.ts';

/** The form of a message that was not sent, with what was typed and what is wrong. */
export function messageView(
  page: TrackingPage,
  claim: TrackingPage['claims'][number],
  form: MessageFormState,
  context: PageContext,
): RawResponse {
  const { conversation, claim_form, reasons, faults } = context.texts;
  const images = imageOrigins(imagesOf(page));
  const back = ownPath(['..', '..', '..', tokenOf(page)], { lang: context.language });
  const fields = { text: `text-${claim.number}`, images: `images-${claim.number}`, form: undefined };
  const messages = (['form', 'text', 'images'] as const).flatMap((field) => {
    const key = form.faults[field];
    return key ? [{ field: fields[field], message: faults[key] }] : [];
  });
  const main = html`<div class="lead"><p><a href="${back}">${claim_form.back}</a></p><h1>${conversation.write}</h1><p>${reasons[claim.reason]}</p></div>
${summaryView(conversation.not_sent, messages)}
${conversationView(claim, images, context)}
<form method="post" enctype="multipart/form-data">${messageFields(claim, form, context)}</form>`;
  return pageResponse(
    {
      status: form.faults.form === 'too_many_messages' ? 429 : 422,
      title: `${conversation.write} – ${cut(page.shop.name, 60)}`,
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
