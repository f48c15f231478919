import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { imageTypes, shopRoles } from '#schemas/catalogues/enumerations.ts';
import { type Answer, type Api, clientOf } from '#test/e2e/kit/client.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { assembly, newSlug, superAdmin } from '#test/e2e/kit/shared-stack.ts';
import { samples, wholeImages } from '#test/kit/images.ts';
import { multipart, upload } from '#test/kit/multipart.ts';

const slug = newSlug();
const path = `/v1/shops/${slug}/images`;
let stack: LocalStack;
let api: Api;
let s3: S3Client;

/** A stack of its own, because tests sign URLs with its keys and remove grants of the function. */
beforeAll(async () => {
  stack = await startInProcess(assembly);
  api = clientOf(stack.url);
  s3 = new S3Client(stack.clientConfig);
  await api('POST', '/v1/shops', { key: superAdmin, body: { name: 'A shop', slug } });
});
afterAll(async () => {
  s3?.destroy();
  await stack?.stop();
});

const send = (form: { body: Uint8Array; headers: Record<string, string> }, key = superAdmin) =>
  api('POST', path, { key, ...form });

async function stored(type: string, bytes: Uint8Array = wholeImages.jpeg): Promise<string> {
  const { status, body } = await send(upload(type, bytes));
  expect(status).toBe(200);
  return body.url;
}

