import { parcelName } from '#domain/tracking-page/answer.ts';
import { numberText, put } from '#domain/tracking-page/dates.ts';
import { attribute, foreign, type Html, html, type Level, type SafeUrl } from '#platform/html.ts';
import { ratingLimits } from '#schemas/catalogues/limits.ts';
import type { PageParcel, TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { faultView } from './faults-view.ts';
import { parcelValue } from './parcel-view.ts';
import type { PageContext } from './view.ts';

type FaultKey = Exclude<keyof PageContext['texts']['faults'], 'summary'>;

export type RatingFaults = Partial<Record<'stars' | 'text' | 'form', FaultKey>>;

export interface RatingFormState {
  /** The hidden field that protects the form against forgery. */
  formKey: string;
  values: { stars: string; text: string; parcel: string };
  faults: RatingFaults;
}

/** Whether the customer can say how the delivery was. */
export const isRatable = ({ is_return, phase, rating }: PageParcel): boolean =>
  !is_return && phase === 'delivered' && rating === null;

const starsText = (stars: number, context: PageContext): string =>
  put(context.texts.rating.stars, {
    count: numberText(stars, context),
    total: numberText(ratingLimits.stars, context),
  });

/** What the customer said, for the next visits. */
export function givenRatings({ parcels }: TrackingPage, context: PageContext): Html | null {
  const { given } = context.texts.rating;
  const rated = parcels.flatMap(({ rating }, i) => {
    if (!rating) return [];
    const name = parcels.length > 1 && html`<p class="whose">${parcelName(i, parcels, context)}</p>`;
    const words = rating.text && html`<blockquote>${foreign(rating.text)}</blockquote>`;
    return [html`<li class="claim">${name}<p>${starsView(rating.stars, context)}</p>${words}</li>`];
  });
  if (rated.length === 0) return null;
  return html`<section class="card stack" id="ratings"><h2>${given}</h2><ul class="items">${rated}</ul></section>`;
}

const starsView = (stars: number, context: PageContext): Html =>
  html`<span class="given" aria-hidden="true">${'★'.repeat(stars)}${'☆'.repeat(ratingLimits.stars - stars)}</span> <span>${starsText(stars, context)}</span>`;

/** The small form below the answer about a parcel that has arrived. @param to where it is sent; a preview sends nothing */
export function ratingForm(
  parcel: PageParcel,
  index: number,
  { to, formKey, level }: { to: SafeUrl | null; formKey: string; level: Level },
  context: PageContext,
): Html | null {
  if (!isRatable(parcel)) return null;
  const { title } = context.texts.rating;
  const id = `rating-${index + 1}`;
  const state = { formKey, values: { stars: '', text: '', parcel: parcelValue(parcel, index) }, faults: {} };
  const fields = ratingFields(state, `-${index + 1}`, context);
  return html`<section class="card stack" aria-labelledby="${id}">${level === 2 ? html`<h2 id="${id}">${title}</h2>` : html`<h3 id="${id}">${title}</h3>`}${to ? html`<form method="post" action="${to}">${fields}</form>` : html`<div class="stack">${fields}</div>`}</section>`;
}

/** @param suffix keeps the ids of several forms apart */
export function ratingFields({ formKey, values, faults }: RatingFormState, suffix: string, context: PageContext): Html {
  const { rating, claim_form, faults: texts } = context.texts;
  const [starsId, textId] = [`stars${suffix}`, `rating-text${suffix}`];
  const starsFault = faults.stars && faultView(starsId, texts[faults.stars]);
  const textFault = faults.text && faultView(textId, texts[faults.text]);
  const choices = Array.from({ length: ratingLimits.stars }, (_, i) => {
    const value = String(i + 1);
    return html`<label class="choice star"><input type="radio" name="stars" value="${value}"${i === 0 && attribute('id', starsId)}${attribute('checked', values.stars === value)} required><span aria-hidden="true">${numberText(i + 1, context)} ★</span><span class="hidden">${starsText(i + 1, context)}</span></label>`;
  });
  const described = starsFault ? `${starsId}-help ${starsId}-fault` : `${starsId}-help`;
  const help = put(claim_form.description_help, { count: numberText(ratingLimits.textCharacters, context) });
  return html`<input type="hidden" name="form_key" value="${formKey}"><input type="hidden" name="parcel" value="${values.parcel}">
<fieldset role="radiogroup" aria-describedby="${described}"${attribute('aria-invalid', starsFault ? 'true' : undefined)}><legend class="hidden">${rating.title}</legend><p class="muted" id="${starsId}-help">${rating.scale}</p>${starsFault}<div class="stars">${choices}</div></fieldset>
<div class="field"><label for="${textId}">${rating.text} <span class="muted">(${claim_form.optional})</span></label><p class="muted" id="${textId}-help">${help}</p>${textFault}<textarea id="${textId}" name="text" rows="2" aria-describedby="${textId}-help${textFault && ` ${textId}-fault`}"${attribute('aria-invalid', textFault ? 'true' : undefined)}>
${values.text}</textarea></div>
<p><button class="button" type="submit">${rating.send}</button></p>`;
}
