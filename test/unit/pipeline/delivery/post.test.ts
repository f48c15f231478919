import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { automationTarget } from '#domain/automations/model.ts';
import { type Endpoint, endpointItem } from '#domain/endpoints/endpoint.ts';
import type { VendorDestination } from '#pipeline/delivery/post.ts';
import {
  destinationOf as anyDestinationOf,
  credentialHeader,
  type DestinationOf,
  type PostDestination,
  signatureHeaders,
} from '#pipeline/delivery/post.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { CredentialScheme } from '#schemas/catalogues/integration-targets.ts';
import { anAutomation, automationUuid, storedAutomation } from '#test/kit/automations.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';

const kms = mockClient(KMSClient);

const destinationOf = async (place: Parameters<DestinationOf>[0]) =>
  (await anyDestinationOf(place)) as PostDestination | undefined;

beforeEach(() => {
  kms.reset();
  // The fake ciphertext is the context followed by the plaintext.
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob, EncryptionContext }) => {
    const [context, plaintext] = JSON.parse(Buffer.from(CiphertextBlob).toString());
    expect(EncryptionContext).toEqual(context);
    return { Plaintext: Buffer.from(plaintext) };
  });
});
afterEach(() => {
  delete process.env.INTEGRATION_TARGETS;
});

const sealed = (context: object, plaintext: string) => Buffer.from(JSON.stringify([context, plaintext]));
const now = new Date('2026-11-14T12:00:00Z');
const body = Buffer.from('{}');

const secret = (plaintext: string, expires_at: string | null) => ({
  ciphertext: sealed({ shop: 'blue', webhook: 'e1' }, plaintext),
  created_at: now.toISOString(),
  expires_at,
});

const endpoint = (more: Partial<Endpoint> = {}) =>
  endpointItem({
    uuid: 'e1',
    shop_slug: 'blue',
    url: 'https://shop.example.com/hook',
    enabled_events: ['*'],
    description: null,
    status: 'active',
    secrets: [secret('new-secret-0000001', null)],
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    ...more,
  });

const webhook = { shop_slug: 'blue', target: 'e1', kind: 'webhook' } as const;
const integration = { shop_slug: 'blue', target: 'integration_1', kind: 'integration' } as const;

const signaturesAt = async (time: Date) => {
  const destination = await destinationOf(webhook);
  return (await destination!.headersFor('d1', body, time))['service-signature']!.split(',').length - 1;
};

test('an endpoint gets signed deliveries at its url', async () => {
  tableWith(endpoint());
  expect((await destinationOf(webhook))!.url).toBe('https://shop.example.com/hook');
  expect(await signaturesAt(now)).toBe(1);
});

test('both secrets sign during the grace period of a rotation, and only the new one afterwards', async () => {
  const grace = secret('old-secret-0000001', '2026-11-14T13:00:00.000Z');
  tableWith(endpoint({ secrets: [secret('new-secret-0000001', null), grace] }));
  expect(await signaturesAt(now)).toBe(2);
  expect(await signaturesAt(new Date('2026-11-14T13:00:01Z'))).toBe(1);
});

describe('a webhook of an automation', () => {
  const url = 'https://shop.example.com/automated';
  const place = { shop_slug: 'blue', target: automationTarget(automationUuid, url), kind: 'automation' } as const;
  const ciphertext = sealed({ shop: 'blue', automation: automationUuid }, 'own-secret-0000001');
  const automation = anAutomation({
    actions: [
      { type: 'webhook', params: { url: 'https://other.example.com' } },
      { type: 'webhook', params: { url } },
    ],
    secrets: [{ ciphertext, created_at: now.toISOString(), expires_at: null }],
  });

  test('gets deliveries signed with the secret of the automation', async () => {
    tableWith(storedAutomation(automation));
    const destination = (await destinationOf(place))!;
    expect(destination.url).toBe(url);
    const headers = await destination.headersFor('d1', body, now);
    expect(headers).toEqual(signatureHeaders({ id: 'd1', body, secrets: ['own-secret-0000001'], now }));
  });

  test('gets no deliveries when the automation is inactive, has another address or is deleted', async () => {
    for (const status of ['inactive', 'testing'] as const) {
      tableWith(storedAutomation({ ...automation, status }));
      expect(await destinationOf(place)).toBeUndefined();
    }
    tableWith(storedAutomation({ ...automation, actions: automation.actions.slice(0, 1) }));
    expect(await destinationOf(place)).toBeUndefined();
    tableWith();
    expect(await destinationOf(place)).toBeUndefined();
  });
});

