import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { appZip } from '#lib/console/views/admin/app-zip.ts';

const manifest =
  '<?xml version="1.0"?>\n<manifest><meta><name>PostPurchaseNordlicht</name><label>Käse &amp; Brot</label></meta></manifest>';
const at = new Date(2026, 10, 27, 14, 35, 51);

/** A ZIP as a program reads it: from its end to its directory, and from there to its files. */
function read(content: Uint8Array) {
  const bytes = Buffer.from(content);
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  const directory = bytes.readUInt32LE(end + 16);
  expect(bytes.readUInt32LE(directory)).toBe(0x02014b50);
  expect(directory + bytes.readUInt32LE(end + 12)).toBe(end);
  const nameOf = (place: number, length: number) => bytes.toString('utf8', place, place + length);
  const local = bytes.readUInt32LE(directory + 42);
  expect(bytes.readUInt32LE(local)).toBe(0x04034b50);
  const nameLength = bytes.readUInt16LE(local + 26);
  const from = local + 30 + nameLength + bytes.readUInt16LE(local + 28);
  return {
    entries: bytes.readUInt16LE(end + 10),
    names: [nameOf(directory + 46, bytes.readUInt16LE(directory + 28)), nameOf(local + 30, nameLength)],
    methods: [bytes.readUInt16LE(directory + 10), bytes.readUInt16LE(local + 8)],
    checks: [bytes.readUInt32LE(directory + 16), bytes.readUInt32LE(local + 14)],
    times: [bytes.readUInt16LE(local + 10), bytes.readUInt16LE(local + 12)],
    attributes: bytes.readUInt32LE(directory + 38),
    content: bytes.subarray(from, from + bytes.readUInt32LE(local + 18)),
    size: bytes.readUInt32LE(directory + 24),
  };
}

describe('the app as a ZIP', () => {
  test('has the manifest in a folder with the name of the app, and nothing else', () => {
    const { name, content } = appZip(manifest, at);
    const zip = read(content);
    expect(name).toBe('PostPurchaseNordlicht.zip');
    expect(zip.entries).toBe(1);
    expect(zip.names).toEqual(['PostPurchaseNordlicht/manifest.xml', 'PostPurchaseNordlicht/manifest.xml']);
  });

  test('holds every byte of the manifest as it is, with its check sum', () => {
    const zip = read(appZip(manifest, at).content);
    expect(zip.content.toString('utf8')).toBe(manifest);
    expect(zip.size).toBe(Buffer.byteLength(manifest));
    expect(zip.methods).toEqual([0, 0]);
    expect(zip.checks).toEqual([crc32(manifest), crc32(manifest)]);
  });

  test('says when it was made, and that everybody may read the file', () => {
    const { times, attributes } = read(appZip(manifest, at).content);
    expect(times).toEqual([(14 << 11) | (35 << 5) | 25, ((2026 - 1980) << 9) | (11 << 5) | 27]);
    expect(attributes >>> 16).toBe(0o100644);
  });

  test.each(['<manifest/>', '<name></name>', '<name>../Evil</name>', '<name>Two Words</name>'])(
    'is not made of a manifest without the name of an app: %s',
    (wrong) => {
      expect(() => appZip(wrong, at)).toThrow('names no app');
    },
  );
});
