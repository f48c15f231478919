import { crc32 } from 'node:zlib';
import { BrokenImage, ByteReader, refuseAppended } from './byte-reader.ts';
import { exifOf, orientationOf } from './orientation.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const critical = ['IHDR', 'PLTE', 'IDAT', 'IEND'];

/**
 * These chunks stay besides the critical ones: transparency, colour, pixel size, animation. Texts, times and unknown
 * chunks are removed.
 */
const harmless = 'tRNS gAMA cHRM sRGB iCCP sBIT cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' ');

/** Removes metadata. What decoding needs, the colours and the orientation stay. */
export function cleanPng(bytes: Uint8Array): Buffer {
  const reader = new ByteReader(bytes);
  if (!reader.take(signature.length).equals(signature))
    throw new BrokenImage('The start of the image is missing or damaged.');
  const kept: Buffer[] = [signature];
  const seen = new Set<string>();
  for (let type = ''; type !== 'IEND'; ) {
    const chunk = readChunk(reader);
    type = chunk.type;
    if ((type === 'IHDR') !== (seen.size === 0)) throw new BrokenImage('The image is damaged.');
    seen.add(type);
    const cleaned = cleanChunk(chunk);
    if (cleaned) kept.push(cleaned);
  }
  if (!seen.has('IDAT')) throw new BrokenImage('The file contains no picture.');
  refuseAppended(reader.rest());
  return Buffer.concat(kept);
}

interface Chunk {
  type: string;
  content: Buffer;
}

function readChunk(reader: ByteReader): Chunk {
  const length = reader.take(4).readUInt32BE();
  const body = reader.take(4 + length);
  if (reader.take(4).readUInt32BE() !== crc32(body)) throw new BrokenImage('The image is damaged.');
  const chunk = { type: body.toString('latin1', 0, 4), content: body.subarray(4) };
  if (chunk.type === 'IHDR' && !isHeader(chunk.content)) throw new BrokenImage('The image is damaged.');
  if (/^[A-Z]/.test(chunk.type) && !critical.includes(chunk.type)) throw new BrokenImage('The image is damaged.');
  return chunk;
}

const isHeader = (content: Buffer) =>
  content.length === 13 && content.readUInt32BE(0) > 0 && content.readUInt32BE(4) > 0;

/** Returns undefined if the chunk must be removed. */
function cleanChunk({ type, content }: Chunk): Buffer | undefined {
  if (type === 'IEND') return encodeChunk(type, Buffer.alloc(0));
  if (critical.includes(type) || harmless.includes(type)) return encodeChunk(type, content);
  const orientation = type === 'eXIf' ? orientationOf(content) : undefined;
  return orientation === undefined ? undefined : encodeChunk(type, exifOf(orientation));
}

function encodeChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
