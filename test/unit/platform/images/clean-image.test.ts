import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#platform/errors.ts';
import { cleanImage } from '#platform/images/clean-image.ts';
import * as kit from '#test/kit/images.ts';

const { samples, wholeImages } = kit;

const refusal = async (bytes: Uint8Array): Promise<string | undefined> => {
  try {
    await cleanImage(bytes);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.key).toBe('image_media_unsupported');
    return error.details.message;
  }
};

const latin = (text: string) => Buffer.from(text, 'latin1');

describe.each(samples)('$name', ({ bytes, cleaned, mediaType, extension }) => {
  test('is stored without its metadata and with everything that a viewer needs', async () => {
    const stored = await cleanImage(bytes);
    expect(stored.format).toMatchObject({ mediaType, extension });
    expect(stored.bytes.toString('hex')).toBe(cleaned.toString('hex'));
    expect(stored.bytes.includes(kit.position)).toBe(false);
  });

  test('does not change when it is cleaned again', async () => {
    expect((await cleanImage(cleaned)).bytes.equals(cleaned)).toBe(true);
  });

  test('is refused when it is cut off at any byte', async () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(await refusal(bytes.subarray(0, length)), `after ${length} of ${bytes.length} bytes`).toBeTypeOf('string');
    }
  });

  test.each([
    ['a zip archive', 'PK\x03\x04 and PK\x05\x06'],
    ['an HTML page', '<html><script>alert(1)</script></html>'],
    ['a single byte', '.'],
  ])('is refused when it is followed by %s', async (_, appended) => {
    expect(await refusal(Buffer.concat([bytes, latin(appended)]))).toMatch(/extra data/);
  });

  test('may be followed by zeros, which are removed', async () => {
    expect((await cleanImage(Buffer.concat([bytes, Buffer.alloc(9)]))).bytes.equals(cleaned)).toBe(true);
  });
});

