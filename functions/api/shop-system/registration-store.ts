import { keyOf, registrationPrefix, shopPartition } from '#platform/table/keys.ts';
import { allItemsIn, getItem } from '#platform/table/reads.ts';
import { commit, insert, remove } from '#platform/table/writes.ts';
import type { Registration } from '#schemas/families/shop-system.ts';

export async function registrationOf(slug: string, type: string): Promise<Registration | undefined> {
  const item = await getItem(keyOf.registration(slug, type));
  return item && toRegistration(item);
}

/** A shop has at most one registration for each type, so all of them are read at once. */
export async function registrationsOf(slug: string): Promise<Registration[]> {
  const items = await allItemsIn<Record<string, unknown>>(shopPartition(slug), { prefix: registrationPrefix });
  return items.map(toRegistration);
}

/** Throws WriteConflict if the type already has a registration. */
export function insertRegistration(registration: Registration): Promise<void> {
  const key = keyOf.registration(registration.shop_slug, registration.webhook_type);
  return commit([insert({ ...key, ...registration })]);
}

/** Throws WriteConflict if the registration no longer exists or another has replaced it. */
export function removeRegistration({ shop_slug, webhook_type, uuid }: Registration): Promise<void> {
  const key = keyOf.registration(shop_slug, webhook_type);
  return commit([remove(key, '#uuid = :uuid', { ':uuid': uuid }, { '#uuid': 'uuid' })]);
}

function toRegistration(item: Record<string, unknown>): Registration {
  const { pk: _pk, sk: _sk, ...registration } = item as Registration & { pk: string; sk: string };
  return registration;
}
