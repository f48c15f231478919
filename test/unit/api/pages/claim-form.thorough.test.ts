import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler } from '#api/pages/handler.ts';
import { handler as settingsHandler } from '#api/settings/handler.ts';
import type { Order } from '#domain/orders/model.ts';
import { erasePage } from '#domain/pages/erase-page.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { orderLimits, pageLimits, payloadLimits } from '#schemas/catalogues/limits.ts';
import { samples as allSamples } from '#test/kit/images.ts';
import { invoke } from '#test/kit/invoke.ts';
import type { Part } from '#test/kit/multipart.ts';
import { formKeyIn, pageTokenOf, sendForm } from '#test/kit/pages.ts';
import { asOperator, beforeNextRequest, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

Object.assign(process.env, { IMAGES_URL: 'https://images.example.net', IMAGE_BUCKET: 'pictures' });

const s3 = mockClient(S3Client);
const slug = 'blue';
const sampleOf = (start: string) => allSamples.find(({ name }) => name.startsWith(start))!;
const jpeg = sampleOf('a JPEG of a telephone');
const png = sampleOf('a PNG with texts');
const resource = '/t/{token}/claim';
let token: string;

beforeEach(async () => {
  s3.reset();
  s3.on(PutObjectCommand).resolves({});
  tableWith(operator.item, shopItem(slug));
  token = await pageTokenOf(slug, '1001', { products: [{ title: 'Shirt', sku: 'SHIRT-M', quantity: 1 }] });
});

const open = (headers: Record<string, string> = {}) =>
  invoke(handler, { method: 'GET', resource, params: { token }, headers });

const freshKey = async () => formKeyIn((await open()).body);

type Fields = Record<string, string | string[]>;

async function send(fields: Fields = {}, more: Omit<Parameters<typeof sendForm>[2] & {}, 'fields'> = {}) {
  const form_key = fields.form_key ?? (await freshKey());
  return sendForm(resource, { token }, { ...more, fields: { form_key, reason: 'damage', ...fields } });
}

async function storedClaims() {
  const call = { resource: '/v1/shops/{slug}/claims', params: { slug }, headers: asOperator };
  return (await invoke(claims, { method: 'GET', ...call })).body.claims;
}

const file = (bytes: Uint8Array, filename = 'photo'): Part => ({ bytes, filename });

describe('the form', () => {
  test('is shown with a key that is valid for it', async () => {
    const { status, body } = await open();
    expect(status).toBe(200);
    expect(body).toContain('value="SHIRT-M"');
    expect(formKeyIn(body)).toMatch(/^[0-9a-z]+\.[\w-]{8}\.[\w-]{43}$/);
  });

  test('makes a claim and leads to the page', async () => {
    const { status, headers } = await send({
      reason: 'wrong_product',
      description: 'It is red.',
      resolution_preference: 'reorder',
      selected_items: ['SHIRT-M'],
    });
    expect([status, headers.Location]).toEqual([303, `../${token}?sent=1`]);
    expect(await storedClaims()).toMatchObject([
      {
        reason: 'wrong_product',
        description: 'It is red.',
        resolution_preference: 'reorder',
        selected_items: [{ sku: 'SHIRT-M', title: 'Shirt' }],
        tracking_number: 'P-1',
        status: 'pending',
      },
    ]);
  });

  test('leads to the page in the chosen language', async () => {
    const { headers } = await send({}, { query: { lang: 'de' } });
    expect(headers.Location).toBe(`../${token}?lang=de&sent=1`);
  });

  test('makes a claim whose history names the customer', async () => {
    await send();
    const [{ uuid }] = await storedClaims();
    const call = { resource: '/v1/shops/{slug}/claims/{uuid}/history', params: { slug, uuid }, headers: asOperator };
    expect((await invoke(claims, { method: 'GET', ...call })).body).toMatchObject([{ by: 'customer' }]);
  });

  test('makes a claim about the chosen parcel', async () => {
    token = await pageTokenOf(slug, '1002', {}, ['P-21', 'P-22']);
    await send({ tracking_number: 'P-22' });
    expect(await storedClaims()).toMatchObject([{ tracking_number: 'P-22' }]);
  });

  test('makes a claim about a parcel without a number beside one with a number', async () => {
    token = await pageTokenOf(slug, '1002', { expected_number_of_shipments: 2 }, ['P-21']);
    const [value] = /parcel-\d/.exec((await open()).body)!;
    expect((await send({ tracking_number: value })).status).toBe(303);
    expect(await storedClaims()).toMatchObject([{ tracking_number: null }]);
  });

  test('can be sent with as many choices as an order has products', async () => {
    const chosen = Array.from({ length: 1000 }, () => 'SHIRT-M');
    expect((await send({ selected_items: chosen })).status).toBe(303);
    expect((await storedClaims())[0].selected_items).toHaveLength(1);
  });

  test('makes a claim about a parcel that has no number yet', async () => {
    token = await pageTokenOf(slug, '1003', {}, []);
    expect((await send()).status).toBe(303);
    expect(await storedClaims()).toMatchObject([{ tracking_number: null }]);
  });
});

describe('there is no form', () => {
  const expectNoForm = async () => {
    for (const { status, body } of [await open(), await sendForm(resource, { token })]) {
      expect(status).toBe(404);
      expect(body).not.toContain('<form');
    }
  };

  test('behind an unknown or malformed token', async () => {
    for (token of ['A'.repeat(22), 'short', 'x'.repeat(3000), '\u0000']) await expectNoForm();
  });

  test('for an order without parcels', async () => {
    token = await pageTokenOf(slug, '1004', { expected_number_of_shipments: 0 }, []);
    await expectNoForm();
  });

  test('where the shop takes no claims on its page', async () => {
    const call = { resource: '/v1/shops/{slug}/settings/tracking-page', params: { slug }, headers: asOperator };
    await invoke(settingsHandler, { method: 'PATCH', ...call, body: { claims_enabled: false } });
    await expectNoForm();
  });
});

describe('a fault', () => {
  test('shows the form again with its message and all that was typed, and makes no claim', async () => {
    const { status, body } = await send({
      reason: '',
      description: 'Torn <b>seam</b>',
      selected_items: ['SHIRT-M'],
      resolution_preference: 'refund',
    });
    expect(status).toBe(422);
    expect(body).toContain('Please choose what is wrong.');
    expect(body).toContain('Torn &lt;b&gt;seam&lt;/b&gt;</textarea>');
    expect(body).toMatch(/value="SHIRT-M"[^>]* checked/);
    expect(body).toMatch(/value="refund"[^>]* checked/);
    expect(await storedClaims()).toEqual([]);
  });

  test('in a photo is said, and no photo is stored', async () => {
    const parts: [string, Part][] = [
      ['images', file(jpeg.bytes)],
      ['images', file(Buffer.from('no picture'))],
    ];
    const { status, body } = await send({ description: 'kept' }, { parts });
    expect(status).toBe(422);
    expect(body).toContain('is not a picture that we can read');
    expect(body).toContain('kept</textarea>');
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(0);
    expect(await storedClaims()).toEqual([]);
  });

  test('of a photo that is too large loses nothing that was typed', async () => {
    const large = new Uint8Array(4 * 1024 * 1024 + 1);
    const { status, body } = await send({ description: 'kept' }, { parts: [['images', file(large)]] });
    expect(status).toBe(422);
    expect(body).toContain('Your photos are too large.');
    expect(body).toContain('kept</textarea>');
  });

  test('of an order that takes no more claims is said', async () => {
    dynamo.on(TransactWriteCommand).rejects(
      Object.assign(new Error(), {
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
      }),
    );
    const { status, body } = await send();
    expect(status).toBe(422);
    expect(body).toContain('This order can take no more reports.');
  });

  test('in all fields at once is a page, whatever was sent', async () => {
    for (const name of ['reason', 'description', 'selected_items', 'tracking_number', 'form_key', '__proto__', 'x']) {
      const { status } = await send({}, { parts: [[name, file(Buffer.from([0, 255, 128]))]] });
      expect([303, 422]).toContain(status);
    }
  });
});

describe('photos', () => {
  test('are stored as private images of claims, without their metadata', async () => {
    const parts: [string, Part][] = [
      ['images', file(jpeg.bytes)],
      ['images', file(png.bytes)],
      ['images', file(new Uint8Array(0), '')],
    ];
    expect((await send({}, { parts })).status).toBe(303);
    const stored = s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);
    expect(stored.map(({ Key }) => Key)).toEqual([
      expect.stringMatching(/^private\/images\/[\w-]+\/claim\/[\w-]+\.jpg$/),
      expect.stringMatching(/^private\/images\/[\w-]+\/claim\/[\w-]+\.png$/),
    ]);
    expect(stored.map(({ Body }) => Body)).toEqual([jpeg.cleaned, png.cleaned]);
    expect(stored.every(({ CacheControl }) => CacheControl === 'private, no-store')).toBe(true);
    const [claim] = await storedClaims();
    expect(claim.image_urls).toHaveLength(2);
  });
});

