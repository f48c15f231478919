import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, registrationPrefix, shopPartition } from '#platform/table/keys.ts';
import { allItemsIn, batchGet } from '#platform/table/reads.ts';
import { write } from '#platform/table/writes.ts';
import type { Registration } from '#schemas/families/shop-system.ts';

export async function registrationOf(slug: string, type: string): Promise<Registration | undefined> {
  const [item] = await batchGet([keyOf.registration(slug, type)]);
  return item && toRegistration(item);
}

/** A shop has at most one registration for each type, so all of them are read at once. */
export async function registrationsOf(slug: string): Promise<Registration[]> {
  const items = await allItemsIn<Record<string, unknown>>(shopPartition(slug), { prefix: registrationPrefix });
  return items.map(toRegistration);
}

/** Throws WriteConflict if the type already has a registration. */
export function insertRegistration(registration: Registration): Promise<void> {
  const Item = { ...keyOf.registration(registration.shop_slug, registration.webhook_type), ...registration };
  return write(() =>
    table.send(new PutCommand({ TableName: tableName(), Item, ConditionExpression: 'attribute_not_exists(pk)' })),
  );
}

/** Throws WriteConflict if the registration no longer exists or another has replaced it. */
export function removeRegistration({ shop_slug, webhook_type, uuid }: Registration): Promise<void> {
  return write(() =>
    table.send(
      new DeleteCommand({
        TableName: tableName(),
        Key: keyOf.registration(shop_slug, webhook_type),
        ConditionExpression: '#uuid = :uuid',
        ExpressionAttributeNames: { '#uuid': 'uuid' },
        ExpressionAttributeValues: { ':uuid': uuid },
      }),
    ),
  );
}

function toRegistration(item: Record<string, unknown>): Registration {
  const { pk: _pk, sk: _sk, ...registration } = item as Registration & { pk: string; sk: string };
  return registration;
}
