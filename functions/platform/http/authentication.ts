import { countWrongKey } from '#platform/access/access-buckets.ts';
import { type ApiKeyItem, digest, isExpired, keyLabel, readBasicHeader, sameHash } from '#platform/access/api-key.ts';
import { type Access, type Caller, isAllowed, rateSubjectOf, readAccess } from '#platform/access/caller.ts';
import { noteKeyUse } from '#platform/access/key-use.ts';
import { hasEnded, hashOf, readToken } from '#platform/access/session.ts';
import { KeyMemory } from '#platform/access/wrong-keys.ts';
import { ServiceError } from '#platform/errors.ts';
import { serviceUrl } from '#platform/service-url.ts';
import { slugPattern } from '#schemas/catalogues/slug.ts';
import { clientAddress } from './client-address.ts';
import { addressOf } from './distribution.ts';
import { HttpError } from './errors.ts';
import { chooseLanguage } from './negotiation.ts';
import { limitRate, timeIsCounted } from './rate-limit.ts';
import type { GatewayEvent, Middleware, PathContext, RuntimeOperation } from './request.ts';
import { mayBeForged } from './same-site.ts';
import { readSessionCookie } from './session-cookie.ts';

const slugs = new RegExp(slugPattern);

const memory = new KeyMemory();

/** Finds the caller, the caller's rights and the shop of the path, in one read. */
export function authentication({ role, path }: RuntimeOperation): Middleware | undefined {
  if (role === 'open' || role === 'signed') return undefined;
  const isAboutShop = path.includes('{slug}');
  return {
    before: async ({ event, context: { progress } }) => {
      const slug = isAboutShop ? (event.pathParameters?.slug ?? '') : undefined;
      // A text that is not a slug names no shop, and may not fit into a table key.
      const validSlug = slug !== undefined && slugs.test(slug) ? slug : undefined;
      const cookie = role === 'key' ? undefined : cookieOf(event);
      const { caller, shop } =
        cookie === undefined && role !== 'session'
          ? await callerByKey(event, validSlug, progress.startedAt)
          : await callerBySession(event, cookie ?? '', validSlug, progress.startedAt);

      progress.caller = caller;
      progress.keyUse = noteKeyUse(caller, new Date(progress.startedAt));
      // Before the rights, because a request that lacks them takes time, too.
      await limitRate(rateSubjectOf(caller), progress);
      if (!isAllowed(caller, role, slug)) throw new ServiceError('insufficient_rights');
      if (!isAboutShop) return;
      if (!shop) throw new ServiceError('shop_not_found');
      progress.shop = shop;
      progress.language = chooseLanguage(event.headers['accept-language'], shop.language);
    },
    after: ended,
    onError: ended,
  };
}

async function ended(request: { context: PathContext }): Promise<void> {
  await request.context.progress.keyUse;
  timeIsCounted.after(request);
}

/** Undefined if the request names an API key, which then counts alone. */
const cookieOf = (event: GatewayEvent): string | undefined =>
  event.headers.authorization === undefined
    ? readSessionCookie(event.headers.cookie, serviceUrl(addressOf(event)))
    : undefined;

type Found = Pick<Access, 'shop'> & { caller: Caller };

async function callerByKey(event: GatewayEvent, slug: string | undefined, now: number): Promise<Found> {
  const credentials = readBasicHeader(event.headers.authorization);
  if (!credentials) throw new HttpError('invalid_merchant_or_key', { status: 400 });
  const { username } = credentials;
  const { tokenId, hash } = digest(credentials);
  const pair = JSON.stringify([username, clientAddress(event)]);
  const waitMs = memory.waitMs(pair, hash, now);
  if (waitMs > 0) throw tooManyWrongKeys(waitMs);
  const { key, shop } = await readAccess({ username, tokenId, slug });
  if (!isValid(key, hash, new Date(now))) throw await wrongKey(pair, hash, now);
  memory.wasRight(hash);
  return { caller: toCaller(key!), shop };
}

/** Whatever is wrong with the session or its key, the answer is the same, so that it tells nothing about keys. */
async function callerBySession(
  event: GatewayEvent,
  cookie: string,
  slug: string | undefined,
  now: number,
): Promise<Found> {
  const token = readToken(cookie);
  if (!token) throw new ServiceError('session_required');
  const { username, tokenId } = token;
  const hash = hashOf(token);
  const { key, shop, session } = await readAccess({ username, tokenId, slug, session: hash });
  const time = new Date(now);
  if (!key || !session || hasEnded(session, time) || isExpired(key, time)) throw new ServiceError('session_required');
  if (mayBeForged(event, [session.origin, originOf(event)])) throw fromAnotherSite();
  return { caller: { ...toCaller(key), session: { ...session, hash } }, shop };
}

/** The origin of a page at the host that the request was sent to. */
function originOf(event: GatewayEvent): string {
  const address = addressOf(event);
  const { protocol, host } = new URL(serviceUrl(address));
  return `${protocol}//${address.domainName ?? host}`;
}

const fromAnotherSite = () =>
  new ServiceError('insufficient_rights', {
    message: 'A request with the cookie of a session must come from a page of this service. Send an API key instead.',
  });

/** Compares even if there is no key, so the response time does not tell whether it exists. */
function isValid(key: ApiKeyItem | undefined, hash: string, now: Date): boolean {
  const matches = sameHash(key?.hash ?? '0'.repeat(hash.length), hash);
  return matches && key !== undefined && !isExpired(key, now);
}

/** An unknown username is counted like a known one, so that the answer does not tell which usernames exist. */
async function wrongKey(pair: string, hash: string, now: number): Promise<ServiceError> {
  const waitMs = await countWrongKey(pair, now);
  memory.wasWrong(pair, hash, now, waitMs);
  return waitMs > 0 ? tooManyWrongKeys(waitMs) : new ServiceError('invalid_merchant_or_key');
}

const tooManyWrongKeys = (waitMs: number) =>
  new HttpError('rate_limited', {
    message:
      'Too many requests with this username and a wrong key came from your address. Wait for the number of seconds in the header Retry-After, then try again with the right key.',
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  });

function toCaller(key: ApiKeyItem): Caller {
  const { username, token_id, superadmin, shops, expiration } = key;
  return { username, tokenId: token_id, keyLabel: keyLabel(key), superAdmin: superadmin, shops, expiration };
}
