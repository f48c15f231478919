import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { shopKey, superAdminKey } from '#platform/access/api-key.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { table } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { basic } from './invoke.ts';
import { memoryTable } from './memory-table.ts';

const send = table.send.bind(table) as (command: object) => Promise<never>;

/**
 * The client of the functions. It works on the table in memory, remembers what was sent, and takes on the faults that an
 * emulator never shows, such as conflicts, throttles and unread keys: `dynamo.on(PutCommand).rejectsOnce(…)`.
 */
export const dynamo = mockClient(DynamoDBDocumentClient);

/** Fills the table with these items only, and forgets earlier requests and faults. */
export function tableWith(...items: object[]): void {
  memoryTable.renew();
  memoryTable.put(...items);
  dynamo.reset();
  dynamo.send.callsFake(send);
}

type CommandClass<Input> = new (input: Input) => { input: Input };

/** Runs an action just before each request of the kind. The request throws what the action throws. */
export function beforeRequest<Input>(Command: CommandClass<Input>, act: (input: Input) => void): void {
  dynamo.on(Command as never).callsFake((input) => {
    act(input);
    return send(new Command(input));
  });
}

/** The same before the next request only. */
export function beforeNextRequest<Input>(Command: CommandClass<Input>, act: (input: Input) => void): void {
  let isNext = true;
  beforeRequest(Command, (input) => {
    if (!isNext) return;
    isNext = false;
    act(input);
  });
}

const now = new Date('2026-11-14T12:00:00Z');

export const operator = superAdminKey({ username: 'operator', secret: 'operator-secret-0001' }, now);
export const asOperator = basic('operator', operator.secret);

export const keyFor = (slug: string, role: 'viewer' | 'editor' | 'admin', expiration = 0) =>
  shopKey(slug, { role, expiration }, now);

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