describe('photos of a claim that is not made', () => {
  const withPhoto = { parts: [['images', file(jpeg.bytes)]] as [string, Part][] };

  test('are not stored if the order takes no more claims', async () => {
    for (const count of [
      { claims: orderLimits.claims, bytes: 1000 },
      { claims: 1, bytes: payloadLimits.claimBytes },
    ]) {
      await send();
      const [{ order_id }] = await storedClaims();
      await table.send(
        new PutCommand({ TableName: tableName(), Item: { ...keyOf.claimCount(slug, order_id), ...count } }),
      );
      const { status, body } = await send({}, withPhoto);
      expect(status).toBe(422);
      expect(body).toContain('This order can take no more reports.');
      token = await pageTokenOf(slug, '1007');
    }
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(0);
  });

  test('count like claims, so that failing is no way to store more', async () => {
    s3.on(PutObjectCommand).rejects(new Error('no connection'));
    const form_key = await freshKey();
    for (let i = 0; i < pageLimits.claimsInAnHour; i++) expect((await send({ form_key }, withPhoto)).status).toBe(500);
    expect((await send({ form_key }, withPhoto)).status).toBe(429);
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(pageLimits.claimsInAnHour);
  });

  test('are known to the page, so that they go with its order', async () => {
    s3.on(PutObjectCommand).rejects(new Error('no connection'));
    expect((await send({}, withPhoto)).status).toBe(500);
    const { Key } = s3.commandCalls(PutObjectCommand)[0]!.args[0].input;
    const removed: string[] = [];
    const remove = async (urls: readonly string[]) => void removed.push(...urls);
    await erasePage({ page_token: token } as Order, { at: '2026-11-20T10:00:00.000Z', by: 'key' }, remove);
    expect(removed).toEqual([`https://images.example.net/${Key}`]);
  });

  test('are stored for as many forms as the hour takes, also if more come at once', async () => {
    const count = pageLimits.claimsInAnHour + 5;
    const keys = await Promise.all(Array.from({ length: count }, freshKey));
    const answers = await Promise.all(keys.map((form_key) => send({ form_key }, withPhoto)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(pageLimits.claimsInAnHour);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(pageLimits.claimsInAnHour);
  });
});

describe('a form that was not sent from the page', () => {
  const expectAgain = ({ status, body }: { status: number; body: string }) => {
    expect(status).toBe(422);
    expect(body).toContain('This form was open for a long time.');
    expect(body).toContain('mine</textarea>');
  };

  test('is shown again with a fresh key, and makes no claim', async () => {
    const description = 'mine';
    const key = await freshKey();
    expectAgain(await send({ description, form_key: '' }));
    expectAgain(await send({ description, form_key: `${key.slice(0, -1)}x` }));
    expectAgain(await send({ description, form_key: key }, { headers: { 'Sec-Fetch-Site': 'cross-site' } }));
    expect(await storedClaims()).toEqual([]);
  });

  test('can be sent then', async () => {
    const { body } = await send({ form_key: 'old' });
    expect((await send({ form_key: formKeyIn(body) }, { headers: { 'Sec-Fetch-Site': 'same-origin' } })).status).toBe(
      303,
    );
  });

  test('does not use the key of another page', async () => {
    const form_key = await freshKey();
    token = await pageTokenOf(slug, '1005');
    expectAgain(await send({ description: 'mine', form_key }));
  });

  test('is one that is older than a day', async () => {
    const form_key = await freshKey();
    vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000, toFake: ['Date'] });
    try {
      expectAgain(await send({ description: 'mine', form_key }));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a form that is sent twice', () => {
  test('makes one claim', async () => {
    const form_key = await freshKey();
    const answers = [await send({ form_key }), await send({ form_key })];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await storedClaims()).toHaveLength(1);
  });

  test('at the same time makes one claim', async () => {
    const form_key = await freshKey();
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({ form_key })));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect(await storedClaims()).toHaveLength(1);
  });

  test('is known although the answer to the first write was lost', async () => {
    const form_key = await freshKey();
    await send({ form_key });
    beforeNextRequest(TransactWriteCommand, () => {
      throw new Error('must not be written again');
    });
    expect((await send({ form_key })).status).toBe(303);
  });

  test('with another content is not lost: the form says so and can be sent again', async () => {
    const form_key = await freshKey();
    await send({ form_key });
    const { status, body } = await send({ form_key, description: 'And the box was wet.' });
    expect(status).toBe(422);
    expect(body).toContain('This report was sent already.');
    expect((await send({ form_key: formKeyIn(body), description: 'And the box was wet.' })).status).toBe(303);
    expect(await storedClaims()).toHaveLength(2);
  });
});

test('a page takes ten claims an hour, exactly also if fifty come at once', async () => {
  const keys = await Promise.all(Array.from({ length: 50 }, freshKey));
  const answers = await Promise.all(keys.map((form_key) => send({ form_key })));
  const statuses = Map.groupBy(answers, ({ status }) => status);
  expect(statuses.get(303)).toHaveLength(pageLimits.claimsInAnHour);
  expect(statuses.get(429)).toHaveLength(40);
  expect(await storedClaims()).toHaveLength(pageLimits.claimsInAnHour);
  const [refused] = statuses.get(429)!;
  expect(Number(refused!.headers['Retry-After'])).toBeGreaterThan(3500);
  expect(refused!.body).toContain('Many reports came for this order in a short time.');
});
