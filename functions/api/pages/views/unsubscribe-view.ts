import type { UnsubscribeTexts } from '#domain/emails/unsubscribe-texts/unsubscribe-texts.ts';
import { filled, foreign, type Html, html, ownPath } from '#platform/html.ts';
import type { RawResponse } from '#platform/http/request.ts';
import { imageOrigins } from './images.ts';
import { cut, pageResponse } from './layout.ts';
import { footView } from './tracking-view.ts';
import type { Brand, PageContext, PageLinks } from './view.ts';

/** `blocked`: the address bounced, or its reader complained. `stopped` and `started` are just after a click. */
export type UnsubscribeState = 'on' | 'off' | 'blocked' | 'stopped' | 'started';

interface Shown {
  state: UnsubscribeState;
  texts: UnsubscribeTexts;
  /** Null if the order has no page. */
  pageToken: string | null;
}

/** Whether the shop sends e-mails, and the one button that changes it. */
export function unsubscribeView(
  shop: Brand & { links: Partial<PageLinks> },
  { state, texts, pageToken }: Shown,
  context: PageContext,
): RawResponse {
  const name = cut(shop.name, 60);
  const sentence = filled(texts[state], { shop: foreign(name) });
  const main = html`<div class="lead"><h1>${texts.title}</h1>${state === 'stopped' || state === 'started' ? html`<p role="status">${sentence}</p>` : html`<p>${sentence}</p>`}</div>
${buttonOf(state, texts)}
${pageToken !== null && html`<p><a href="${ownPath(['..', 't', pageToken])}">${texts.page}</a></p>`}`;
  return pageResponse(
    {
      title: `${texts.title} – ${name}`,
      brand: shop,
      shopUrl: shop.links.shop_url ?? null,
      main,
      foot: footView(shop.links, context),
      images: imageOrigins([shop.logo_url]),
    },
    context,
  );
}

function buttonOf(state: UnsubscribeState, texts: UnsubscribeTexts): Html | null {
  if (state === 'blocked') return null;
  const isOn = state === 'on' || state === 'started';
  return html`<form method="post"><p><button class="button" type="submit" name="emails" value="${isOn ? 'off' : 'on'}">${isOn ? texts.stop : texts.start}</button></p></form>`;
}
