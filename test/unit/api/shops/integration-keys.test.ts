import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/shops/handler.ts';
import { integrationTarget } from '#domain/deliveries/integration-targets.ts';
import type { IntegrationKeyItem } from '#domain/settings/integration-key.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { keyOf } from '#platform/table/keys.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

process.env.CREDENTIALS_KEY_ID = 'credentials';
const kms = mockClient(KMSClient);
const admin = keyFor('blue', 'admin');

beforeEach(() => {
  process.env.INTEGRATION_TARGETS = '';
  kms.reset();
  kms.on(EncryptCommand).callsFake(({ Plaintext }) => ({ CiphertextBlob: Buffer.from(Plaintext).reverse() }));
});

const settings = (rest_endpoint?: string) => ({
  ...keyOf.settings('blue'),
  trigger_settings: { integration_3: rest_endpoint === undefined ? {} : { rest_endpoint } },
});
const setKey = (integration: string) =>
  invoke(handler, {
    method: 'PUT',
    resource: '/v1/shops/{slug}/keys/{integration}',
    params: { slug: 'blue', integration },
    headers: basic('blue', admin.secret),
    body: { api_key: 'a-key-of-sixteen-characters' },
  });
const listKeys = async () => {
  const params = { slug: 'blue' };
  const headers = basic('blue', admin.secret);
  return (await invoke(handler, { method: 'GET', resource: '/v1/shops/{slug}/keys', params, headers })).body;
};
const stored = (integration: string) =>
  memoryTable.read(keyOf.integrationKey('blue', integration)) as unknown as IntegrationKeyItem;
const target = (address: string) =>
  integrationTarget('integration_3', {
    shop: {},
    settings: settings(address) as StoredSettings,
    key: stored('integration_3'),
  })?.url;

describe('a key is for the server', () => {
  test('of the address that the shop has when the key is set', async () => {
    tableWith(
      admin.item,
      shopItem('blue', { shop_admin_url: 'https://shop.example.com/admin' }),
      settings('https://a.org/x'),
    );
    for (const id of ['integration_1', 'integration_3', 'integration_7']) expect((await setKey(id)).status).toBe(200);
    expect(stored('integration_1').origin).toBeNull();
    expect(stored('integration_3').origin).toBe('https://a.org');
    expect(stored('integration_7').origin).toBe('https://shop.example.com');
  });

  test('of the shop system if the deployment has connected the integration to it', async () => {
    process.env.INTEGRATION_TARGETS = '{"integration_1":{"url":"https://a.myshopify.com","dialect":"shopify"}}';
    tableWith(admin.item, shopItem('blue', { shop_admin_url: 'https://blue.myshopify.com/admin' }));
    await setKey('integration_1');
    expect(stored('integration_1').origin).toBe('https://blue.myshopify.com');
    expect(await listKeys()).not.toHaveProperty('set_again');
    memoryTable.put(shopItem('blue', { shop_admin_url: 'https://thief.org/' }));
    expect((await listKeys()).set_again).toEqual(['integration_1']);
  });

  test('of no address if the shop has set none', async () => {
    tableWith(admin.item, shopItem('blue', { shop_admin_url: null }));
    for (const id of ['integration_3', 'integration_7']) await setKey(id);
    expect([stored('integration_3').origin, stored('integration_7').origin]).toEqual([null, null]);
    expect(target('https://a.org/')).toBeUndefined();
  });

  test('of the earlier address if the address changes while the key is stored', async () => {
    tableWith(admin.item, shopItem('blue'), settings('https://a.org/'));
    beforeNextRequest(PutCommand, () => memoryTable.put(settings('https://thief.org/')));
    await setKey('integration_3');
    expect(target('https://thief.org/')).toBeUndefined();
    expect(target('https://a.org/')).toBe('https://a.org/');
  });

  test('of the earlier shop system if that changes while the key is stored', async () => {
    tableWith(admin.item, shopItem('blue', { shop_admin_url: 'https://shop.example.com/admin' }));
    beforeNextRequest(PutCommand, () => memoryTable.put(shopItem('blue', { shop_admin_url: 'https://thief.org/' })));
    await setKey('integration_7');
    expect(stored('integration_7').origin).toBe('https://shop.example.com');
  });
});

describe('the list of keys', () => {
  test('names the keys that must be set again, until they are', async () => {
    tableWith(
      admin.item,
      shopItem('blue', { shop_admin_url: 'https://shop.example.com/' }),
      settings('https://a.org/'),
    );
    for (const id of ['integration_1', 'integration_3', 'integration_7']) await setKey(id);
    expect(await listKeys()).not.toHaveProperty('set_again');
    memoryTable.put(shopItem('blue', { shop_admin_url: 'https://other.example.com/' }));
    memoryTable.put(settings('https://b.org/'));
    expect(await listKeys()).toMatchObject({
      integration_3: '****ters',
      set_again: ['integration_3', 'integration_7'],
    });
    await setKey('integration_3');
    expect((await listKeys()).set_again).toEqual(['integration_7']);
    memoryTable.put(shopItem('blue', { shop_admin_url: 'https://SHOP.example.com:443/admin' }));
    expect(await listKeys()).not.toHaveProperty('set_again');
  });

  test('names no key whose address is the deployment’s', async () => {
    tableWith(admin.item, shopItem('blue'), settings('https://a.org/'));
    await setKey('integration_3');
    memoryTable.put(settings());
    expect(await listKeys()).not.toHaveProperty('set_again');
    process.env.INTEGRATION_TARGETS = '{"integration_3":{"url":"https://push.example.com/","scheme":"bearer"}}';
    const connection = { shop: {}, settings: {}, key: stored('integration_3') };
    expect(integrationTarget('integration_3', connection)?.url).toBe('https://push.example.com/');
  });

  test('names a key that was stored without its server, if it would go to an address of the shop', async () => {
    const { integration, masked } = { integration: 'integration_3', masked: { api_key: '****' } };
    tableWith(admin.item, shopItem('blue'), { ...keyOf.integrationKey('blue', integration), integration, masked });
    expect(await listKeys()).not.toHaveProperty('set_again');
    memoryTable.put(settings('https://a.org/'));
    expect((await listKeys()).set_again).toEqual(['integration_3']);
  });
});