describe('a file', () => {
  test.each([
    ['empty', ''],
    ['a text', 'hello'],
    ['an SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['an HTML page', '<!doctype html><html></html>'],
    ['a PDF', '%PDF-1.7\n'],
    ['an AVIF', '\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf'],
    ['a HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['a bitmap', 'BM\x1e\0\0\0\0\0\0\0\x1a\0\0\0'],
    ['a TIFF', 'II*\0\x08\0\0\0'],
    ['a zip archive', 'PK\x03\x04\x14\0\0\0\0\0'],
    ['only the beginning of a JPEG', '\xff\xd8\xff'],
  ])('is refused if it is %s', async (_, text) => {
    expect(await refusal(latin(text))).toBeTypeOf('string');
  });
});

describe('a JPEG', () => {
  const picture = wholeImages.jpeg;

  test.each([
    ['a second picture', Buffer.concat([picture, latin('and more')])],
    ['a film', latin('\0\0\0\x18ftypmp42 and so on')],
    ['the own record of the telephone', latin('\0\0\x01\x0a Image_UTC_Data SEFH SEFT')],
  ])('is accepted without %s that a camera appends', async (_, appended) => {
    const stored = await cleanImage(Buffer.concat([picture, appended]));
    expect(stored.bytes.equals(picture)).toBe(true);
  });

  test('may have several scans and restart markers, as progressive files have', async () => {
    const end = picture.subarray(-2);
    const scan = picture.subarray(picture.indexOf(Buffer.from([0xff, 0xda])), -2);
    const restarted = Buffer.concat([scan, Buffer.from([0xff, 0xd0, 0x12, 0xff, 0x00, 0xff, 0xd7, 0x34])]);
    const progressive = Buffer.concat([picture.subarray(0, -2), restarted, scan, end]);
    expect((await cleanImage(progressive)).bytes.equals(progressive)).toBe(true);
  });

  test('loses the small picture inside its header', async () => {
    const header = latin('JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01rgb');
    const [start, rest] = [picture.subarray(0, 2), picture.subarray(20)];
    const stored = await cleanImage(Buffer.concat([start, kit.segment(0xe0, header), rest]));
    expect(stored.bytes.equals(picture)).toBe(true);
  });

  test.each([1, 0, 9, 65535])('loses the meaningless orientation %i', async (orientation) => {
    expect((await cleanImage(kit.jpeg(kit.exifSegment(orientation)))).bytes.equals(picture)).toBe(true);
  });

  test.each([
    [
      'without a scan',
      Buffer.concat([picture.subarray(0, picture.indexOf(Buffer.from([0xff, 0xda]))), picture.subarray(-2)]),
    ],
    ['with a marker that no viewer knows', kit.jpeg(kit.segment(0xf7, Buffer.alloc(4)))],
    ['with a frame of no size', kit.jpeg(kit.segment(0xc0, Buffer.alloc(9)))],
    ['with bytes between its segments', kit.jpeg(latin('<script>'))],
  ])('%s is refused', async (_, bytes) => {
    expect(await refusal(bytes)).toBeTypeOf('string');
  });
});

describe('a PNG', () => {
  const picture = wholeImages.png;

  test('with a wrong checksum is refused', async () => {
    const broken = Buffer.from(picture);
    broken[picture.length - 20]! ^= 1;
    expect(await refusal(broken)).toMatch(/damaged/);
  });

  test.each([
    ['with an unknown chunk that it cannot do without', kit.png(['ABCD', Buffer.alloc(2)])],
    ['with two headers', kit.png(['IHDR', Buffer.alloc(13, 1)])],
    ['without a picture', Buffer.concat([picture.subarray(0, 33), picture.subarray(-12)])],
  ])('%s is refused', async (_, bytes) => {
    expect(await refusal(bytes)).toBeTypeOf('string');
  });

  test('may be animated', async () => {
    const animated = kit.png(['acTL', Buffer.alloc(8)], ['fcTL', Buffer.alloc(26)]);
    const stored = await cleanImage(animated);
    expect(stored.bytes.equals(animated)).toBe(true);
    expect(stored.format.mediaType).toBe('image/png');
  });
});

describe('a hostile file', () => {
  const repeated = (part: number[], size = 4 * 1024 * 1024) => Buffer.alloc(size, Buffer.from(part));

  test.each([
    ['a JPEG of nothing but escapes', Buffer.concat([wholeImages.jpeg.subarray(0, -2), repeated([0xff, 0x00])])],
    ['a JPEG of nothing but empty segments', Buffer.concat([Buffer.from([0xff, 0xd8]), repeated([0xff, 0xdd, 0, 2])])],
    ['a JPEG of nothing but fill bytes', Buffer.concat([Buffer.from([0xff, 0xd8]), repeated([0xff])])],
    ['a GIF of nothing but tiny blocks', Buffer.concat([kit.gifHeader, Buffer.from([0x21, 0xfe]), repeated([1, 1])])],
    [
      'a PNG of nothing but empty chunks',
      Buffer.concat([wholeImages.png.subarray(0, 33), repeated([...kit.pngChunk(['tEXt', Buffer.alloc(0)])])]),
    ],
    ['a WebP of nothing but empty chunks', kit.webp(kit.lossy, ['JUNK', repeated([0x4a, 0x55, 0, 0])])],
    // If the work grew with the square of the size, this would take hours.
  ])('is processed before the time of a test is over if it is %s', async (_, bytes) => void (await refusal(bytes)));

  test('of random bytes is refused or accepted and never causes another error', async () => {
    const beginnings = Object.values(wholeImages).map((whole) => whole.subarray(0, 12));
    const anything = fc
      .tuple(fc.constantFrom(Buffer.alloc(0), ...beginnings), fc.uint8Array({ maxLength: 300 }))
      .map((parts) => Buffer.concat(parts));
    await fc.assert(
      fc.asyncProperty(anything, async (bytes) => void (await refusal(bytes))),
      { numRuns: 500 },
    );
  });

  test('made from an image by changing bytes is refused or stored as an image and never causes another error', async () => {
    const changed = fc
      .tuple(
        fc.constantFrom(...samples.map(({ bytes }) => bytes)),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 }),
      )
      .map(([bytes, changes]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) copy[at % copy.length] = value;
        return copy;
      });
    const property = fc.asyncProperty(changed, async (bytes) => {
      if ((await refusal(bytes)) !== undefined) return;
      const stored = await cleanImage(bytes);
      expect((await cleanImage(stored.bytes)).bytes.equals(stored.bytes)).toBe(true);
    });
    await fc.assert(property, { numRuns: 500 });
  });
});
