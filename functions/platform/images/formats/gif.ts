import { BrokenImage, ByteReader, refuseAppended } from './byte-reader.ts';

const introducer = { extension: 0x21, picture: 0x2c, end: 0x3b };
const graphicControl = 0xf9;
const application = 0xff;

/** Removes comments and application data. The pictures, their timing and the number of repetitions stay. */
export function cleanGif(bytes: Uint8Array): Buffer {
  const reader = new ByteReader(bytes);
  const header = reader.take(13);
  if (!/^GIF8[79]a/.test(header.toString('latin1', 0, 6)))
    throw new BrokenImage('The start of the image is missing or damaged.');
  const kept: Buffer[] = [header, reader.take(colourTableLength(header[10]!))];
  let pictures = 0;
  for (let kind = reader.byte(); kind !== introducer.end; kind = reader.byte()) {
    if (kind === introducer.picture) pictures++;
    kept.push(...blockOf(reader, kind));
  }
  if (pictures === 0) throw new BrokenImage('The file contains no picture.');
  refuseAppended(reader.rest());
  return Buffer.concat([...kept, Buffer.from([introducer.end])]);
}

/** The three lowest bits are the exponent of the size. The highest bit says whether there is a table. */
const colourTableLength = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);

function blockOf(reader: ByteReader, kind: number): Buffer[] {
  if (kind === introducer.picture) return picture(reader);
  if (kind === introducer.extension) return extension(reader);
  throw new BrokenImage('The image is damaged.');
}

function picture(reader: ByteReader): Buffer[] {
  const descriptor = reader.take(9);
  const table = reader.take(colourTableLength(descriptor[8]!));
  const codeSize = reader.take(1);
  return [Buffer.from([introducer.picture]), descriptor, table, codeSize, ...subBlocks(reader)];
}

function extension(reader: ByteReader): Buffer[] {
  const label = reader.byte();
  const blocks = subBlocks(reader);
  const head = Buffer.from([introducer.extension, label]);
  if (label === graphicControl) return [head, ...blocks];
  const loop = label === application ? loopOf(blocks) : undefined;
  return loop ? [head, ...loop] : [];
}

/** Both names mean the same: how often the animation repeats. */
const loops = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

function loopOf([name, count]: Buffer[]): Buffer[] | undefined {
  if (!name || !count || !loops.includes(name.toString('latin1', 1))) return undefined;
  return count.length === 4 && count[1] === 1 ? [name, count, Buffer.from([0])] : undefined;
}

/** Each block begins with its length, and the last block is empty. */
function subBlocks(reader: ByteReader): Buffer[] {
  const blocks: Buffer[] = [];
  for (;;) {
    const block = reader.take(1 + reader.peek(1)[0]!);
    blocks.push(block);
    if (block.length === 1) return blocks;
  }
}