test('an inactive or deleted endpoint gets no deliveries', async () => {
  tableWith(endpoint({ status: 'inactive' }));
  expect(await destinationOf(webhook)).toBeUndefined();
  tableWith();
  expect(await destinationOf(webhook)).toBeUndefined();
});

const key = (slug: string) => ({
  ...keyOf.integrationKey(slug, 'integration_1'),
  ciphertext: sealed({ shop: shopItem(slug).uuid, integration: 'integration_1' }, '{"api_key":"their-key"}'),
});

test('an integration gets its credential in its own scheme', async () => {
  process.env.INTEGRATION_TARGETS = '{"integration_1":{"url":"https://mail.example.com/","scheme":"bearer"}}';
  tableWith(shopItem('blue'), key('blue'));
  const destination = await destinationOf(integration);
  expect(destination!.url).toBe('https://mail.example.com/');
  expect(await destination!.headersFor('d1', body, now)).toEqual({
    authorization: 'Bearer their-key',
    'webhook-id': 'd1',
    'webhook-timestamp': '1794657600',
  });
  expect(destination!.secrets).toContain('their-key');
});

test.each([
  ['bearer', 'authorization', 'Bearer '],
  ['header:X-Key', 'x-key', ''],
])('a credential beyond ASCII is sent as UTF-8 in the scheme %s', (scheme, header, before) => {
  const headers = credentialHeader(scheme as CredentialScheme, { api_key: 'zażółć-gęślą-jaźń' });
  expect(Buffer.from(headers[header]!, 'latin1').toString()).toBe(`${before}zażółć-gęślą-jaźń`);
  // A header may hold these characters only.
  expect(headers[header]).toMatch(/^[\t -~\x80-\xff]*$/);
});

test('the credential of an integration is decrypted once for many invocations', async () => {
  process.env.INTEGRATION_TARGETS = '{"integration_1":{"url":"https://mail.example.com/","scheme":"bearer"}}';
  const context = { shop: shopItem('blue').uuid, integration: 'integration_1' };
  tableWith(shopItem('blue'), { ...key('blue'), ciphertext: sealed(context, '{"api_key":"another-key"}') });
  for (let i = 0; i < 3; i++) await destinationOf(integration);
  expect(kms.commandCalls(DecryptCommand)).toHaveLength(1);
});

test('an integration without an address or a key gets no deliveries', async () => {
  tableWith(shopItem('blue'), key('blue'));
  expect(await destinationOf(integration)).toBeUndefined();
  process.env.INTEGRATION_TARGETS = '{"integration_1":{"url":"https://mail.example.com/","scheme":"bearer"}}';
  tableWith(shopItem('blue'));
  expect(await destinationOf(integration)).toBeUndefined();
});

describe('an integration with settings of the shop', () => {
  const keyOfIntegration = (id: string, origin: string | null = null) => ({
    ...keyOf.integrationKey('blue', id),
    origin,
    ciphertext: sealed({ shop: shopItem('blue').uuid, integration: id }, '{"api_key":"their-key"}'),
  });
  const settings = (trigger_settings: object) => ({ ...keyOf.settings('blue'), trigger_settings });
  const destination = (target: string) => destinationOf({ shop_slug: 'blue', target });

  test('gets its events at the address of the shop', async () => {
    const given = settings({ integration_3: { rest_endpoint: 'https://push.example.com/in' } });
    tableWith(shopItem('blue'), keyOfIntegration('integration_3', 'https://push.example.com'), given);
    expect((await destination('integration_3'))!.url).toBe('https://push.example.com/in');
    process.env.INTEGRATION_TARGETS = '{"integration_3":{"url":"https://other.example.com/","scheme":"header:x-key"}}';
    const configured = await destination('integration_3');
    expect(configured!.url).toBe('https://push.example.com/in');
    expect(await configured!.headersFor('d1', body, now)).toMatchObject({ 'x-key': 'their-key' });
    tableWith(shopItem('blue'), keyOfIntegration('integration_3'));
    expect((await destination('integration_3'))!.url).toBe('https://other.example.com/');
  });

  test.each([
    ['of no address', null],
    ['of another host', 'https://other.example.com'],
    ['of another port', 'https://push.example.com:8443'],
    ['of another scheme', 'http://push.example.com'],
  ])('gets no events at the address of the shop if its key was given for the server %s', async (_, origin) => {
    process.env.INTEGRATION_TARGETS = '{"integration_3":{"url":"https://other.example.com/","scheme":"bearer"}}';
    const given = settings({ integration_3: { rest_endpoint: 'https://push.example.com/in' } });
    tableWith(shopItem('blue'), keyOfIntegration('integration_3', origin), given);
    kms.resetHistory();
    expect(await destination('integration_3')).toBeUndefined();
    expect(kms.calls()).toHaveLength(0);
  });

  test.each([
    ['another path', 'https://push.example.com/out?x=1#y'],
    ['no slash at the end', 'https://push.example.com'],
    ['the usual port', 'https://push.example.com:443/in'],
    ['capital letters', 'HTTPS://Push.Example.COM/in'],
  ])('needs no new key for an address of the same server with %s', async (_, rest_endpoint) => {
    tableWith(
      shopItem('blue'),
      keyOfIntegration('integration_3', 'https://push.example.com'),
      settings({ integration_3: { rest_endpoint } }),
    );
    expect((await destination('integration_3'))!.url).toBe(rest_endpoint);
  });

  test.each([
    ['integration_2', { use_proxy: true }, { 'x-integration-use-proxy': 'true' }],
    ['integration_4', { portal_id: '12345' }, { 'x-integration-portal-id': '12345' }],
    ['integration_6', { instance_id: 'inbox-1' }, { 'x-integration-instance-id': 'inbox-1' }],
  ])('as %s gets a header for %j', async (id, own, headers) => {
    process.env.INTEGRATION_TARGETS = JSON.stringify({ [id]: { url: 'https://a.example.com/', scheme: 'bearer' } });
    tableWith(
      shopItem('blue'),
      keyOfIntegration(id),
      settings({ [id]: { status: true, segments_enabled: true, ...own } }),
    );
    expect(await (await destination(id))!.headersFor('d1', body, now)).toEqual({
      authorization: 'Bearer their-key',
      'webhook-id': 'd1',
      'webhook-timestamp': '1794657600',
      ...headers,
    });
  });
});

