import { type ApiKeyItem, digest, isExpired, readBasicHeader, sameHash } from '#platform/access/api-key.ts';
import { type Caller, isAllowed, readAccess } from '#platform/access/caller.ts';
import { countWrongKey } from '#platform/access/wrong-key-store.ts';
import { KeyMemory } from '#platform/access/wrong-keys.ts';
import { slugPattern } from '#schemas/catalogues/slug.ts';
import { clientAddress } from './client-address.ts';
import { ApiError } from './errors.ts';
import { chooseLanguage } from './negotiation.ts';
import type { Middleware, RuntimeOperation } from './request.ts';

const slugs = new RegExp(slugPattern);

const memory = new KeyMemory();

/** Finds the caller, the caller's rights and the shop of the path, in one read. */
export function authentication({ role, path }: RuntimeOperation): Middleware | undefined {
  if (role === 'open' || role === 'signed') return undefined;
  const isAboutShop = path.includes('{slug}');
  return {
    before: async ({ event, context: { progress } }) => {
      const credentials = readBasicHeader(event.headers.authorization);
      if (!credentials) throw new ApiError('invalid_merchant_or_key', { status: 400 });

      const slug = isAboutShop ? (event.pathParameters?.slug ?? '') : undefined;
      const { tokenId, hash } = digest(credentials);
      const pair = JSON.stringify([credentials.username, clientAddress(event)]);
      const now = progress.startedAt;
      const waitMs = memory.waitMs(pair, hash, now);
      if (waitMs > 0) throw tooManyWrongKeys(waitMs);
      // A text that is not a slug names no shop, and may not fit into a table key.
      const validSlug = slug !== undefined && slugs.test(slug) ? slug : undefined;
      const { key, shop } = await readAccess(credentials.username, tokenId, validSlug);

      if (!isValid(key, hash, new Date(now))) throw await wrongKey(pair, hash, now);
      memory.wasRight(hash);
      progress.caller = toCaller(key!);
      if (!isAllowed(progress.caller, role, slug)) throw new ApiError('insufficient_rights');
      if (!isAboutShop) return;
      if (!shop) throw new ApiError('shop_not_found');
      progress.shop = shop;
      progress.language = chooseLanguage(event.headers['accept-language'], shop.language);
    },
  };
}

/** Compares even if there is no key, so the response time does not tell whether it exists. */
function isValid(key: ApiKeyItem | undefined, hash: string, now: Date): boolean {
  const matches = sameHash(key?.hash ?? '0'.repeat(hash.length), hash);
  return matches && key !== undefined && !isExpired(key, now);
}

/** An unknown username is counted like a known one, so that the answer does not tell which usernames exist. */
async function wrongKey(pair: string, hash: string, now: number): Promise<ApiError> {
  const waitMs = await countWrongKey(pair, now);
  memory.wasWrong(pair, hash, now, waitMs);
  return waitMs > 0 ? tooManyWrongKeys(waitMs) : new ApiError('invalid_merchant_or_key', { status: 401 });
}

const tooManyWrongKeys = (waitMs: number) =>
  new ApiError('rate_limited', {
    message:
      'Too many requests with this username and a wrong key came from your address. Wait for the number of seconds in the header Retry-After, then try again with the right key.',
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  });

const toCaller = ({ username, token_id, superadmin, shops }: ApiKeyItem): Caller => ({
  username,
  tokenId: token_id,
  superAdmin: superadmin,
  shops,
});
