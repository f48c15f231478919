import { attribute, type Html, html } from '#platform/html.ts';
import type { RawResponse } from '#platform/http/request.ts';
import { faultView } from './faults-view.ts';
import { imageOrigins } from './images.ts';
import { cut, pageResponse } from './layout.ts';
import { footView } from './tracking-view.ts';
import type { Brand, PageContext, PageLinks } from './view.ts';

export interface LookupFormState {
  /** What was typed, to correct it. It says nothing about orders: whoever typed it knows it. */
  values: { order_number?: string | undefined; email_or_postcode?: string | undefined };
  state: 'empty' | 'not_found' | 'too_many' | 'faulty';
}

const statuses = { empty: 200, not_found: 404, too_many: 429, faulty: 422 } as const;

/** The form to find the tracking page of an order. */
export function lookupView(
  shop: Brand & { links: Partial<PageLinks> },
  { values, state }: LookupFormState,
  context: PageContext,
): RawResponse {
  const { lookup } = context.texts;
  const main = html`<div class="lead"><h1>${lookup.title}</h1><p>${lookup.intro}</p></div>
${state !== 'empty' && messageView(lookup[state])}
<form method="post">
${fieldView('order_number', 'off', values, state, context)}
${fieldView('email_or_postcode', 'email', values, state, context)}
<p><button class="button" type="submit">${lookup.find}</button></p>
</form>`;
  return pageResponse(
    {
      status: statuses[state],
      title: `${lookup.title} – ${cut(shop.name, 60)}`,
      brand: shop,
      shopUrl: shop.links.shop_url ?? null,
      main,
      foot: footView(shop.links, context),
      images: imageOrigins([shop.logo_url]),
    },
    context,
  );
}

const messageView = (message: string): Html =>
  html`<div class="card faults" role="alert" tabindex="-1" autofocus><p>${message}</p></div>`;

function fieldView(
  name: 'order_number' | 'email_or_postcode',
  autocomplete: string,
  values: LookupFormState['values'],
  state: LookupFormState['state'],
  { texts: { lookup } }: PageContext,
): Html {
  const value = values[name] && cut(values[name], 320);
  const fault = state === 'faulty' && !value?.trim() ? faultView(name, lookup[`${name}_missing`]) : null;
  const help = name === 'order_number' && html`<p class="muted" id="${name}-help">${lookup.order_number_help}</p>`;
  const described = [help && `${name}-help`, fault && `${name}-fault`].filter(Boolean).join(' ') || undefined;
  return html`<div class="field"><label for="${name}">${lookup[name]}</label>${help}${fault}<input type="text" id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}" autocapitalize="off" spellcheck="false" required${attribute('aria-describedby', described)}${attribute('aria-invalid', fault ? 'true' : undefined)}></div>`;
}
