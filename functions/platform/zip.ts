import { crc32, deflateRawSync, constants as zlib } from 'node:zlib';

/**
 * The pieces of a ZIP file. A file can be compressed in parts, at different times and by different functions: each part ends
 * at a byte and without the mark of the last one, so that all of them together are one compressed stream.
 */

/** What is known of the parts of a file until now. */
export interface Packed {
  /** Of the content. */
  crc: number;
  size: number;
  /** Of what is stored. */
  packedSize: number;
}

export const nothingPacked: Packed = { crc: 0, size: 0, packedSize: 0 };

/** Compresses the next part of a file. */
export function packPart(content: Uint8Array, before: Packed): { bytes: Buffer; packed: Packed } {
  const bytes = deflateRawSync(content, { finishFlush: zlib.Z_FULL_FLUSH });
  return {
    bytes,
    packed: {
      crc: crc32(content, before.crc),
      size: before.size + content.length,
      packedSize: before.packedSize + bytes.length,
    },
  };
}

/** Ends the compressed stream: a last block without content. */
export const endOfParts = Buffer.from([3, 0]);

export interface ZipEntry extends Packed {
  name: string;
  /** Whether the content was compressed. */
  isDeflated: boolean;
  /** Where its header begins in the ZIP file. */
  offset: number;
}

/** What is larger, or as large, stands in the extension of the format for large files (Zip64), and this in its place. */
const max32 = 0xffff_ffff;
const max16 = 0xffff;

const isLarge = (size: number): boolean => size >= max32;

/** 2026-01-01, because the true time says nothing, and a repeated step has to make the same bytes. */
const date = ((2026 - 1980) << 9) | (1 << 5) | 1;
const isUtf8 = 0x0800;
/** Of the format that a reader has to know: 2.0, and 4.5 for large files. */
const [version, largeVersion] = [20, 45];

/** What both headers of an entry have in common. @param extension `extensionWith` the numbers that this header has */
function fieldsOf({ name, crc, size, packedSize, isDeflated }: ZipEntry, extension: Buffer): Buffer {
  const isExtended = extension.length > 0;
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(isExtended ? largeVersion : version, 0);
  fields.writeUInt16LE(isUtf8, 2);
  fields.writeUInt16LE(isDeflated ? 8 : 0, 4);
  fields.writeUInt16LE(0, 6);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(isExtended ? max32 : packedSize, 14);
  fields.writeUInt32LE(isExtended ? max32 : size, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  fields.writeUInt16LE(extension.length, 24);
  return fields;
}

/** All of the numbers, if one is large. */
function extensionWith(...numbers: readonly number[]): Buffer {
  if (!numbers.some(isLarge)) return Buffer.alloc(0);
  const head = Buffer.from([1, 0, 8 * numbers.length, 0]);
  return Buffer.concat([head, ...numbers.map(in64Bits)]);
}

function in64Bits(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes;
}

/** Stands before the content of an entry. */
export function headerOf(entry: ZipEntry): Buffer {
  const extension = extensionWith(entry.size, entry.packedSize);
  return Buffer.concat([Buffer.from('PK\x03\x04'), fieldsOf(entry, extension), Buffer.from(entry.name), extension]);
}

/** The entry in the directory at the end. */
export function directoryEntryOf(entry: ZipEntry): Buffer {
  const extension = extensionWith(entry.size, entry.packedSize, entry.offset);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(extension.length > 0 ? max32 : entry.offset, 10);
  return Buffer.concat([
    Buffer.from('PK\x01\x02'),
    Buffer.from([version, 0]),
    fieldsOf(entry, extension),
    rest,
    Buffer.from(entry.name),
    extension,
  ]);
}

/** Stands at the end of the file. */
export function endOfZip(entries: number, directorySize: number, directoryOffset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(entries, max16), 8);
  end.writeUInt16LE(Math.min(entries, max16), 10);
  end.writeUInt32LE(Math.min(directorySize, max32), 12);
  end.writeUInt32LE(Math.min(directoryOffset, max32), 16);
  const isExtended = entries >= max16 || isLarge(directorySize) || isLarge(directoryOffset);
  return isExtended ? Buffer.concat([largeEnd(entries, directorySize, directoryOffset), end]) : end;
}

/** The same numbers in 64 bits, and where they are. */
function largeEnd(entries: number, directorySize: number, directoryOffset: number): Buffer {
  const versions = Buffer.from([largeVersion, 0, largeVersion, 0]);
  const disks = Buffer.alloc(8);
  return Buffer.concat([
    Buffer.from('PK\x06\x06'),
    in64Bits(44),
    versions,
    disks,
    ...[entries, entries, directorySize, directoryOffset].map(in64Bits),
    Buffer.from('PK\x06\x07'),
    disks.subarray(0, 4),
    in64Bits(directoryOffset + directorySize),
    Buffer.from([1, 0, 0, 0]),
  ]);
}
