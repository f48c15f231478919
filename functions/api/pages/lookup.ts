import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { newOrderId, type ShopIdentity } from '#domain/orders/model.ts';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import type { Storefront } from '#domain/pages/storefront.ts';
import { readStorefront } from '#domain/pages/storefront-store.ts';
import { brandOf, shopLinks } from '#domain/tracking-page/facts.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { oneMore, secondsOf } from '#platform/access/sliding-window.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation, RawResponse, Request } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet, getItem } from '#platform/table/reads.ts';
import { commit, putVersion, retryOnConflict } from '#platform/table/writes.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import { slugPattern } from '#schemas/catalogues/slug.ts';
import type { pages } from '#schemas/families/pages.ts';
import { answerAt, isComplete, isCustomerOf, type LookupForm, numbersOf, readLookup } from './lookup-rules.ts';
import { languageFor } from './open-page.ts';
import { pagePath, redirectTo } from './redirect.ts';
import { type LookupFormState, lookupView } from './views/lookup-view.ts';
import type { PageContext } from './views/view.ts';

type Operations = typeof pages;

export const getLookup: Implementation<Operations['getLookup']> = async (request) =>
  show(await openLookup(request), 'empty');

/** How a try that found nothing waits. Tests pass their own. */
export interface Clock {
  now(): number;
  waitUntil(time: number): Promise<void>;
}

const realClock: Clock = {
  now: () => Date.now(),
  waitUntil: async (time) => {
    await pause(time - Date.now());
  },
};

/**
 * Leads to the page of the order. Whether the order does not exist or the e-mail address or postcode is another cannot
 * be told: the page, its headers, the reads and the time of the answer are the same.
 */
export function lookupWith(clock: Clock): Implementation<Operations['sendLookup']> {
  return async (request) => {
    const startedAt = request.now.getTime();
    const place = await openLookup(request);
    const form = readLookup(request.body);
    if (!isComplete(form)) return show(place, 'faulty', form);
    const waitMs = await countLookup(place.shop, request.clientAddress, startedAt);
    if (waitMs > 0) return tooMany(place, waitMs, form);
    const token = await findPageToken(place.shop.slug, form);
    if (token) return redirectTo(pagePath(`../t/${token}`, request.query));
    const notFound = show(place, 'not_found', form);
    await clock.waitUntil(answerAt(startedAt, clock.now()));
    return notFound;
  };
}

export const sendLookup = lookupWith(realClock);

interface OpenLookup {
  shop: ShopIdentity;
  storefront: Storefront;
  context: PageContext;
}

type Opening = Pick<Request<Operations['getLookup']>, 'params' | 'query' | 'headers' | 'setLanguage' | 'now'>;

const slugs = new RegExp(slugPattern);

async function openLookup(request: Opening): Promise<OpenLookup> {
  const { params, now } = request;
  languageFor(request);
  const storefront = slugs.test(params.slug) ? await readStorefront(params.slug, now) : undefined;
  if (!storefront?.settings.enabled) throw new ServiceError('page_not_found');
  const language = languageFor(request, storefront);
  const context = { language, texts: await loadPageTexts(language), now };
  return { shop: { slug: params.slug, uuid: storefront.shop.uuid }, storefront, context };
}

function show({ storefront, context }: OpenLookup, state: LookupFormState['state'], values: Partial<LookupForm> = {}) {
  return lookupView({ ...brandOf(storefront), links: shopLinks(storefront) }, { values, state }, context);
}

function tooMany(place: OpenLookup, waitMs: number, form: LookupForm): RawResponse {
  const response = show(place, 'too_many', form);
  return { ...response, headers: { ...response.headers, 'Retry-After': String(secondsOf(waitMs)) } };
}

const window = { max: pageLimits.lookups, ms: pageLimits.lookupMinutes * 60_000 };

/** Counts a try to find an order of the shop. Returns how long to wait, 0 if there is room for it. */
function countLookup(shop: ShopIdentity, address: string, now: number): Promise<number> {
  const key = keyOf.lookupTries(hashOf(shop, address));
  return retryOnConflict(async () => {
    const before = await getItem<Tries>(key);
    const counted = oneMore(before?.times ?? [], now, window);
    if ('waitMs' in counted) return counted.waitMs;
    const version = (before?.version ?? 0) + 1;
    const expires_at = Math.ceil((now + window.ms) / 1000);
    await commit([putVersion({ ...key, version, times: counted.times, expires_at })]);
    return 0;
  });
}

interface Tries {
  version: number;
  times: number[];
}

/** Keyed with the id of the shop, which no page shows: there are few enough addresses to try all of them. */
const hashOf = ({ slug, uuid }: ShopIdentity, address: string) =>
  createHmac('sha256', uuid).update(`${slug} ${address}`).digest('base64url');

/** The token of the order with this number, if it is this customer's. Every try reads two references and two orders. */
async function findPageToken(slug: string, form: LookupForm): Promise<string | undefined> {
  const references = await batchGet(numbersOf(form.order_number).map((number) => keyOf.orderNumber(slug, number)));
  const ids = references.map((reference) => (reference?.order_id as string | undefined) ?? newOrderId(new Date()));
  const items = (await batchGet(ids.map((id) => keyOf.order(slug, id)))) as unknown as (StoredItem | undefined)[];
  const orders = items.map((item) => item && toOrder(item));
  const own = orders.filter((order) => isCustomerOf(order, form.email_or_postcode));
  return own.find((order) => order?.page_token)?.page_token;
}
