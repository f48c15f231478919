import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  directoryEntryOf,
  endOfParts,
  endOfZip,
  headerOf,
  nothingPacked,
  type Packed,
  packPart,
} from '#platform/zip.ts';

function packedIn(texts: readonly string[]): { bytes: Buffer; packed: Packed } {
  let packed = nothingPacked;
  const parts = texts.map((text) => {
    const part = packPart(Buffer.from(text), packed);
    packed = part.packed;
    return part.bytes;
  });
  return { bytes: Buffer.concat([...parts, endOfParts]), packed };
}

test('Parts that were compressed one by one are one file', () => {
  const { bytes } = packedIn(['{"orders":[', '"Zoë"', '', ']}']);
  expect(inflateRawSync(bytes).toString()).toBe('{"orders":["Zoë"]}');
});

test('The checksum of the parts is that of the whole', () => {
  const [inParts, whole] = [packedIn(['one ', 'and another']), packedIn(['one and another'])];
  expect(inParts.packed.crc).toBe(whole.packed.crc);
  expect(inParts.packed.size).toBe(whole.packed.size);
});

test('The directory names each entry, its place and its sizes', () => {
  const { bytes, packed } = packedIn(['content']);
  const entry = { ...packed, name: 'däta.json', isDeflated: true, packedSize: bytes.length, offset: 0 };
  const file = Buffer.concat([headerOf(entry), bytes]);
  const directory = directoryEntryOf(entry);
  const zip = Buffer.concat([file, directory, endOfZip(1, directory.length, file.length)]);
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const at = zip.readUInt32LE(end + 16);
  expect(zip.toString('latin1', at, at + 4)).toBe('PK\x01\x02');
  const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
  expect(name).toBe('däta.json');
  const start = zip.readUInt32LE(at + 42) + 30 + Buffer.byteLength(name);
  expect(inflateRawSync(zip.subarray(start, start + zip.readUInt32LE(at + 20))).toString()).toBe('content');
});

/** Numbers of 64 bits, one after the other. */
const numbersAt = (bytes: Buffer, at: number, count: number) =>
  Array.from({ length: count }, (_, i) => Number(bytes.readBigUInt64LE(at + 8 * i)));

test('An entry with a number of more than 32 bits has its numbers in the extension', () => {
  const entry = { name: 'data.json', isDeflated: true, crc: 7, size: 9e9, packedSize: 5e9, offset: 6e9 };
  const header = headerOf(entry);
  expect(header.readUInt32LE(18)).toBe(0xffff_ffff);
  const extension = header.subarray(30 + entry.name.length);
  expect([extension.readUInt16LE(0), extension.length]).toEqual([1, header.readUInt16LE(28)]);
  expect(numbersAt(extension, 4, 2)).toEqual([9e9, 5e9]);
  const inDirectory = directoryEntryOf({ ...entry, size: 1, packedSize: 1 });
  expect(inDirectory.readUInt32LE(42)).toBe(0xffff_ffff);
  expect(numbersAt(inDirectory, 46 + entry.name.length + 4, 3)).toEqual([1, 1, 6e9]);
  expect(headerOf({ ...entry, size: 1, packedSize: 1 }).readUInt16LE(28)).toBe(0);
});

test.each([
  ['65,535 entries', 65_535, 100, 200],
  ['a directory behind the first 4 GB', 1, 100, 5e9],
])('A file with %s ends with its numbers in 64 bits', (_what, entries, size, offset) => {
  const end = endOfZip(entries, size, offset);
  expect(end.toString('latin1', 0, 4)).toBe('PK\x06\x06');
  expect(numbersAt(end, 24, 4)).toEqual([entries, entries, size, offset]);
  const locator = end.subarray(56);
  expect(locator.toString('latin1', 0, 4)).toBe('PK\x06\x07');
  expect(numbersAt(locator, 8, 1)).toEqual([offset + size]);
  expect(locator.toString('latin1', 20, 24)).toBe('PK\x05\x06');
});

test('A smaller file ends as readers of before know it', () => {
  expect(endOfZip(65_534, 100, 2 ** 32 - 2)).toHaveLength(22);
});
