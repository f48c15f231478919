import { parcelName } from '#domain/tracking-page/answer.ts';
import { numberText, put } from '#domain/tracking-page/dates.ts';
import type { PageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { attribute, foreign, type Html, html, ownPath } from '#platform/html.ts';
import type { RawResponse } from '#platform/http/request.ts';
import { claimReasons, resolutionPreferences } from '#schemas/catalogues/enumerations.ts';
import { claimLimits, formLimits, requestLimits } from '#schemas/catalogues/limits.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { faultView, summaryView } from './faults-view.ts';
import { type ImageOrigins, imageOrigins, imagesOf, picture } from './images.ts';
import { cut, pageResponse } from './layout.ts';
import { parcelValue } from './parcel-view.ts';
import { footView, tokenOf } from './tracking-view.ts';
import type { PageContext } from './view.ts';

export type FaultKey = Exclude<keyof PageTexts['faults'], 'summary'>;

type ClaimField =
  | 'reason'
  | 'description'
  | 'resolution_preference'
  | 'selected_items'
  | 'tracking_number'
  | 'images'
  /** The form as a whole. */
  | 'form';

interface FormItem {
  value: string;
  title: string;
  image_url: string | null;
  /** Null if it is not known which parcel it is in. */
  parcel: number | null;
}

export interface ClaimFormState {
  /** The hidden field that protects the form against forgery. */
  formKey: string;
  /** What was typed and chosen. */
  values: {
    reason?: string | undefined;
    description?: string | undefined;
    resolution_preference?: string | undefined;
    tracking_number?: string | undefined;
    selected_items: readonly string[];
  };
  /** What can be chosen. */
  items: readonly FormItem[];
  faults: Partial<Record<ClaimField, FaultKey>>;
}

/** The form to report a problem, with what was typed and a message beside each field that is wrong. */
export function claimView(page: TrackingPage, form: ClaimFormState, context: PageContext): RawResponse {
  const { claim_form } = context.texts;
  const images = imageOrigins([...imagesOf(page), ...form.items.map(({ image_url }) => image_url)]);
  const back = ownPath(['..', tokenOf(page)], { lang: context.language });
  const main = html`<div class="lead"><p><a href="${back}">${claim_form.back}</a></p><h1>${claim_form.title}</h1><p>${claim_form.intro}</p></div>
${summaryOf(form, context)}
<form method="post" enctype="multipart/form-data">
<input type="hidden" name="form_key" value="${form.formKey}">
${reasonField(form, context)}
${parcelField(page, form, context)}
${itemsField(page, form, images, context)}
${descriptionField(form, context)}
${resolutionField(form, context)}
${photosField(form, context)}
<p><button class="button" type="submit">${claim_form.send}</button></p>
</form>`;
  return pageResponse(
    {
      status: statusOf(form.faults),
      title: `${claim_form.title} – ${cut(page.shop.name, 60)}`,
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

function statusOf(faults: ClaimFormState['faults']): number {
  if (faults.form === 'too_many_claims') return 429;
  return Object.keys(faults).length > 0 ? 422 : 200;
}

function summaryOf({ faults }: ClaimFormState, { texts }: PageContext): Html | null {
  const entries = Object.entries(faults) as [ClaimField, FaultKey][];
  const messages = entries.map(([field, key]) => ({
    field: field === 'form' ? undefined : field,
    message: texts.faults[key],
  }));
  return summaryView(texts.faults.summary, messages);
}

const faultOf = (field: ClaimField, { faults }: ClaimFormState, { texts }: PageContext): Html | null => {
  const key = faults[field];
  return key ? faultView(field, texts.faults[key]) : null;
};

/** A group of radio buttons. */
function choicesField(
  field: 'reason' | 'tracking_number' | 'resolution_preference',
  title: Html,
  options: readonly { value: string; name: Html }[],
  form: ClaimFormState,
  context: PageContext,
): Html {
  const fault = faultOf(field, form, context);
  const choices = options.map(({ value, name }, i) => {
    const isChosen = (form.values[field] ?? '') === value;
    return html`<label class="choice"><input type="radio" name="${field}" value="${value}"${i === 0 && attributeId(field)}${attribute('checked', isChosen)}${attribute('required', field === 'reason')}>${name}</label>`;
  });
  return html`<fieldset role="radiogroup"${attribute('aria-describedby', fault ? `${field}-fault` : undefined)}${attribute('aria-invalid', fault ? 'true' : undefined)}><legend>${title}</legend>${fault}<div class="choices">${choices}</div></fieldset>`;
}

/** The summary leads to the first choice. */
const attributeId = (field: string) => attribute('id', field);

const reasonField = (form: ClaimFormState, context: PageContext) =>
  choicesField(
    'reason',
    html`${context.texts.claim_form.reason}`,
    claimReasons.map((reason) => ({ value: reason, name: html`${context.texts.reasons[reason]}` })),
    form,
    context,
  );

/** None is chosen at first: the chosen items tell the parcel, too. */
function parcelField({ parcels }: TrackingPage, form: ClaimFormState, context: PageContext): Html | null {
  if (parcels.length < 2) return null;
  const options = parcels.map((parcel, i) => {
    const { tracking_number, carrier } = parcel;
    const carrierName = carrier.name && html`${foreign(carrier.name)} `;
    const name = html`<span>${parcelName(i, parcels, context)}<br><span class="muted">${carrierName}${tracking_number && foreign(tracking_number)}</span></span>`;
    return { value: parcelValue(parcel, i), name };
  });
  const title = html`${context.texts.claim_form.parcel}${optional(context)}`;
  return choicesField('tracking_number', title, options, form, context);
}

function itemsField(
  { parcels }: TrackingPage,
  form: ClaimFormState,
  images: ImageOrigins,
  context: PageContext,
): Html | null {
  const { claim_form } = context.texts;
  if (form.items.length === 0) return null;
  const fault = faultOf('selected_items', form, context);
  const choices = form.items.map(({ value, title, image_url, parcel }, i) => {
    const parcelText =
      parcels.length > 1 &&
      parcel !== null &&
      html`<br><span class="muted">${parcelName(parcel, parcels, context)}</span>`;
    const isChosen = form.values.selected_items.includes(value);
    return html`<label class="choice"><input type="checkbox" name="selected_items" value="${value}"${i === 0 && attributeId('selected_items')}${attribute('checked', isChosen)}>${picture(image_url, images, 'parcel')}<span>${foreign(cut(title, 200))}${parcelText}</span></label>`;
  });
  const described = fault ? 'selected_items-help selected_items-fault' : 'selected_items-help';
  return html`<fieldset aria-describedby="${described}"><legend>${claim_form.items}${optional(context)}</legend><p class="muted" id="selected_items-help">${claim_form.items_help}</p>${fault}<div class="choices">${choices}</div></fieldset>`;
}

const optional = ({ texts }: PageContext) => html` <span class="muted">(${texts.claim_form.optional})</span>`;

function descriptionField(form: ClaimFormState, context: PageContext): Html {
  const { claim_form } = context.texts;
  const fault = faultOf('description', form, context);
  const help = put(claim_form.description_help, { count: numberText(claimLimits.descriptionCharacters, context) });
  // The line break is not part of the text: browsers drop the first one, and a text may begin with another.
  return html`<div class="field"><label for="description">${claim_form.description}${optional(context)}</label><p class="muted" id="description-help">${help}</p>${fault}<textarea id="description" name="description" rows="5" aria-describedby="description-help${fault && ' description-fault'}"${attribute('aria-invalid', fault ? 'true' : undefined)}>
${form.values.description}</textarea></div>`;
}

function resolutionField(form: ClaimFormState, context: PageContext): Html {
  const { texts } = context;
  const options = resolutionPreferences.map((value) => ({
    value: value as string,
    name: html`${texts.resolutions[value]}`,
  }));
  return choicesField(
    'resolution_preference',
    html`${texts.claim_form.resolution}${optional(context)}`,
    [{ value: '', name: html`${texts.claim_form.no_preference}` }, ...options],
    form,
    context,
  );
}

function photosField(form: ClaimFormState, context: PageContext): Html {
  const { claim_form } = context.texts;
  const fault = faultOf('images', form, context);
  const isAgain = Object.keys(form.faults).length > 0;
  const help = put(claim_form.photos_help, {
    count: numberText(formLimits.files, context),
    size: numberText(requestLimits.fileBytes / 1024 ** 2, context),
  });
  return html`<div class="field"><label for="images">${claim_form.photos}${optional(context)}</label><p class="muted" id="images-help">${help}${isAgain && html` ${claim_form.photos_again}`}</p>${fault}<input type="file" id="images" name="images" accept="image/jpeg,image/png,image/gif,image/webp" multiple data-bytes="${requestLimits.fileBytes}" aria-describedby="images-help${fault && ' images-fault'}"${attribute('aria-invalid', fault ? 'true' : undefined)}></div>`;
}
