import { createHmac } from 'node:crypto';
import type { ShopItem } from '#platform/access/caller.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { addressFault } from '#platform/outgoing/address-guard.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, commit, isRefused, update } from '#platform/table/writes.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import { putAppCredentials } from './app-credentials.ts';
import { appName } from './app-name.ts';
import { putAppRegistrations } from './app-registrations.ts';
import type { AppRequest } from './app-signature.ts';
import { appUrl } from './hook-url.ts';
import {
  appSecretOf,
  encryptSecret,
  newSecret,
  type PendingSecret,
  type PreviousSecret,
  readSecret,
  type SecretItem,
} from './shop-secret.ts';

/**
 * The shop gets a new secret with each registration: one that has lost its own registers like a new one. Until it confirms,
 * everything stays as it was. If two register at once, only the last can confirm.
 */
export const registerApp: Implementation<typeof shopSystem.registerApp> = async (request) => {
  const { shop, query, signed, serviceUrl } = request;
  const { 'shop-id': shop_id, 'shop-url': shop_url } = query;
  const { app } = (signed.settings as AppRequest).secret;
  if (!app) throw unauthorized();
  const fault = await addressFault(shop_url);
  if (fault) throw invalidValue(['query', 'shop-url'], fault);
  const secret = newSecret();
  const pending: PendingSecret = { ciphertext: await encryptSecret(shop, secret), shop_id, shop_url };
  await commit([
    {
      ...update(keyOf.shopSystemSecret(shop.slug), {
        UpdateExpression: 'SET pending = :pending',
        ConditionExpression: 'app = :app',
        ExpressionAttributeValues: { ':pending': pending, ':app': app },
      }),
      refusal: 'invalid_merchant_or_key',
    },
  ]);
  const proof = createHmac('sha256', await appSecretOf(shop, app))
    .update(shop_id + shop_url + appName(shop.slug))
    .digest('hex');
  return { proof, secret, confirmation_url: appUrl(serviceUrl, shop.slug, 'confirmation') };
};

/** Secret, credentials and registrations change together or not at all. */
export const confirmApp: Implementation<typeof shopSystem.confirmApp> = async (request) => {
  const { shop, body, signed, serviceUrl, now } = request;
  const { secret, signedBy } = signed.settings as AppRequest;
  // All was stored when it came first, and only the answer was lost. Who sends it again later must not undo anything.
  if (signedBy === 'current') return null;
  const { pending } = secret;
  if (!pending) throw unauthorized();
  if (body.shopId !== pending.shop_id) throw invalidValue(['body', 'shopId'], otherThanRegistered);
  if (body.shopUrl !== pending.shop_url) throw invalidValue(['body', 'shopUrl'], otherThanRegistered);
  const credentials = { client_id: body.apiKey, client_secret: body.secretKey };
  const actions = [
    acceptPending(shop, secret, pending, now),
    await putAppCredentials(shop, credentials, pending.shop_url, now),
    ...(await putAppRegistrations(shop, serviceUrl, now)),
  ];
  try {
    await commit(actions);
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (!(await isAccepted(shop, pending))) throw unauthorized();
  }
  return null;
};

const otherThanRegistered = 'must be that of the registration';

/** Webhooks under way and those of a shop that waits for our answer still have the secret before. */
const previousMs = 60_000;

/** Fails if the pending secret was confirmed or replaced in the meantime. */
function acceptPending({ slug }: ShopItem, secret: SecretItem, pending: PendingSecret, now: Date): Action {
  const { ciphertext, shop_id, shop_url } = pending;
  const previous: PreviousSecret = {
    ciphertext: secret.ciphertext,
    until: new Date(now.getTime() + previousMs).toISOString(),
  };
  return update(keyOf.shopSystemSecret(slug), {
    UpdateExpression: 'SET ciphertext = :pending, previous = :previous, installation = :installation REMOVE pending',
    ConditionExpression: 'pending.ciphertext = :pending AND ciphertext = :current',
    ExpressionAttributeValues: {
      ':pending': ciphertext,
      ':current': secret.ciphertext,
      ':previous': previous,
      ':installation': { shop_id, shop_url },
    },
  });
}

/** The same confirmation came twice at once, and the other was faster. */
async function isAccepted({ slug }: ShopItem, pending: PendingSecret): Promise<boolean> {
  const stored = await readSecret(slug);
  return stored !== undefined && Buffer.compare(stored.ciphertext, pending.ciphertext) === 0;
}

const unauthorized = () =>
  new ServiceError('invalid_merchant_or_key', {
    message: 'The shop has no such registration of the app any more. Install the app again.',
  });
