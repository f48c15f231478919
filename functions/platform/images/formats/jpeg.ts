import { BrokenImage, ByteReader, refuseAppended } from './byte-reader.ts';
import { exifOf, orientationOf } from './orientation.ts';

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, jfif: 0xe0, exif: 0xe1, icc: 0xe2, adobe: 0xee, comment: 0xfe };
const escaped = 0x00;

/** Removes metadata. What decoding needs, the colour profile and the orientation stay. */
export function cleanJpeg(bytes: Uint8Array): Buffer {
  const reader = new ByteReader(bytes);
  if (nextMarker(reader) !== marker.start) throw new BrokenImage('The start of the image is missing or damaged.');
  const kept: Buffer[] = [];
  let orientation: number | undefined;
  let seen = { frame: false, scan: false };
  for (let code = nextMarker(reader); code !== marker.end; code = nextMarker(reader)) {
    const content = segmentContent(reader, code);
    if (code === marker.exif && isNamed(content, 'Exif\0\0')) orientation ??= orientationOf(content);
    const cleaned = cleanSegment(code, content);
    if (cleaned) kept.push(segment(code, cleaned));
    if (code === marker.scan) kept.push(scanData(reader));
    seen = { frame: seen.frame || isFrame(code), scan: seen.scan || (code === marker.scan && seen.frame) };
  }
  if (!seen.scan) throw new BrokenImage('The file contains no picture.');
  refuseAllButCameraData(reader.rest());
  const exif = orientation === undefined ? [] : [segment(marker.exif, named('Exif\0\0', exifOf(orientation)))];
  return Buffer.concat([mark(marker.start), ...exif, ...kept, mark(marker.end)]);
}

/** Any number of fill bytes may precede the code of a marker. */
function nextMarker(reader: ByteReader): number {
  if (reader.byte() !== 0xff) throw new BrokenImage('The image is damaged.');
  let code = reader.byte();
  while (code === 0xff) code = reader.byte();
  return code;
}

function segmentContent(reader: ByteReader, code: number): Buffer {
  if (!isSegment(code)) throw new BrokenImage('The image is damaged.');
  const length = reader.take(2).readUInt16BE();
  if (length < 2) throw new BrokenImage('The image is damaged.');
  const content = reader.take(length - 2);
  if (isFrame(code) && !isFrameHeader(content)) throw new BrokenImage('The image is damaged.');
  return content;
}

/** A frame header has six bytes with the size, then three bytes for each component. */
const isFrameHeader = (content: Buffer) =>
  content.length >= 9 && content.length === 6 + 3 * content[5]! && content.readUInt16BE(3) > 0;

/**
 * Tables, frames, scans, application data and comments. The other codes are reserved or belong to hierarchical JPEG,
 * which no viewer shows.
 */
const isSegment = (code: number) =>
  (code >= 0xc0 && code <= 0xcf && code !== 0xc8) || (code >= 0xda && code <= 0xdd) || isApplicationData(code);
const isApplicationData = (code: number) => (code >= 0xe0 && code <= 0xef) || code === marker.comment;
const isFrame = (code: number) => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);
const isRestart = (code: number) => code >= 0xd0 && code <= 0xd7;

/** Returns undefined if the segment must be removed. */
function cleanSegment(code: number, content: Buffer): Buffer | undefined {
  if (!isApplicationData(code)) return content;
  if (code === marker.jfif && isNamed(content, 'JFIF\0') && content.length >= 14) return withoutThumbnail(content);
  if (code === marker.icc && isNamed(content, 'ICC_PROFILE\0')) return content;
  // This segment says how colours are stored. Without it, the colours of a CMYK image are inverted.
  if (code === marker.adobe && isNamed(content, 'Adobe')) return content.subarray(0, 12);
  return undefined;
}

function withoutThumbnail(jfif: Buffer): Buffer {
  return Buffer.concat([jfif.subarray(0, 12), Buffer.from([0, 0])]);
}

/** The compressed picture ends at the next marker that does not belong to it. */
const scanData = (reader: ByteReader) => reader.takeUntil(0xff, (code) => code !== escaped && !isRestart(code));

/**
 * Phones append a second picture, a video or their own data to a photo. All of that is removed. Data that no camera is
 * known to append is refused.
 */
function refuseAllButCameraData(rest: Buffer): void {
  const isPicture = rest[0] === 0xff && rest[1] === marker.start;
  const isVideo = rest.toString('latin1', 4, 8) === 'ftyp';
  const isPhoneData = rest.toString('latin1', rest.length - 4) === 'SEFT';
  if (!isPicture && !isVideo && !isPhoneData) refuseAppended(rest);
}

const isNamed = (content: Buffer, name: string) => content.toString('latin1', 0, name.length) === name;
const named = (name: string, content: Buffer) => Buffer.concat([Buffer.from(name, 'latin1'), content]);
const mark = (code: number) => Buffer.from([0xff, code]);

function segment(code: number, content: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([mark(code), length, content]);
}
