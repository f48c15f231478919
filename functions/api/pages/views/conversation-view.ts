import { dateText, numberText, put, timeOf } from '#domain/tracking-page/dates.ts';
import { attribute, foreign, type Html, html, type SafeUrl } from '#platform/html.ts';
import { claimLimits, formLimits, requestLimits } from '#schemas/catalogues/limits.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { faultView } from './faults-view.ts';
import { type ImageOrigins, imageLink, picture } from './images.ts';
import type { PageContext } from './view.ts';

type PageClaim = TrackingPage['claims'][number];
type PageMessage = PageClaim['messages'][number];

/** The messages before these are folded, so that the answer about the parcel stays in sight. */
const unfoldedMessages = 3;

/** What shop and customer wrote to each other, newest last. */
export function conversationView(claim: PageClaim, images: ImageOrigins, context: PageContext): Html | null {
  const { conversation } = context.texts;
  const { number, messages } = claim;
  if (messages.length === 0) return null;
  const items = messages.map((message) => messageItem(message, images, context));
  const earlier = items.slice(0, -unfoldedMessages);
  const folded =
    earlier.length > 0 &&
    html`<details id="earlier-${number}"><summary>${put(conversation.earlier, { count: numberText(earlier.length, context) })}</summary><ol class="talk">${earlier}</ol></details>`;
  return html`<div class="stack"><h3>${conversation.title}</h3>${folded}<ol class="talk">${items.slice(-unfoldedMessages)}</ol></div>`;
}

function messageItem({ at, from, author, text, image_urls }: PageMessage, images: ImageOrigins, context: PageContext) {
  const time = timeOf(at);
  const who = from === 'shop' ? foreign(author ?? '') : context.texts.conversation.you;
  return html`<li class="${from}"><p class="muted"><strong>${who}</strong>${time && html` · <time datetime="${at}">${dateText(time, context)}</time>`}</p><p class="said">${foreign(text)}</p>${photosOf(image_urls, images, context)}</li>`;
}

function photosOf(urls: readonly string[], images: ImageOrigins, context: PageContext): Html | null {
  const links = urls.flatMap((url, i) => {
    const address = imageLink(url, images);
    const name = put(context.texts.conversation.photo, { number: numberText(i + 1, context) });
    return address
      ? [html`<li><a href="${address}">${picture(url, images, 'parcel')}<span class="hidden">${name}</span></a></li>`]
      : [];
  });
  return links.length > 0 ? html`<ul class="photos">${links}</ul>` : null;
}

type FaultKey = Exclude<keyof PageContext['texts']['faults'], 'summary'>;

export type MessageFaults = Partial<Record<'text' | 'images' | 'form', FaultKey>>;

export interface MessageFormState {
  /** The hidden field that protects the form against forgery. */
  formKey: string;
  /** What was typed. */
  text: string;
  faults: MessageFaults;
}

/** The form to write to the shop. Several may stand on a page, so its ids have the number of the claim. */
export function messageFields({ number }: PageClaim, form: MessageFormState, context: PageContext): Html {
  const { claim_form, conversation, faults: texts } = context.texts;
  const [textId, imagesId] = [`text-${number}`, `images-${number}`];
  const { text, images } = form.faults;
  const [textFault, imagesFault] = [
    text && faultView(textId, texts[text]),
    images && faultView(imagesId, texts[images]),
  ];
  const isAgain = Object.keys(form.faults).length > 0;
  const textHelp = put(claim_form.description_help, { count: numberText(claimLimits.messageCharacters, context) });
  const imagesHelp = put(claim_form.photos_help, {
    count: numberText(formLimits.files, context),
    size: numberText(requestLimits.fileBytes / 1024 ** 2, context),
  });
  // The line break is not part of the text: browsers drop the first one, and a text may begin with another.
  return html`<input type="hidden" name="form_key" value="${form.formKey}">
<div class="field"><label for="${textId}">${conversation.text}</label><p class="muted" id="${textId}-help">${textHelp}</p>${textFault}<textarea id="${textId}" name="text" rows="4" aria-describedby="${textId}-help${textFault && ` ${textId}-fault`}"${attribute('aria-invalid', textFault ? 'true' : undefined)} required>
${form.text}</textarea></div>
<div class="field"><label for="${imagesId}">${claim_form.photos} <span class="muted">(${claim_form.optional})</span></label><p class="muted" id="${imagesId}-help">${imagesHelp}${isAgain && html` ${claim_form.photos_again}`}</p>${imagesFault}<input type="file" id="${imagesId}" name="images" accept="image/jpeg,image/png,image/gif,image/webp" multiple data-bytes="${requestLimits.fileBytes}" aria-describedby="${imagesId}-help${imagesFault && ` ${imagesId}-fault`}"${attribute('aria-invalid', imagesFault ? 'true' : undefined)}></div>
<p><button class="button" type="submit">${conversation.send}</button></p>`;
}

/** Folded, on the page of the order. */
export const foldedForm = (claim: PageClaim, to: SafeUrl, formKey: string, context: PageContext): Html =>
  html`<details id="write-${claim.number}"><summary>${context.texts.conversation.write}</summary><form method="post" enctype="multipart/form-data" action="${to}">${messageFields(claim, { formKey, text: '', faults: {} }, context)}</form></details>`;
