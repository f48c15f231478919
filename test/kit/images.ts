import { crc32, deflateSync } from 'node:zlib';

/** Small real images, built from parts so that a test can add others. */

type Part = readonly [type: string | number, content: Buffer];

const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff]);
const u32 = (value: number) => Buffer.from([value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]);
const u32le = (value: number) => u32(value).reverse();
const latin = (text: string) => Buffer.from(text, 'latin1');

export const position = '52 deg 31 north';

/** As a telephone writes it: its maker, the orientation, and a directory with the position. */
function exif(orientation: number): Buffer {
  const entry = (tag: number, type: number, count: number, value: Buffer) =>
    Buffer.concat([u16(tag), u16(type), u32(count), value]);
  const text = latin(`${position}\0`);
  const entries = [
    entry(0x010f, 2, 4, latin('Tel\0')),
    entry(0x0112, 3, 1, Buffer.concat([u16(orientation), u16(0)])),
    entry(0x8825, 4, 1, u32(50)),
  ];
  const gps = [u16(1), entry(0x001c, 2, text.length, u32(68)), u32(0), text];
  return Buffer.concat([latin('MM\0*'), u32(8), u16(3), ...entries, u32(0), ...gps]);
}

const xmp = latin(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><gps>${position}</gps></x:xmpmeta>`);

export const segment = (code: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0xff, code]), u16(content.length + 2), content]);

const jfif = Buffer.from([0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);

/** Tables, frame and scan of a picture of 6 × 4, up to its end. */
const jpegPicture = Buffer.from(
  `/9sAQwAbEhQXFBEbFxYXHhwbIChCKyglJShROj0wQmBVZWRfVV1baniZgWpxkHNbXYW1hpCeo6utq2eAvMm6pseZqKuk/9sAQwEcHh4oIyhOKytOpG5d
  bqSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk/8AAEQgABAAGAwEiAAIRAQMRAf/EABUAAQEAAAAAAAAAAAAA
  AAAAAAAE/8QAFhABAQEAAAAAAAAAAAAAAAAAAAER/8QAFQEBAQAAAAAAAAAAAAAAAAAAAgX/xAAXEQEBAQEAAAAAAAAAAAAAAAABABEh/9oADAMBAAIR
  AxEAPwCGTAAXetVADC//2Q==`,
  'base64',
);

export const jpeg = (...segments: Buffer[]) =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), segment(0xe0, jfif), ...segments, jpegPicture]);

export const exifSegment = (orientation: number) =>
  segment(0xe1, Buffer.concat([latin('Exif\0\0'), exif(orientation)]));

const jpegMetadata = [
  exifSegment(6),
  segment(0xe1, Buffer.concat([latin('http://ns.adobe.com/xap/1.0/\0'), xmp])),
  segment(0xed, latin(`Photoshop 3.0\0${position}`)),
  segment(0xfe, latin(position)),
];

const iccSegment = segment(0xe2, latin('ICC_PROFILE\0\x01\x01a profile'));
const adobeSegment = segment(0xee, latin('Adobe\0\x64\0\0\0\0\x01'));

const pngSignature = latin('\x89PNG\r\n\x1a\n');

export function pngChunk([type, content]: Part): Buffer {
  const body = Buffer.concat([latin(String(type)), content]);
  return Buffer.concat([u32(content.length), body, u32(crc32(body))]);
}

const pngHeader: Part = ['IHDR', Buffer.concat([u32(2), u32(2), Buffer.from([8, 2, 0, 0, 0])])];
const pngPicture: Part = ['IDAT', deflateSync(Buffer.alloc(2 * 7))];

export const png = (...chunks: Part[]) =>
  Buffer.concat([pngSignature, ...[pngHeader, ...chunks, pngPicture, ['IEND', Buffer.alloc(0)] as Part].map(pngChunk)]);