describe('an integration of a vendor', () => {
  const stored = (id: string, credential: object, origin: string | null = null) => ({
    ...keyOf.integrationKey('blue', id),
    origin,
    ciphertext: sealed({ shop: shopItem('blue').uuid, integration: id }, JSON.stringify(credential)),
  });
  const accountOf = async (target: string) =>
    ((await anyDestinationOf({ shop_slug: 'blue', target })) as VendorDestination | undefined)?.account;
  const configure = (id: string, target: object) => {
    process.env.INTEGRATION_TARGETS = JSON.stringify({ [id]: target });
  };

  test('has an account with the credential and the settings of the shop', async () => {
    configure('integration_4', { url: 'https://api.hubapi.com', dialect: 'hubspot', events: { '*': 'parcel' } });
    const own = { integration_4: { portal_id: '12345', status: true } };
    tableWith(shopItem('blue'), stored('integration_4', { api_key: 'k' }), {
      ...keyOf.settings('blue'),
      trigger_settings: own,
    });
    expect(await accountOf('integration_4')).toEqual({
      target: { url: 'https://api.hubapi.com', dialect: 'hubspot', events: { '*': 'parcel' } },
      credential: { api_key: 'k' },
      extras: { portal_id: '12345' },
    });
  });

  test('is reached at the address of the shop if it has one there', async () => {
    configure('integration_3', { url: 'https://rest.iad-01.braze.com', dialect: 'braze' });
    const own = { integration_3: { rest_endpoint: 'https://rest.fra-02.braze.eu' } };
    const settings = { ...keyOf.settings('blue'), trigger_settings: own };
    tableWith(shopItem('blue'), stored('integration_3', { api_key: 'k' }, 'https://rest.fra-02.braze.eu'), settings);
    const account = await accountOf('integration_3');
    expect(account!.target).toEqual({ url: 'https://rest.fra-02.braze.eu', dialect: 'braze' });
  });

  test.each(['integration_1', 'integration_7'] as const)(
    'that is the shop system is reached at the admin address of the shop, with a key for that server only: %s',
    async (id) => {
      configure(id, { url: 'https://fallback.example.com', dialect: 'shopify' });
      const shop = { ...shopItem('blue'), shop_admin_url: 'https://blue.myshopify.com/admin/' };
      tableWith(shop, stored(id, { api_key: 'k' }, 'https://blue.myshopify.com'));
      expect((await accountOf(id))!.target.url).toBe('https://blue.myshopify.com');
      tableWith(shop, stored(id, { api_key: 'k' }, 'https://red.myshopify.com'));
      expect(await accountOf(id)).toBeUndefined();
      tableWith(shopItem('blue'), stored(id, { api_key: 'k' }));
      expect((await accountOf(id))!.target.url).toBe('https://fallback.example.com');
    },
  );
});
