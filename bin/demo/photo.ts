import { crc32, deflateSync } from 'node:zlib';

const [width, height] = [320, 240];

/** A PNG that shows a box of this colour with a tear, so that claims have something to look at. */
export function photo(colour: readonly [number, number, number]): Buffer {
  const rows = Array.from({ length: height }, (_, y) => row(y, colour));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.concat(rows));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function row(y: number, [r, g, b]: readonly [number, number, number]): Buffer {
  // The first byte says that the row is not filtered.
  const bytes = Buffer.alloc(1 + 3 * width);
  for (let x = 0; x < width; x++) {
    const isBox = x > 60 && x < 260 && y > 50 && y < 200;
    const isTear = isBox && Math.abs(x - 160 - 24 * Math.sin(y / 9)) < 5;
    const light = 1 - y / 500;
    const shade = isTear
      ? [30, 26, 24]
      : isBox
        ? [r * light, g * light, b * light]
        : [222 * light, 220 * light, 214 * light];
    bytes.set(shade.map(Math.round), 1 + 3 * x);
  }
  return bytes;
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
