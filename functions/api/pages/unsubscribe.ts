import { hasSender } from '#domain/emails/email-settings.ts';
import { readSuppression, removeSuppression, type Suppression, suppress } from '#domain/emails/suppression-store.ts';
import { loadUnsubscribeTexts } from '#domain/emails/unsubscribe-texts/unsubscribe-texts.ts';
import { readUnsubscribeToken, type UnsubscribeToken } from '#domain/emails/unsubscribe-token.ts';
import { findPage } from '#domain/pages/page-store.ts';
import type { Storefront } from '#domain/pages/storefront.ts';
import { readStorefront } from '#domain/pages/storefront-store.ts';
import { brandOf, shopLinks } from '#domain/tracking-page/facts.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { oneMore, secondsOf } from '#platform/access/sliding-window.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation, RawResponse, Request } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { commit, putVersion, retryOnConflict } from '#platform/table/writes.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import type { FormFields } from '#schemas/families/operation.ts';
import type { pages } from '#schemas/families/pages.ts';
import { textOf } from './form-fields.ts';
import { languageFor } from './open-page.ts';
import { type UnsubscribeState, unsubscribeView } from './views/unsubscribe-view.ts';
import type { PageContext } from './views/view.ts';

type Operations = typeof pages;

export const getUnsubscribePage: Implementation<Operations['getUnsubscribePage']> = async (request) => {
  const open = await openUnsubscribe(request);
  return show(open, stateOf(await readSuppression(open.slug, open.addressHash)));
};

/**
 * A mail program sends the same form as the button: no key protects it, because the link itself is the secret. It is answered
 * with a page and no redirect, as RFC 8058 asks.
 */
export const sendUnsubscribe: Implementation<Operations['sendUnsubscribe']> = async (request) => {
  const open = await openUnsubscribe(request);
  const { slug, addressHash: id, orderId } = open;
  const wanted = wantedBy(request.body);
  if (wanted === 'off') {
    const at = request.now.toISOString();
    const held = await suppress({ slug, id, reason: 'unsubscribed', at, order_id: orderId });
    return show(open, held.reason === 'unsubscribed' ? 'stopped' : 'blocked');
  }
  const before = stateOf(await readSuppression(slug, id));
  if (wanted === undefined) return { ...(await show(open, before)), status: 422 };
  if (before !== 'off') return show(open, before);
  const waitMs = await countSubscription(open, request.now.getTime());
  if (waitMs > 0) return tooMany(await show(open, before), waitMs);
  await removeSuppression(slug, id, 'unsubscribed');
  return show(open, 'started');
};

function wantedBy(fields: FormFields): 'off' | 'on' | undefined {
  if (textOf(fields, 'List-Unsubscribe') === 'One-Click') return 'off';
  const wanted = textOf(fields, 'emails');
  return wanted === 'off' || wanted === 'on' ? wanted : undefined;
}

/** What a merchant or a mail server decided, a customer cannot take back here. */
function stateOf(suppression: Suppression | undefined): UnsubscribeState {
  if (!suppression) return 'on';
  return suppression.reason === 'unsubscribed' ? 'off' : 'blocked';
}

interface OpenUnsubscribe extends UnsubscribeToken {
  /** Undefined if the order is gone, or was erased. */
  orderId: string | undefined;
  storefront: Storefront;
  context: PageContext;
}

type Opening = Pick<Request<Operations['getUnsubscribePage']>, 'params' | 'query' | 'headers' | 'setLanguage' | 'now'>;

/** Who got a mail can end them, also if the shop has switched its pages off since. */
async function openUnsubscribe(request: Opening): Promise<OpenUnsubscribe> {
  const { params, now } = request;
  languageFor(request);
  const token = hasSender() ? await readUnsubscribeToken(params.token) : undefined;
  const [page, storefront] = token
    ? await Promise.all([findPage(token.pageToken), readStorefront(token.slug, now)])
    : [];
  if (!storefront) throw new ServiceError('page_not_found');
  const language = languageFor(request, storefront);
  const context = { language, texts: await loadPageTexts(language), now };
  return { ...token!, orderId: page?.orderId, storefront, context };
}

async function show(
  { storefront, context, orderId, pageToken }: OpenUnsubscribe,
  state: UnsubscribeState,
): Promise<RawResponse> {
  const texts = await loadUnsubscribeTexts(context.language);
  const shop = { ...brandOf(storefront), links: shopLinks(storefront) };
  return unsubscribeView(
    shop,
    { state, texts, pageToken: orderId !== undefined && storefront.settings.enabled ? pageToken : null },
    context,
  );
}

const tooMany = (response: RawResponse, waitMs: number): RawResponse => ({
  ...response,
  status: 429,
  headers: { ...response.headers, 'Retry-After': String(secondsOf(waitMs)) },
});

const window = { max: pageLimits.subscriptionsInAnHour, ms: 60 * 60_000 };

interface Tries {
  version: number;
  times: number[];
}

/** Returns how long to wait, 0 if there is room. */
function countSubscription({ slug, addressHash }: OpenUnsubscribe, now: number): Promise<number> {
  const key = keyOf.lookupTries(`${slug}#${addressHash}`);
  return retryOnConflict(async () => {
    const before = await getItem<Tries>(key);
    const counted = oneMore(before?.times ?? [], now, window);
    if ('waitMs' in counted) return counted.waitMs;
    const expires_at = Math.ceil((now + window.ms) / 1000);
    await commit([putVersion({ ...key, version: (before?.version ?? 0) + 1, times: counted.times, expires_at })]);
    return 0;
  });
}