async function open(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('a public image', () => {
  test.each(samples)(
    'like $name can be read by anyone at the URL of its upload, and is cached for long',
    async (sample) => {
      const answer = await send(upload('product', sample.bytes, 'wrong.exe'));
      expect(answer).toMatchObject({ status: 200, body: { image_type: 'product', shop_slug: slug } });
      const { status, headers, bytes } = await open(answer.body.url);
      expect(status).toBe(200);
      expect(bytes.equals(sample.cleaned)).toBe(true);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': sample.mediaType,
        'content-disposition': 'inline',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
    },
  );

  test('is not sent again to a client that has it, nor to a HEAD request', async () => {
    const url = await stored('logo');
    const { headers } = await open(url, { method: 'HEAD' });
    expect(headers.get('content-length')).toBe(String(wholeImages.jpeg.length));
    const again = await open(url, { headers: { 'if-none-match': headers.get('etag')! } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  test('cannot be changed or deleted at its URL, and no other image is there', async () => {
    const url = await stored('logo');
    for (const method of ['PUT', 'POST', 'DELETE']) expect((await open(url, { method })).status).toBe(403);
    for (const other of [url.replace(/\.jpg$/, '.png'), `${stack.url}/images/`, `${stack.url}/images/%E0%A4%A`]) {
      expect((await open(other)).status).toBe(403);
    }
    expect((await open(url)).status).toBe(200);
  });
});

describe('a private image', () => {
  const sign = (url: string, expiresIn = 600, signingDate = new Date()) => {
    const Key = new URL(url).pathname.slice(1);
    const command = new GetObjectCommand({ Bucket: stack.outputs.ImageBucketName!, Key });
    return getSignedUrl(s3, command, { expiresIn, signingDate });
  };

  test.each(['claim', 'signature'])(
    'of the type %s cannot be read at the URL of its upload, nor beside it',
    async (type) => {
      const url = await stored(type);
      const { pathname } = new URL(url);
      const attempts = [pathname, `/images/..%2f..${pathname}`, `/images/%2e%2e/%2e%2e${pathname}`, pathname.slice(8)];
      for (const attempt of attempts) expect((await open(stack.url + attempt)).status, attempt).toBeGreaterThan(400);
    },
  );

  test('can be read by a signed URL, as an image that nobody caches', async () => {
    const { status, headers, bytes } = await open(await sign(await stored('claim')));
    expect(status).toBe(200);
    expect(bytes.equals(wholeImages.jpeg)).toBe(true);
    expect(headers.get('content-type')).toBe('image/jpeg');
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  test('cannot be read when the signed URL has expired or was changed', async () => {
    const [url, other] = [await stored('claim'), await stored('claim')];
    const signed = await sign(url);
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const wrong = {
      over: await sign(url, 600, minutesAgo(11)),
      prolonged: signed.replace('X-Amz-Expires=600', 'X-Amz-Expires=6000'),
      'of another image': signed.replace(new URL(url).pathname, new URL(other).pathname),
      'with another signature': signed.replace(/X-Amz-Signature=./, 'X-Amz-Signature=_'),
      'without a signature': signed.replace(/&X-Amz-Signature=[0-9a-f]+/, ''),
      'of an unknown key': signed.replace(/X-Amz-Credential=\w+/, 'X-Amz-Credential=AKIANOBODY'),
      unsigned: signed.split('?')[0]!,
    };
    for (const [name, attempt] of Object.entries(wrong)) expect((await open(attempt)).status, name).toBe(403);
    expect((await open(signed, { method: 'DELETE' })).status).toBe(403);
    expect((await open(await sign(url, 600, minutesAgo(9)))).status).toBe(200);
  });
});

describe('an upload', () => {
  test('is allowed to editors and admins', async () => {
    for (const role of shopRoles) {
      const { body } = await api('POST', `/v1/shops/${slug}/api-keys`, { key: superAdmin, body: { role } });
      const answer = await send(upload('logo', wholeImages.gif), `${body.username}:${body.secret}`);
      if (role === 'viewer') expectError(answer, 403, 'insufficient_rights');
      else expect(answer.status).toBe(200);
    }
    expectError(await send(upload('logo', wholeImages.gif), `${slug}:wrong`), 401, 'invalid_merchant_or_key');
    const other = newSlug();
    await api('POST', '/v1/shops', { key: superAdmin, body: { name: 'Another', slug: other } });
    const { body } = await api('POST', `/v1/shops/${other}/api-keys`, { key: superAdmin, body: {} });
    expectError(
      await send(upload('logo', wholeImages.gif), `${body.username}:${body.secret}`),
      403,
      'insufficient_rights',
    );
    const elsewhere = await api('POST', `/v1/shops/${newSlug()}/images`, {
      key: superAdmin,
      ...upload('logo', wholeImages.gif),
    });
    expectError(elsewhere, 404, 'shop_not_found');
  });

  test('accepts every type', async () => {
    for (const type of imageTypes) {
      expect((await send(upload(type, wholeImages.webp))).body).toMatchObject({ image_type: type, shop_slug: slug });
    }
  });

  test('is refused with all faults of a wrong form', async () => {
    const file = { bytes: wholeImages.png, filename: 'a.png' };
    expectInvalid(await send(multipart()), ['body.image_type', 'missing'], ['body.image', 'missing']);
    const wrong = multipart(['image_type', 'avatar'], ['image', file], ['image', file]);
    expectInvalid(await send(wrong), ['body.image_type', 'value_error'], ['body.image', 'type_error']);
    const { body, headers } = upload('logo', wholeImages.png);
    expectInvalid(await send({ body: body.subarray(0, -40), headers }), ['body', 'value_error']);
    expectInvalid(await send({ body, headers: { 'content-type': 'image/png' } }), ['body', 'value_error']);
    expectInvalid(await send({ body, headers: { 'content-type': 'multipart/form-data' } }), ['body', 'value_error']);
    expectInvalid(await api('POST', path, { key: superAdmin, body: {} }), ['body', 'value_error']);
  });

  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a truncated JPEG', wholeImages.jpeg.subarray(0, -2)],
    ['a truncated WebP', wholeImages.webp.subarray(0, -1)],
    ['a PNG that is also a zip archive', Buffer.concat([wholeImages.png, Buffer.from('PK\x03\x04PK\x05\x06')])],
    ['a GIF that is also an HTML page', Buffer.concat([wholeImages.gif, Buffer.from('<script>alert(1)</script>')])],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a text called a.png', Buffer.from('hello')],
  ])('refuses %s', async (_, bytes) => {
    expectError(await send(upload('claim', bytes, 'a.png')), 415, 'image_media_unsupported');
  });

  test('accepts 4 MB and refuses more, at the gateway or in the function', async () => {
    const megabyte = 1024 * 1024;
    const filled = (size: number) => Buffer.concat([wholeImages.png, Buffer.alloc(size - wholeImages.png.length)]);
    expect((await send(upload('claim', filled(4 * megabyte)))).status).toBe(200);
    const answers: Answer[] = [];
    for (const size of [4 * megabyte + 1, 4.6 * megabyte, 5 * megabyte, 11 * megabyte]) {
      answers.push(await send(upload('claim', filled(Math.floor(size)))));
    }
    for (const answer of answers) expectError(answer, 413, 'payload_too_large');
  });
});

describe('the function of images', () => {
  test('needs each of its grants, and answers in the form of the contract without one', async () => {
    const statements = stack.statements('ImagesApi');
    const writes = statements.find(({ actions }) => actions.includes('s3:PutObject'))!;
    const resources = [...writes.resources];
    expect(resources.map((resource) => resource.split('/').slice(1).join('/'))).toEqual([
      'private/images/*',
      'public/images/*',
    ]);
    try {
      for (const [index, type] of (['claim', 'logo'] as const).entries()) {
        writes.resources = resources.toSpliced(index, 1);
        expectError(await send(upload(type, wholeImages.png)), 500, 'unexpected');
      }
    } finally {
      writes.resources = resources;
    }
    expect(
      statements
        .flatMap(({ actions }) => actions)
        .filter((action) => /^(s3|dynamodb):/.test(action))
        .toSorted(),
      // The reads of key and shop, the day of a key's use, the counting of wrong keys, and the units of a busy shop.
    ).toEqual(['dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 's3:PutObject']);
  });

  test('logs neither the name nor the content of an image', async () => {
    const url = await stored('claim');
    expect(stack.logs('ImagesApi').join('\n')).not.toContain(url.split('/').at(-1));
  });
});
