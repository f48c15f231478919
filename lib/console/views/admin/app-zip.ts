/** The app of Shopware as a file to upload, made of its manifest. */
interface AppFile {
  name: string;
  content: Uint8Array<ArrayBuffer>;
}

/**
 * Shopware takes an app as a ZIP whose entries all lie in one folder with the name of the app. It looks for that folder in the
 * first entry. Sources: AppArchiveValidator.php and PluginZipDetector.php of shopware/shopware.
 */
export function appZip(manifest: string, at: Date): AppFile {
  const name = /<name>\s*([A-Za-z][A-Za-z0-9]*)\s*<\/name>/.exec(manifest)?.[1];
  if (name === undefined) throw new Error('The manifest names no app.');
  return { name: `${name}.zip`, content: zipOf(`${name}/manifest.xml`, new TextEncoder().encode(manifest), at) };
}

/** A ZIP with one file, stored as it is: a manifest is too small to compress. Source: APPNOTE.TXT of PKWARE, 4.3. */
function zipOf(path: string, content: Uint8Array, at: Date): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode(path);
  const size = content.length;
  // Version 1.0, names in UTF-8, no compression.
  const shared = [u16(10), u16(0x0800), u16(0), u16(dosTime(at)), u16(dosDate(at)), u32(crc32(content))];
  const sizes = [u32(size), u32(size), u16(name.length), u16(0)];
  const local = join([u32(0x04034b50), ...shared, ...sizes, name, content]);
  // Made by version 2.0 of UNIX; then no comment, the first disk, no attributes but that it is a file that all may read.
  const directory = join([
    u32(0x02014b50),
    u16(0x0314),
    ...shared,
    ...sizes,
    ...[u16(0), u16(0), u16(0), u32(0o100644 * 0x10000), u32(0)],
    name,
  ]);
  const end = [u32(0x06054b50), u16(0), u16(0), u16(1), u16(1), u32(directory.length), u32(local.length), u16(0)];
  return join([local, directory, ...end]);
}

const u16 = (value: number) => Uint8Array.of(value & 0xff, (value >>> 8) & 0xff);
const u32 = (value: number) => join([u16(value), u16(value >>> 16)]);

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const dosTime = (at: Date) => (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
const dosDate = (at: Date) => ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();

function crc32(content: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of content) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
