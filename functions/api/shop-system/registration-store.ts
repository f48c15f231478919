import { keyOf, registrationPrefix, shopPartition } from '#platform/table/keys.ts';
import { allItemsIn, getItem } from '#platform/table/reads.ts';
import { type Action, commit, insert, put, remove } from '#platform/table/writes.ts';
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

/**
 * Throws WriteConflict if the type already has a registration, or another than the one to replace.
 * @param replaced a registration of a system that the shop had before
 */
export function insertRegistration(registration: Registration, replaced?: Registration): Promise<void> {
  const key = keyOf.registration(registration.shop_slug, registration.webhook_type);
  const item = { ...key, ...registration };
  return commit([replaced ? put(item, ...isStill(replaced)) : insert(item)]);
}

/** Throws WriteConflict if the registration no longer exists or another has replaced it. */
export const removeRegistration = (registration: Registration): Promise<void> => commit([removalOf(registration)]);

export const removalOf = (registration: Registration): Action =>
  remove(keyOf.registration(registration.shop_slug, registration.webhook_type), ...isStill(registration));

const isStill = ({ uuid }: Registration) => ['#uuid = :uuid', { ':uuid': uuid }, { '#uuid': 'uuid' }] as const;

/** A registration from before there were other systems has no `external_id`. */
function toRegistration(item: Record<string, unknown>): Registration {
  const { pk: _pk, sk: _sk, ...registration } = item as Registration & { pk: string; sk: string };
  return { ...registration, external_id: registration.external_id ?? String(registration.shopify_id) };
}
