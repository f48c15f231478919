import { describe, expect, test } from 'vitest';
import { imageUrl, objectKey, signedImageUrl } from '#domain/images/image-urls.ts';
import type { ImageType } from '#schemas/catalogues/enumerations.ts';

const base = 'https://images.example.net';
Object.assign(process.env, {
  IMAGES_URL: base,
  IMAGE_BUCKET: 'pictures',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'example',
});

const shop = { uuid: '01930000-0000-7000-8000-000000000001' };
const other = { uuid: '01930000-0000-7000-8000-000000000002' };
const file = '01930000-0000-7000-8000-00000000000f.jpg';
const now = new Date('2026-11-15T12:00:00.000Z');
const named = (type: ImageType) => ({ shopUuid: shop.uuid, type, file });

test.each([
  ['logo', `/images/${shop.uuid}/logo/${file}`, `public/images/${shop.uuid}/logo/${file}`],
  ['claim', `/private/images/${shop.uuid}/claim/${file}`, `private/images/${shop.uuid}/claim/${file}`],
] as const)('a %s image has a URL that never expires and a key in the bucket', (type, path, key) => {
  expect(imageUrl(named(type))).toBe(base + path);
  expect(objectKey(named(type))).toBe(key);
});

describe('an answer', () => {
  test('shows a private image by a URL that is valid for ten minutes', async () => {
    const signed = new URL(await signedImageUrl(imageUrl(named('signature')), now, shop));
    expect(signed.hostname).toBe('pictures.s3.eu-central-1.amazonaws.com');
    expect(signed.pathname).toBe(`/private/images/${shop.uuid}/signature/${file}`);
    expect(signed.searchParams.get('X-Amz-Date')).toBe('20261115T120000Z');
    expect(signed.searchParams.get('X-Amz-Expires')).toBe('600');
    expect(signed.searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
  });

  test('also signs the URL of a private image that was stored under an earlier address', async () => {
    const moved = imageUrl(named('claim')).replace(base, 'https://old.example.net');
    expect(await signedImageUrl(moved, now, shop)).toContain('X-Amz-Signature=');
  });

  test.each([
    ['a public image', `${base}/images/${shop.uuid}/logo/${file}`],
    ['a private image of another shop', `${base}/private/images/${other.uuid}/claim/${file}`],
    ['a public type under the private path', `${base}/private/images/${shop.uuid}/logo/${file}`],
    ['a private type under the public path', `${base}/images/${shop.uuid}/claim/${file}`],
    ['a folder', `${base}/private/images/${shop.uuid}/claim/`],
    [
      'an image of another shop, through the path of this shop',
      `${base}/private/images/${shop.uuid}/../${other.uuid}/claim/${file}`,
    ],
    ['a picture elsewhere', 'https://example.org/cat.jpg?size=2'],
    ['a text that is no URL', 'cat.jpg'],
    ['the path of an upload alone', `/private/images/${shop.uuid}/claim/${file}`],
    ['the path of an upload with another scheme', `mailto:/private/images/${shop.uuid}/claim/${file}`],
    ['the path of an upload on a file server', `ftp://a.example/private/images/${shop.uuid}/claim/${file}`],
    ['an empty text', ''],
  ])('shows %s as it was stored', async (_, url) => {
    expect(await signedImageUrl(url, now, shop)).toBe(url);
  });
});
