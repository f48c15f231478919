import { localeOf } from '#domain/orders/arrival.ts';
import { numberText, put } from '#domain/tracking-page/dates.ts';
import type { WithdrawalTexts } from '#domain/withdrawals/texts/withdrawal-texts.ts';
import type { PageWithdrawal, Period } from '#domain/withdrawals/withdrawal-rules.ts';
import { attribute, foreign, type Html, html, ownPath, type SafeUrl } from '#platform/html.ts';
import type { RawResponse } from '#platform/http/request.ts';
import { claimNumber } from '#schemas/catalogues/claim-number.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { withdrawalLimits } from '#schemas/catalogues/limits.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { faultView, summaryView } from './faults-view.ts';
import { imageOrigins, imagesOf } from './images.ts';
import { cut, pageResponse } from './layout.ts';
import { numberView } from './parcel-view.ts';
import { footView, tokenOf } from './tracking-view.ts';
import type { PageContext } from './view.ts';

export interface WithdrawalContext {
  withdrawalTexts: WithdrawalTexts;
}

type Context = PageContext & WithdrawalContext;
type Fault = keyof WithdrawalTexts['faults'] | 'form_expired' | 'try_again';
type Field = 'name' | 'email_id' | 'items' | 'form';

export interface WithdrawalFormState {
  /** The hidden field that protects the form against forgery. */
  formKey: string;
  /** What was typed and ticked. */
  values: { name: string; email_id: string; items: readonly string[] };
  items: readonly { value: string; title: string; quantity: number }[];
  faults: Partial<Record<Field, Fault>>;
}

const moment = (time: string, zone: string, style: Intl.DateTimeFormatOptions, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { ...style, timeZone: zone }).format(new Date(time));

const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const exact = { ...day, hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;

/** It stays on one line. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00A0');

/** The way to the form, while the period runs. */
export function withdrawalOffer({ deadline, basis }: Period, way: SafeUrl, context: Context): Html {
  const { offer, withdraw } = context.withdrawalTexts;
  const text =
    deadline === null
      ? put(offer.open, { count: numberText(basis.days, context) })
      : put(offer.until, { day: unbroken(moment(deadline, basis.time_zone, day, context.language)) });
  return html`<section class="stack" id="withdrawal"><h2>${offer.title}</h2><p>${text}</p><p><a class="button quiet" href="${way}">${withdraw}</a></p></section>`;
}

/** What the customer declared, what becomes of it, and a text to keep. It names nobody: whoever has the link sees it. */
export function withdrawalDeclared(withdrawal: PageWithdrawal, page: TrackingPage, context: Context): Html {
  const { declared } = context.withdrawalTexts;
  const { uuid, status, declared_at, time_zone, items } = withdrawal;
  const at = moment(declared_at, time_zone, exact, context.language);
  const names = items.map(({ title, sku, quantity }) => `${quantity} × ${cut(title ?? sku ?? '', 200)}`);
  const text = put(declared.text, {
    shop: page.shop.name,
    number: page.order_number,
    items: names.join('; ') || '–',
    moment: at,
  });
  return html`<section class="card stack" id="withdrawal"><h2>${declared.title}</h2><p class="split"><strong>${put(declared.at, { moment: at })}</strong><span class="badge ${badges[status]}">${declared.statuses[status]}</span></p><p>${declared.next[status]}</p><dl class="facts"><dt>${declared.number}</dt><dd>${numberView(claimNumber(uuid), null, context)}</dd></dl><figure><figcaption class="muted">${declared.keep}</figcaption><blockquote>${foreign(text)}</blockquote></figure></section>`;
}

/** They look as the states of claims do. */
const badges = { declared: 'pending', accepted: 'accepted', refunded: 'closed', rejected: 'rejected' } as const;

export function withdrawalFormView(page: TrackingPage, form: WithdrawalFormState, context: Context): RawResponse {
  const { form: texts, confirm } = context.withdrawalTexts;
  const back = ownPath(['..', tokenOf(page)], { lang: context.language });
  const main = html`<div class="lead"><p><a href="${back}">${context.texts.claim_form.back}</a></p><h1>${texts.title}</h1><p>${texts.intro}</p></div>
${summaryView(texts.summary, messagesOf(form, context))}
<form method="post">
<input type="hidden" name="form_key" value="${form.formKey}">
${lineField('name', texts.name, null, form, context)}
${lineField('email_id', texts.email_id, texts.email_help, form, context)}
${itemsField(form, context)}
<p><button class="button" type="submit">${confirm}</button></p>
</form>`;
  return pageResponse(
    {
      title: `${texts.title} – ${cut(page.shop.name, 60)}`,
      brand: page.shop,
      shopUrl: page.links.shop_url,
      orderNumber: page.order_number,
      main,
      foot: footView(page.links, context),
      images: imageOrigins(imagesOf(page)),
    },
    context,
  );
}

function faultText(fault: Fault, { texts, withdrawalTexts }: Context): string {
  return fault === 'form_expired' || fault === 'try_again' ? texts.faults[fault] : withdrawalTexts.faults[fault];
}

const messagesOf = ({ faults }: WithdrawalFormState, context: Context) =>
  (Object.entries(faults) as [Field, Fault][]).map(([field, fault]) => ({
    field: field === 'form' ? undefined : field,
    message: faultText(fault, context),
  }));

function faultOf(field: Field, { faults }: WithdrawalFormState, context: Context): Html | null {
  const fault = faults[field];
  return fault ? faultView(field, faultText(fault, context)) : null;
}

const kinds = {
  name: { type: 'text', autocomplete: 'name', maxlength: withdrawalLimits.nameCharacters },
  email_id: { type: 'email', autocomplete: 'email', maxlength: withdrawalLimits.emailCharacters },
} as const;

function lineField(
  field: keyof typeof kinds,
  title: string,
  help: string | null,
  form: WithdrawalFormState,
  context: Context,
): Html {
  const fault = faultOf(field, form, context);
  const { type, autocomplete, maxlength } = kinds[field];
  const described = [help && `${field}-help`, fault && `${field}-fault`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${field}">${title}</label>${help && html`<p class="muted" id="${field}-help">${help}</p>`}${fault}<input type="${type}" id="${field}" name="${field}" value="${form.values[field]}" autocomplete="${autocomplete}" maxlength="${String(maxlength)}" required${attribute('aria-describedby', described || undefined)}${attribute('aria-invalid', fault ? 'true' : undefined)}></div>`;
}

function itemsField(form: WithdrawalFormState, context: Context): Html | null {
  if (form.items.length === 0) return null;
  const fault = faultOf('items', form, context);
  const choices = form.items.map(({ value, title, quantity }, i) => {
    const isChosen = form.values.items.includes(value);
    return html`<label class="choice"><input type="checkbox" name="items" value="${value}"${i === 0 && attribute('id', 'items')}${attribute('checked', isChosen)}><span>${String(quantity)} × ${foreign(cut(title, 200))}</span></label>`;
  });
  return html`<fieldset${attribute('aria-describedby', fault ? 'items-fault' : undefined)}><legend>${context.withdrawalTexts.form.items}</legend>${fault}<div class="choices">${choices}</div></fieldset>`;
}
