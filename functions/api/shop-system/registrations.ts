import { v7 as uuidv7 } from 'uuid';
import type { AdminApi } from '#domain/shop-systems/admin-api.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { logger } from '#platform/logging.ts';
import { pageOf } from '#platform/table/paging.ts';
import { isRefused } from '#platform/table/writes.ts';
import { type ShopSystem, type ShopWebhookType, topicOf } from '#schemas/catalogues/shop-webhooks.ts';
import type { Registration, shopSystem } from '#schemas/families/shop-system.ts';
import { type AdministeredSystem, adminApiOf } from './admin-access.ts';
import { hookUrl } from './hook-url.ts';
import { insertRegistration, registrationOf, registrationsOf, removeRegistration } from './registration-store.ts';
import { systemOfRegistration, systemOfShop } from './registration-system.ts';

export const createRegistration: Implementation<typeof shopSystem.createRegistration> = async (request) => {
  const { shop, body, serviceUrl, now } = request;
  const { slug } = shop;
  const { webhook_type: type } = body;
  const system = administered(systemOfShop(shop), ['body', 'webhook_type']);
  const topic = requireTopic(system, type);
  const known = await registrationOf(slug, type);
  if (known && systemOfRegistration(known) === system) throw new ServiceError('registration_exists');
  const admin = await adminApiOf(shop, system, now);
  const { hook, isNew } = await admin.register(topic, hookUrl(serviceUrl, slug, type));
  const created_at = now.toISOString();
  const registration: Registration = {
    uuid: uuidv7({ msecs: now.getTime() }),
    shop_slug: slug,
    webhook_type: type,
    name: type,
    external_id: String(hook.id),
    shopify_id: system === 'shop_system_1' ? hook.id : null,
    topic,
    hook_url: hook.address,
    fields: hook.fields,
    created_at,
    updated_at: created_at,
  };
  await store(registration, known, isNew, admin);
  return registration;
};

/** @param loc the part of the request that is refused for another system */
function administered(system: ShopSystem, loc: string[]): AdministeredSystem {
  if (system !== 'shop_system_2') return system;
  throw invalidValue(loc, 'must be of another shop system: the webhooks of shop_system_2 come and go with its app');
}

function requireTopic(system: AdministeredSystem, type: ShopWebhookType): string {
  const topic = topicOf(system, type);
  if (topic === undefined) {
    throw invalidValue(['body', 'webhook_type'], `must be order-update, by which ${system} also reports this`);
  }
  return topic;
}

export const listRegistrations: Implementation<typeof shopSystem.listRegistrations> = async ({ shop, query }) =>
  pageOf((await registrationsOf(shop.slug)).sort(newestFirst), query);

export const getRegistration: Implementation<typeof shopSystem.getRegistration> = ({ shop, params }) =>
  requireWithUuid(shop.slug, params.uuid);

export const getRegistrationOfType: Implementation<typeof shopSystem.getRegistrationOfType> = ({ shop, params }) =>
  requireOfType(shop.slug, params.webhook_type);

export const deleteRegistration: Implementation<typeof shopSystem.deleteRegistration> = async (request) =>
  remove(request, 'uuid', await requireWithUuid(request.shop.slug, request.params.uuid));

export const deleteRegistrationOfType: Implementation<typeof shopSystem.deleteRegistrationOfType> = async (request) =>
  remove(request, 'webhook_type', await requireOfType(request.shop.slug, request.params.webhook_type));

/**
 * Stores the hook that the shop's system has created. If that fails, the hook is removed again, unless another request
 * has stored it: one address has one hook, so that request registered the same one.
 */
async function store(
  registration: Registration,
  replaced: Registration | undefined,
  isNew: boolean,
  admin: AdminApi,
): Promise<void> {
  try {
    await insertRegistration(registration, replaced);
  } catch (error) {
    const { shop_slug, webhook_type, uuid, external_id } = registration;
    const stored = await registrationOf(shop_slug, webhook_type).catch(() => undefined);
    if (stored?.uuid === uuid) return; // only the answer to our own write was lost
    const another = stored?.uuid === replaced?.uuid ? undefined : stored;
    if (isNew && another?.external_id !== external_id) await removeHook(admin, external_id);
    throw another || isRefused(error) ? new ServiceError('registration_exists') : error;
  }
}

/** If this fails too, the next registration reuses the hook. */
async function removeHook(admin: AdminApi, id: string): Promise<void> {
  try {
    await admin.remove(id);
  } catch {
    logger.warn('a hook without a registration stays in the system of the shop');
  }
}

/**
 * Removes the hook from the shop's system first and our registration second, so that a failed request can be repeated. A
 * system that the shop had before is no longer called: its address and its key may be those of the present one, and what
 * its hook sends is refused.
 */
async function remove(
  { shop, now }: { shop: ShopItem; now: Date },
  parameter: string,
  registration: Registration,
): Promise<null> {
  const system = systemOfRegistration(registration);
  if (system === systemOfShop(shop)) {
    const admin = await adminApiOf(shop, administered(system, ['path', parameter]), now);
    await admin.remove(registration.external_id);
  }
  await removeRegistration(registration).catch((error) => {
    if (!isRefused(error)) throw error;
  });
  return null;
}

async function requireOfType(slug: string, type: ShopWebhookType): Promise<Registration> {
  return requireFound(await registrationOf(slug, type));
}

async function requireWithUuid(slug: string, uuid: string): Promise<Registration> {
  const registrations = await registrationsOf(slug);
  return requireFound(registrations.find((registration) => registration.uuid === uuid.toLowerCase()));
}

function requireFound(registration: Registration | undefined): Registration {
  if (!registration) throw new ServiceError('registration_not_found');
  return registration;
}

const newestFirst = (a: Registration, b: Registration) => (a.uuid < b.uuid ? 1 : -1);
