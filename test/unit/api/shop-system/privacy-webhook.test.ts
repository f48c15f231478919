import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/shop-system/handler.ts';
import { keyOf, privacyOf } from '#platform/table/keys.ts';
import { eventOf } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopDataRequest, shopLeftRequest, shopRedactRequest, signatureOf } from '#test/kit/shop-payloads.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';

process.env.CREDENTIALS_KEY_ID = 'credentials';

const kms = mockClient(KMSClient);
const secret = 'secret-of-the-shop';

beforeEach(() => {
  kms.reset();
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: CiphertextBlob }));
  tableWith(shopItem('blue'), { ...keyOf.shopSystemSecret('blue'), ciphertext: Buffer.from(secret) });
});

async function send(payload: object, topic?: string, signature?: string) {
  const rawBody = JSON.stringify(payload);
  const { statusCode, body } = await handler(
    eventOf({
      method: 'POST',
      resource: '/v1/shops/{slug}/shop-system/inbound/privacy',
      params: { slug: 'blue' },
      rawBody,
      headers: {
        'X-Shopify-Hmac-Sha256': signature ?? signatureOf(secret, rawBody),
        ...(topic && { 'X-Shopify-Topic': topic }),
      },
    }),
  );
  return { status: statusCode, body: JSON.parse(body) };
}

const requests = () => memoryTable.all(privacyOf('blue')).filter(({ sk }) => sk.startsWith('REQUEST#'));

const customer = { email_id: 'bob.norman@mail.example.com', external_customer_id: '207119551' };
const requested_by = 'shop_system';

describe('a privacy request of the shop system', () => {
  test.each([
    [
      'customers/data_request',
      shopDataRequest(),
      { kind: 'disclosure', reference: 'data_request 9999', person: { ...customer, external_ids: ['450789469'] } },
    ],
    [
      'customers/redact',
      shopRedactRequest(),
      { kind: 'erasure', person: { ...customer, external_ids: ['450789469'] } },
    ],
    ['shop/redact', shopLeftRequest(), { kind: 'erasure', person: { all_orders: true } }],
  ])('of the topic %s becomes a request', async (topic, payload, expected) => {
    expect(await send(payload, topic)).toEqual({ status: 200, body: null });
    expect(requests()).toMatchObject([{ ...expected, dry_run: false, status: 'running', requested_by }]);
  });

  test('that comes twice is one request', async () => {
    await send(shopRedactRequest(), 'customers/redact');
    expect((await send(shopRedactRequest(), 'customers/redact')).status).toBe(200);
    expect(requests()).toHaveLength(1);
  });

  test.each([
    [shopDataRequest(), 'disclosure'],
    [shopRedactRequest(), 'erasure'],
  ])('without its topic is known by its payload', async (payload, kind) => {
    expect((await send(payload)).status).toBe(200);
    expect(requests()).toMatchObject([{ kind }]);
  });

  test.each([undefined, 'orders/create', 'shop/update'])(
    'never means all customers of the shop with the topic %s',
    async (topic) => {
      const { status, body } = await send(shopLeftRequest(), topic);
      expect([status, body.errors[0].loc]).toEqual([422, ['header', 'X-Shopify-Topic']]);
      expect(requests()).toEqual([]);
    },
  );

  test('about a customer without an e-mail address or an id means the one that is there', async () => {
    await send(shopRedactRequest({ customer: { id: null, email: ' ', phone: '1' }, orders_to_redact: [7, 7] }));
    expect(requests()).toMatchObject([{ person: { external_ids: ['7'] } }]);
  });

  test('about nobody is taken and does nothing', async () => {
    expect(await send(shopRedactRequest({ customer: null, orders_to_redact: [] }))).toEqual({
      status: 200,
      body: null,
    });
    expect(requests()).toEqual([]);
  });

  test('with a wrong signature is refused with 401 and changes nothing', async () => {
    const wrong = signatureOf('another', JSON.stringify(shopRedactRequest()));
    expect((await send(shopRedactRequest(), 'customers/redact', wrong)).status).toBe(401);
    expect(requests()).toEqual([]);
  });
});
