import type { ShopItem } from '#platform/access/caller.ts';
import { isSignedWith } from './hmac.ts';
import { appSecretOf, type SecretItem, secretOf, secretsOf } from './shop-secret.ts';

/** A request of a shop that installs or has installed the app, before its body is parsed. */
export interface ReceivedAppRequest {
  operationId: string;
  /** With names in lower case. */
  headers: Record<string, string | undefined>;
  /** Decoded, as the gateway gives it. */
  query: Record<string, string | undefined>;
  rawBody: Uint8Array;
}

/** What the operation needs of the check: the secrets as they were read, and which of them has signed. */
export interface AppRequest {
  secret: SecretItem;
  signedBy: 'app' | 'pending' | 'current' | 'previous';
}

/** Undefined if the request is not signed as it must be. */
export async function checkAppRequest(
  request: ReceivedAppRequest,
  shop: ShopItem,
  secret: SecretItem | undefined,
  now = new Date(),
): Promise<AppRequest | undefined> {
  if (!secret) return undefined;
  const signedBy = await checks[request.operationId]?.(request, shop, secret, now);
  return signedBy && { secret, signedBy };
}

type Check = (
  request: ReceivedAppRequest,
  shop: ShopItem,
  secret: SecretItem,
  now: Date,
) => Promise<AppRequest['signedBy'] | undefined>;

const checks: Record<string, Check> = {
  registerApp: async ({ headers, query }, shop, secret, now) => {
    const signature = headers['shopware-app-signature'];
    if (!isOfSystem(shop) || !secret.app || !signature || !isOfThisMoment(query.timestamp, now)) return undefined;
    const appSecret = await appSecretOf(shop, secret.app);
    const forms = formsOf(query);
    if (!forms.some((form) => isSignedInHex(appSecret, form, signature))) return undefined;
    // A shop that knows the current secret proves it. Shops of 6.6 and before do not, nor one that has lost it.
    const ofShop = headers['shopware-shop-signature'];
    if (ofShop === undefined) return 'app';
    const current = await secretOf(shop, secret);
    return forms.some((form) => isSignedInHex(current, form, ofShop)) ? 'app' : undefined;
  },

  confirmApp: async ({ headers, rawBody }, shop, secret) => {
    const signature = headers['shopware-shop-signature'];
    if (!isOfSystem(shop) || !signature) return undefined;
    const isBy = async (one: { ciphertext: Uint8Array }, by = signature) =>
      isSignedInHex(await secretOf(shop, one), rawBody, by);
    if (secret.pending && (await isBy(secret.pending))) {
      const ofPrevious = headers['shopware-shop-signature-previous'];
      return ofPrevious === undefined || (await isBy(secret, ofPrevious)) ? 'pending' : undefined;
    }
    // It comes again if its answer was lost.
    return secret.installation && (await isBy(secret)) ? 'current' : undefined;
  },

  // Also if the shop has another system by now: what the app has left must go.
  receiveAppEvent: async ({ headers, rawBody }, shop, secret, now) => {
    const signature = headers['shopware-shop-signature'];
    if (!signature) return undefined;
    const secrets = await secretsOf(shop, secret, now);
    const signer = secrets.findIndex((one) => isSignedInHex(one, rawBody, signature));
    return (['current', 'previous'] as const)[signer];
  },
};

const isOfSystem = ({ shop_provider }: ShopItem): boolean => shop_provider === 'shop_system_2';

const maxClockDifferenceSeconds = 15 * 60;

/** A recorded request would give its secret to whoever sends it again. */
const isOfThisMoment = (timestamp: string | undefined, now: Date): boolean =>
  /^\d{1,12}$/.test(timestamp ?? '') && Math.abs(now.getTime() / 1000 - Number(timestamp)) <= maxClockDifferenceSeconds;

/** In the order in which the shop sends and signs them. */
const signedNames = ['shop-id', 'shop-url', 'timestamp'] as const;

/**
 * The query as it may have been sent. The shop signs it as it is on the wire, and the gateway decodes it: shops write
 * `shop-url=https://…` or `shop-url=https%3A%2F%2F…`. Source: PrivateHandshake in shopware/shopware, and `withQueryValues` of
 * guzzle/psr7, which it uses.
 */
function formsOf(query: Record<string, string | undefined>): string[] {
  const others = Object.keys(query).filter((name) => !signedNames.some((signed) => signed === name));
  const entries = [...signedNames, ...others].map((name) => [name, query[name] ?? ''] as const);
  if (!entries.every(([name, value]) => name.isWellFormed() && value.isWellFormed())) return [];
  // Sent as it is, the name of another parameter in a value would be one.
  const isPlain = entries.every(([, value]) => !/[&#]/.test(value));
  const encodings = [...(isPlain ? [(value: string) => value] : []), encodeSeparators, encodeURIComponent];
  return encodings.map((encode) => entries.map(([name, value]) => `${name}=${encode(value)}`).join('&'));
}

/** Leaves what may stand in a query. */
const encodeSeparators = (value: string): string =>
  encodeURI(value).replace(/[&=#]/g, (character) => encodeURIComponent(character));

const isSignedInHex = (secret: string, content: string | Uint8Array, signature: string): boolean =>
  isSignedWith(secret, content, signature, 'hex');
