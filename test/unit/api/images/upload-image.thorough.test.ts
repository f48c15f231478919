import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Busboy } from '@fastify/busboy';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/images/handler.ts';
import { samples, wholeImages } from '#test/kit/images.ts';
import { basic, eventOf } from '#test/kit/invoke.ts';
import { multipart, type Part, upload } from '#test/kit/multipart.ts';
import { keyFor, shopItem, tableWith } from '#test/kit/table.ts';

Object.assign(process.env, { IMAGES_URL: 'https://images.example.net', IMAGE_BUCKET: 'pictures' });

const s3 = mockClient(S3Client);
const shop = shopItem('blue');
const editor = keyFor('blue', 'editor');

beforeEach(() => {
  s3.reset();
  tableWith(editor.item, shop);
  s3.on(PutObjectCommand).resolves({});
});

interface Form {
  body: Buffer | undefined;
  headers: Record<string, string>;
}

async function send({ body, headers }: Form) {
  const call = { method: 'POST', resource: '/v1/shops/{slug}/images', params: { slug: 'blue' } };
  const event = eventOf({ ...call, headers: { ...basic('blue', editor.secret), ...headers } });
  const encoded = { ...event, body: body?.toString('base64') ?? null, isBase64Encoded: body !== undefined };
  const result = await handler(encoded, { awsRequestId: 'request' });
  return { status: result.statusCode, body: JSON.parse(result.body) };
}

const puts = () => s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input);
const faults = ({ body }: { body: { errors: { loc: string[]; type: string }[] } }) =>
  body.errors.map(({ loc, type }) => `${loc.join('.')} ${type}`).toSorted();

describe('an image', () => {
  test.each(samples)('like $name is stored cleaned, with its type and its caching rules', async (sample) => {
    const { status, body } = await send(upload('product', sample.bytes, 'holiday.exe'));
    expect(status).toBe(200);
    expect(body).toEqual({ url: expect.any(String), image_type: 'product', shop_slug: 'blue' });
    const path = `/images/${shop.uuid}/product/[0-9a-f-]{36}\\.${sample.extension}`;
    expect(body.url).toMatch(new RegExp(`^https://images.example.net${path}$`));
    expect(puts()).toEqual([
      {
        Bucket: 'pictures',
        Key: `public${new URL(body.url).pathname}`,
        Body: sample.cleaned,
        ContentType: sample.mediaType,
        ContentDisposition: 'inline',
        CacheControl: 'public, max-age=31536000, immutable',
      },
    ]);
  });

  test.each(['claim', 'signature'])('of the type %s is stored at a private place and never cached', async (type) => {
    const { body } = await send(upload(type, wholeImages.png));
    const key = `private/images/${shop.uuid}/${type}/`;
    expect(body.url).toContain(`https://images.example.net/${key}`);
    expect(puts()).toMatchObject([{ Key: expect.stringContaining(key), CacheControl: 'private, no-store' }]);
  });

  test('is accepted under any file name, also without one', async () => {
    for (const type of ['text/html', 'image/svg+xml', 'application/zip']) {
      const image = { bytes: wholeImages.gif, type };
      expect(await send(multipart(['image_type', 'logo'], ['image', image]))).toMatchObject({
        status: type === 'text/html' ? 422 : 200,
      });
    }
  });

  test('is accepted in a form whose boundary is quoted and follows other parameters', async () => {
    const form = upload('logo', wholeImages.jpeg);
    const boundary = form.headers['content-type']!.split('=')[1];
    const headers = { 'content-type': `Multipart/Form-Data; charset=utf-8; boundary="${boundary}"` };
    expect((await send({ ...form, headers })).status).toBe(200);
  });
});

