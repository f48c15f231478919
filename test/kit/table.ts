import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { shopKey, superAdminKey } from '#platform/access/api-key.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { Key } from '#platform/table/reads.ts';
import { basic } from './invoke.ts';

process.env.TABLE_NAME = 'table';

/** DynamoDB, mocked: for what the emulators cannot show, such as conflicts, throttles and unread keys. */
export const dynamo = mockClient(DynamoDBDocumentClient);

const now = new Date('2026-11-14T12:00:00Z');

export const operator = superAdminKey({ username: 'operator', secret: 'operator-secret-0001' }, now);
export const asOperator = basic('operator', operator.secret);

export const keyFor = (slug: string, role: 'viewer' | 'editor' | 'admin', expiration = 0) =>
  shopKey(slug, role, expiration, now);

export function shopItem(slug: string, fields: Partial<ShopItem> = {}) {
  return {
    ...keyOf.shop(slug),
    uuid: '01930000-0000-7000-8000-000000000000',
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    name: slug,
    slug,
    description: null,
    organization: null,
    language: 'en',
    contact_phone: null,
    industry: null,
    shop_provider: null,
    shop_faq_url: null,
    shop_service_url: null,
    shop_currency: 'EUR',
    ...fields,
  };
}

/** What one consistent read of the access items finds. */
export function stored(...items: object[]): void {
  storedFor(() => items);
}

/** The same where the table changes between two reads: `itemsFor` is asked at each. */
export function storedFor(itemsFor: (wanted: readonly Key[]) => readonly object[]): void {
  dynamo.on(BatchGetCommand).callsFake(({ RequestItems }) => {
    const wanted = RequestItems.table.Keys as Key[];
    const found = (itemsFor(wanted) as Key[]).filter((item) =>
      wanted.some(({ pk, sk }) => item.pk === pk && item.sk === sk),
    );
    return { Responses: { table: found } };
  });
}
