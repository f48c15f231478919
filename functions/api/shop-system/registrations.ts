import { v7 as uuidv7 } from 'uuid';
import type { AdminApi } from '#domain/shop-systems/shopify/admin-api.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { logger } from '#platform/logging.ts';
import { pageOf } from '#platform/table/paging.ts';
import { isRefused } from '#platform/table/writes.ts';
import { type ShopWebhookType, topicOf } from '#schemas/catalogues/shop-webhooks.ts';
import type { Registration, shopSystem } from '#schemas/families/shop-system.ts';
import { adminApiOf } from './admin-access.ts';
import { insertRegistration, registrationOf, registrationsOf, removeRegistration } from './registration-store.ts';

export const createRegistration: Implementation<typeof shopSystem.createRegistration> = async (request) => {
  const { shop, body, serviceUrl, now } = request;
  const { slug } = shop;
  const { webhook_type: type } = body;
  if (await registrationOf(slug, type)) throw new ServiceError('registration_exists');
  const topic = topicOf('shop_system_1', type)!;
  const admin = await adminApiOf(shop);
  const { hook, isNew } = await admin.register(topic, hookUrl(serviceUrl, slug, type));
  const created_at = now.toISOString();
  const registration: Registration = {
    uuid: uuidv7({ msecs: now.getTime() }),
    shop_slug: slug,
    webhook_type: type,
    name: type,
    external_id: String(hook.id),
    shopify_id: hook.id,
    topic,
    hook_url: hook.address,
    fields: hook.fields,
    created_at,
    updated_at: created_at,
  };
  await store(registration, isNew, admin);
  return registration;
};

export const listRegistrations: Implementation<typeof shopSystem.listRegistrations> = async ({ shop, query }) =>
  pageOf((await registrationsOf(shop.slug)).sort(newestFirst), query);

export const getRegistration: Implementation<typeof shopSystem.getRegistration> = ({ shop, params }) =>
  requireWithUuid(shop.slug, params.uuid);

export const getRegistrationOfType: Implementation<typeof shopSystem.getRegistrationOfType> = ({ shop, params }) =>
  requireOfType(shop.slug, params.webhook_type);

export const deleteRegistration: Implementation<typeof shopSystem.deleteRegistration> = async ({ shop, params }) =>
  remove(shop, await requireWithUuid(shop.slug, params.uuid));

export const deleteRegistrationOfType: Implementation<typeof shopSystem.deleteRegistrationOfType> = async (request) =>
  remove(request.shop, await requireOfType(request.shop.slug, request.params.webhook_type));

/**
 * Stores the hook that the shop's system has created. If that fails, the hook is removed again, unless another request
 * has stored it: one address has one hook, so that request registered the same one.
 */
async function store(registration: Registration, isNew: boolean, admin: AdminApi): Promise<void> {
  try {
    await insertRegistration(registration);
  } catch (error) {
    const { shop_slug, webhook_type, uuid, shopify_id } = registration;
    const stored = await registrationOf(shop_slug, webhook_type).catch(() => undefined);
    if (stored?.uuid === uuid) return; // only the answer to our own write was lost
    if (isNew && stored?.shopify_id !== shopify_id) await removeHook(admin, shopify_id!);
    throw stored || isRefused(error) ? new ServiceError('registration_exists') : error;
  }
}

/** If this fails too, the next registration reuses the hook. */
async function removeHook(admin: AdminApi, id: number): Promise<void> {
  try {
    await admin.remove(id);
  } catch {
    logger.warn('a hook without a registration stays in the system of the shop');
  }
}

/**
 * Removes the hook from the shop's system first and our registration second, so that a failed request can be repeated.
 */
async function remove(shop: ShopItem, registration: Registration): Promise<null> {
  const admin = await adminApiOf(shop);
  await admin.remove(registration.shopify_id!);
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

/** The address to which the shop's system sends webhooks of a type. */
const hookUrl = (serviceUrl: string, slug: string, type: ShopWebhookType): string =>
  `${serviceUrl}/v1/shops/${encodeURIComponent(slug)}/shop-system/inbound/${type}`;

const newestFirst = (a: Registration, b: Registration) => (a.uuid < b.uuid ? 1 : -1);