const pngMetadata: Part[] = [
  ['tEXt', latin(`Comment\0${position}`)],
  ['iTXt', latin(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`)],
  ['eXIf', exif(8)],
  ['tIME', Buffer.from([7, 234, 11, 15, 0, 0, 0])],
];

export const gifHeader = Buffer.concat([
  latin('GIF89a'),
  Buffer.from([1, 0, 1, 0, 0x80, 0, 0]),
  Buffer.from([255, 0, 0, 0, 0, 255]),
]);
const gifFrame = Buffer.from([
  ...[0x21, 0xf9, 4, 0, 10, 0, 0, 0],
  ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0],
]);
const gifExtension = (label: number, ...blocks: string[]) =>
  Buffer.concat([
    Buffer.from([0x21, label]),
    ...blocks.flatMap((block) => [Buffer.from([block.length]), latin(block)]),
    Buffer.from([0]),
  ]);
const gifLoop = gifExtension(0xff, 'NETSCAPE2.0', '\x01\x03\x00');

/** Two pictures, one after the other. */
const gif = (...extensions: Buffer[]) =>
  Buffer.concat([gifHeader, ...extensions, gifFrame, gifFrame, Buffer.from([0x3b])]);

const gifMetadata = [
  gifExtension(0xfe, position),
  gifExtension(0xff, 'XMP DataXMP', xmp.toString('latin1').slice(0, 200)),
];

const vp8 = Buffer.from('cAEAnQEqBgAEAAVAfCWwAnQBdQAA/uXd2jVnhvb+0NubJP4+/bCGAAAA', 'base64');
const vp8l = Buffer.from('LwXAAAAPcCDwg4AeEHj+gwfH+YnofzA=', 'base64');
const alpha = Buffer.from('AQ9Q4IgIHOcnov/B', 'base64');

const webpChunk = ([type, content]: Part) =>
  Buffer.concat([latin(String(type)), u32le(content.length), content, Buffer.alloc(content.length % 2)]);

export function webp(...chunks: Part[]): Buffer {
  const body = Buffer.concat([latin('WEBP'), ...chunks.map(webpChunk)]);
  return Buffer.concat([latin('RIFF'), u32le(body.length), body]);
}

/** The header of the file: its flags and its size of 6 × 4. */
const extended = (flags: number): Part => ['VP8X', Buffer.from([flags, 0, 0, 0, 5, 0, 0, 3, 0, 0])];
export const lossy: Part = ['VP8 ', vp8];
const lossless: Part = ['VP8L', vp8l];
const iccp: Part = ['ICCP', latin('a profile')];
const frame = (...chunks: Part[]): Part => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 5, 0, 0, 3, 0, 0, 100, 0, 0, 0]);
  return ['ANMF', Buffer.concat([header, ...chunks.map(webpChunk)])];
};

const webpMetadata: Part[] = [
  ['EXIF', exif(3)],
  ['XMP ', xmp],
];
const animation: Part = ['ANIM', Buffer.alloc(6)];
const photo = [extended(0x2c), iccp, lossy] as const;

interface Sample {
  name: string;
  mediaType: string;
  extension: string;
  /** As it comes from a camera or a program. */
  bytes: Buffer;
  /** The stored part of it. */
  cleaned: Buffer;
}

const minimal = (orientation: number) =>
  Buffer.concat([latin('MM\0*'), u32(8), u16(1), u16(0x0112), u16(3), u32(1), u16(orientation), Buffer.alloc(6)]);

const of = (mediaType: string, extension: string) => (name: string, bytes: Buffer, cleaned: Buffer) => ({
  name,
  mediaType,
  extension,
  bytes,
  cleaned,
});
const ofJpeg = of('image/jpeg', 'jpg');
const ofPng = of('image/png', 'png');
const ofGif = of('image/gif', 'gif');
const ofWebp = of('image/webp', 'webp');

/** SOI, then the orientation before everything else. */
const turned = (whole: Buffer, orientation: number) =>
  Buffer.concat([
    whole.subarray(0, 2),
    segment(0xe1, Buffer.concat([latin('Exif\0\0'), minimal(orientation)])),
    whole.subarray(2),
  ]);

export const samples: Sample[] = [
  ofJpeg('a JPEG', jpeg(), jpeg()),
  ofJpeg(
    'a JPEG of a telephone, with its position',
    jpeg(...jpegMetadata, iccSegment, adobeSegment),
    turned(jpeg(iccSegment, adobeSegment), 6),
  ),
  ofPng('a PNG', png(), png()),
  ofPng(
    'a PNG with texts and Exif',
    png(...pngMetadata, ['gAMA', u32(45455)]),
    png(['eXIf', minimal(8)], ['gAMA', u32(45455)]),
  ),
  ofGif('an animated GIF with a comment', gif(gifLoop, ...gifMetadata), gif(gifLoop)),
  ofGif('a GIF', gif(), gif()),
  ofWebp('a lossy WebP', webp(lossy), webp(lossy)),
  ofWebp('a lossless WebP', webp(lossless), webp(lossless)),
  ofWebp(
    'an extended WebP with Exif and XMP',
    webp(...photo, ...webpMetadata),
    webp(extended(0x28), iccp, lossy, ['EXIF', minimal(3)]),
  ),
  ofWebp(
    'an animated WebP with transparency',
    webp(
      extended(0x16),
      animation,
      frame(['ALPH', alpha], lossy),
      frame(lossless, ['JUNK', latin(position)]),
      webpMetadata[1]!,
    ),
    webp(extended(0x12), animation, frame(['ALPH', alpha], lossy), frame(lossless)),
  ),
];

/** One of each format. */
export const wholeImages = { jpeg: jpeg(), png: png(), gif: gif(gifLoop), webp: webp(lossy) };
