const orientationTag = 0x0112;
const entryLength = 12;
const short = 3;

/** How a viewer must turn the picture: 2 to 8. Undefined if Exif says nothing or 1 (no turn), or cannot be read. */
export function orientationOf(exif: Buffer): number | undefined {
  const tiff = exif.subarray(exif.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
  const number = (at: number, bytes: 2 | 4): number => {
    if (at + bytes > tiff.length) return 0;
    return order === 'II' ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes);
  };
  const directory = number(4, 4);
  const entries = Math.min(number(directory, 2), Math.floor((tiff.length - directory) / entryLength));
  for (let index = 0; index < entries; index++) {
    const entry = directory + 2 + index * entryLength;
    if (number(entry, 2) !== orientationTag || number(entry + 2, 2) !== short) continue;
    const value = number(entry + 8, 2);
    return value >= 2 && value <= 8 ? value : undefined;
  }
  return undefined;
}

/** Exif with only the orientation. Without it, photos of most phones would lie on their side. */
export function exifOf(orientation: number): Buffer {
  const exif = Buffer.alloc(26);
  exif.write('MM\0*', 'latin1');
  exif.writeUInt32BE(8, 4); // the directory begins here
  exif.writeUInt16BE(1, 8); // and has one entry
  exif.writeUInt16BE(orientationTag, 10);
  exif.writeUInt16BE(short, 12);
  exif.writeUInt32BE(1, 14);
  exif.writeUInt16BE(orientation, 18);
  return exif;
}