describe('a wrong form', () => {
  const image = { bytes: wholeImages.png, filename: 'a.png' };
  const cases: [string, Form, string[]][] = [
    ['without fields', multipart(), ['body.image missing', 'body.image_type missing']],
    ['without a body', { body: undefined, headers: {} }, ['body.image missing', 'body.image_type missing']],
    ['without a type', multipart(['image', image]), ['body.image_type missing']],
    [
      'with an unknown type and no image',
      multipart(['image_type', 'avatar']),
      ['body.image missing', 'body.image_type value_error'],
    ],
    [
      'with two types',
      multipart(['image_type', 'logo'], ['image_type', 'claim'], ['image', image]),
      ['body.image_type type_error'],
    ],
    ['with a file as its type', multipart(['image_type', image], ['image', image]), ['body.image_type type_error']],
    [
      'with two images',
      multipart(['image_type', 'logo'], ['image', image], ['image', image]),
      ['body.image type_error'],
    ],
    [
      'with three images',
      multipart(['image_type', 'logo'], ['image', image], ['image', image], ['image', image]),
      ['body.image type_error'],
    ],
    ['with a text as its image', multipart(['image_type', 'logo'], ['image', 'a.png']), ['body.image type_error']],
    [
      'with names of prototypes',
      multipart(['__proto__', 'x'], ['constructor', 'y']),
      ['body.image missing', 'body.image_type missing'],
    ],
    [
      'of another content type',
      { ...upload('logo', wholeImages.png), headers: { 'content-type': 'image/png' } },
      ['body value_error'],
    ],
    ['of JSON', { body: Buffer.from('{}'), headers: { 'content-type': 'application/json' } }, ['body value_error']],
    ['without a content type', { ...upload('logo', wholeImages.png), headers: {} }, ['body value_error']],
    [
      'without a boundary',
      { ...upload('logo', wholeImages.png), headers: { 'content-type': 'multipart/form-data' } },
      ['body value_error'],
    ],
    [
      'with an empty boundary',
      { ...upload('logo', wholeImages.png), headers: { 'content-type': 'multipart/form-data; boundary=' } },
      ['body value_error'],
    ],
    [
      'with another boundary',
      { ...upload('logo', wholeImages.png), headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      ['body value_error'],
    ],
  ];

  test.each(cases)('%s is refused with all its faults', async (_, form, expected) => {
    const answer = await send(form);
    expect(answer.status).toBe(422);
    expect(faults(answer)).toEqual(expected);
    expect(puts()).toEqual([]);
  });

  test('is refused wherever it is cut off, and the function goes on working', async () => {
    const { body, headers } = upload('logo', wholeImages.gif);
    const end = body.lastIndexOf('--');
    for (let length = 1; length < end; length++) {
      const answer = await send({ body: body.subarray(0, length), headers });
      expect(answer.status, `after ${length} bytes`).toBe(422);
    }
    expect(puts()).toEqual([]);
  });
});

describe('a hostile form', () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const pieces = [
    ...['--b', '--b--', '\r\n', '\r\n\r\n', '--', ': ', ';', '"', '=', '\0', 'x'.repeat(2000)],
    ...[
      'Content-Disposition: form-data; name="image"',
      '; filename="a"',
      "; filename*=utf-9'en'%ff%zz",
      'name=image_type',
    ],
    ...[
      'Content-Type: image/png',
      'Content-Type: ;;;',
      'Content-Transfer-Encoding: base64',
      'logo',
      '\x89PNG\r\n\x1a\n',
    ],
  ];
  const form = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 })), { maxLength: 25 });

  /** Each part is a field, a file, or something that the parser skips. */
  const part = fc.constantFrom<[name: string, part: Part]>(
    ['image_type', 'logo'],
    ['image', { bytes: wholeImages.gif, filename: 'a.gif' }],
    ['other', ''],
    ['broken"; name="\n', 'x'],
  );

  test('of any number of parts, cut off anywhere, is refused, and the function goes on working', async () => {
    const numberOfParts = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 18, max: 30 }));
    const parts = numberOfParts.chain((count) => fc.array(part, { minLength: count, maxLength: count }));
    const property = fc.asyncProperty(parts, fc.double({ min: 0, max: 1, noNaN: true }), async (parts, share) => {
      const form = multipart(...parts);
      // The two characters at the end are not needed, and without the four before them the form is cut off.
      const length = Math.floor(share * (form.body.length - 4));
      expect((await send({ ...form, body: form.body.subarray(0, length) })).status).toBe(422);
    });
    await fc.assert(property, { numRuns: 300, examples: [[new Array(23).fill(['other', 'x']), 0.99]] });
  });

  test.each([
    [21, 'must have at most 20 texts'],
    [23, 'must have at most 22 parts'],
  ])('of %i texts is refused', async (count, msg) => {
    const { status, body } = await send(multipart(...new Array<[string, Part]>(count).fill(['image_type', 'logo'])));
    expect([status, body.errors]).toEqual([422, [{ loc: ['body'], msg, type: 'value_error' }]]);
  });

  test('of a hundred thousand parts is refused before it is parsed', async () => {
    const parsed = vi.spyOn(Busboy.prototype, 'end');
    expect((await send({ body: Buffer.from('--b\r\n'.repeat(100_000)), headers })).status).toBe(422);
    expect(parsed).not.toHaveBeenCalled();
    await send({ body: Buffer.from('--b\r\n'.repeat(20)), headers });
    expect(parsed).toHaveBeenCalledOnce();
    parsed.mockRestore();
  });

  test('of random pieces is refused, and the function goes on working', async () => {
    const property = fc.asyncProperty(form, async (parts) => {
      const { status } = await send({ body: Buffer.from(`--b\r\n${parts.join('')}`, 'latin1'), headers });
      expect([415, 422]).toContain(status);
    });
    // The parser by itself would wait for the end of this one.
    await fc.assert(property, { numRuns: 150, examples: [[[' ', '\r\n\r\n', '--b--']]] });
  });

  test('with any content type is refused, and the function goes on working', async () => {
    const { body } = upload('logo', wholeImages.png);
    const types = fc.array(
      fc.constantFrom('multipart/form-data', ';', 'boundary=', '"', "boundary*=x'y'%f", 'b', ' ', '\\', '%'),
    );
    const property = fc.asyncProperty(types, async (parts) => {
      expect((await send({ body, headers: { 'content-type': parts.join('') } })).status).toBe(422);
    });
    await fc.assert(property, { numRuns: 150 });
  });

  test('of thousands of parts is refused quickly', async () => {
    const parts = Array.from({ length: 5_000 }, (_, i): [string, string] => [`field${i}`, 'x']);
    expect((await send(multipart(...parts))).status).toBe(422);
  });
});

describe('a wrong image', () => {
  test.each([
    ['empty', Buffer.alloc(0)],
    ['no image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['cut off', wholeImages.jpeg.subarray(0, -1)],
    ['an image and an archive at once', Buffer.concat([wholeImages.png, Buffer.from('PK\x05\x06')])],
  ])('is refused when it is %s', async (_, bytes) => {
    expect(await send(upload('claim', bytes))).toMatchObject({ status: 415, body: { key: 'image_media_unsupported' } });
    expect(puts()).toEqual([]);
  });

  test('is refused over 4 MB and accepted at 4 MB', async () => {
    const limit = 4 * 1024 * 1024;
    const filled = (size: number) => Buffer.concat([wholeImages.png, Buffer.alloc(size - wholeImages.png.length)]);
    expect((await send(upload('claim', filled(limit)))).status).toBe(200);
    const answer = await send(upload('claim', filled(limit + 1)));
    expect(answer).toMatchObject({ status: 413, body: { key: 'payload_too_large' } });
  });
});
