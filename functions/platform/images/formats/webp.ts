import { BrokenImage, ByteReader, refuseAppended } from './byte-reader.ts';
import { exifOf, orientationOf } from './orientation.ts';

const frameHeaderLength = 16;
const flag = { exif: 0x08, xmp: 0x04 };
const keptTypes = ['VP8 ', 'VP8L', 'ALPH', 'VP8X', 'ICCP', 'ANIM', 'ANMF', 'EXIF'];
const frameTypes = ['VP8 ', 'VP8L', 'ALPH'];

interface Chunk {
  type: string;
  content: Buffer;
}

/** Removes metadata. Pictures, transparency, animation, the colour profile and the orientation stay. */
export function cleanWebp(bytes: Uint8Array): Buffer {
  const file = new ByteReader(bytes);
  if (file.text(4) !== 'RIFF') throw new BrokenImage('The start of the image is missing or damaged.');
  const reader = new ByteReader(file.take(file.take(4).readUInt32LE()));
  refuseAppended(file.rest());
  if (reader.text(4) !== 'WEBP') throw new BrokenImage('The start of the image is missing or damaged.');
  const chunks = [...chunksOf(reader)].flatMap(cleanChunk);
  if (!chunks.some(({ type }) => ['VP8 ', 'VP8L', 'ANMF'].includes(type)))
    throw new BrokenImage('The file contains no picture.');
  return encodeFile(chunks);
}

/** A content of odd length is followed by one padding byte, which its length does not include. */
function* chunksOf(reader: ByteReader): Generator<Chunk> {
  while (reader.left > 0) {
    const type = reader.text(4);
    const content = reader.take(reader.take(4).readUInt32LE());
    if (content.length % 2 === 1 && reader.left > 0) reader.take(1);
    yield { type, content };
  }
}

/** Returns an empty list if the chunk must be removed. */
function cleanChunk(chunk: Chunk): Chunk[] {
  const { type, content } = chunk;
  if (!keptTypes.includes(type)) return [];
  checkStart(chunk);
  if (type === 'ANMF') return [{ type, content: cleanFrame(content) }];
  if (type !== 'EXIF') return [chunk];
  const orientation = orientationOf(content);
  return orientation === undefined ? [] : [{ type, content: exifOf(orientation) }];
}

function cleanFrame(content: Buffer): Buffer {
  const reader = new ByteReader(content);
  const header = reader.take(frameHeaderLength);
  const chunks = [...chunksOf(reader)].filter(({ type }) => frameTypes.includes(type));
  chunks.forEach(checkStart);
  if (!chunks.some(({ type }) => type !== 'ALPH')) throw new BrokenImage('The file contains no picture.');
  return Buffer.concat([header, ...chunks.map(encodeChunk)]);
}

/** A chunk must begin as its type requires. */
function checkStart({ type, content }: Chunk): void {
  const fits =
    (type !== 'VP8 ' || content.toString('latin1', 3, 6) === '\x9d\x01\x2a') &&
    (type !== 'VP8L' || content[0] === 0x2f) &&
    (type !== 'VP8X' || content.length === 10);
  if (!fits) throw new BrokenImage('The image is damaged.');
}

function encodeFile(chunks: Chunk[]): Buffer {
  const hasExif = chunks.some(({ type }) => type === 'EXIF');
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    ...chunks.map((chunk) => encodeChunk(chunk.type === 'VP8X' ? withFlags(chunk, hasExif) : chunk)),
  ]);
  return encodeChunk({ type: 'RIFF', content: body });
}

/** The header says which metadata follow, so its flags must match what is left. */
function withFlags({ type, content }: Chunk, hasExif: boolean): Chunk {
  const copy = Buffer.from(content);
  copy[0] = (copy[0]! & ~(flag.exif | flag.xmp)) | (hasExif ? flag.exif : 0);
  return { type, content: copy };
}

function encodeChunk({ type, content }: Chunk): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, content, Buffer.alloc(content.length % 2)]);
}
