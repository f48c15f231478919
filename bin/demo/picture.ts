import { crc32, deflateSync } from 'node:zlib';

/** Draws flat shapes and encodes them as PNG, so that the demo needs no picture of anybody. */

export type Colour = readonly [red: number, green: number, blue: number];

/** Fills the polygon, in the units of the picture: its width is 100. */
export interface Shape {
  colour: Colour;
  points: readonly Point[];
}

type Point = readonly [x: number, y: number];

interface Size {
  width: number;
  height: number;
}

/** Twice as many samples in each direction as pixels make edges smooth. */
const fineness = 2;

/** @param shapes later ones cover earlier ones */
export function picture({ width, height }: Size, ground: Colour, shapes: readonly Shape[]): Buffer {
  const [columns, rows] = [width * fineness, height * fineness];
  const colours = [ground, ...shapes.map(({ colour }) => colour)];
  /** Which colour each sample has. */
  const samples = new Uint16Array(columns * rows);
  for (const [i, { points }] of shapes.entries()) {
    const scaled = points.map(([x, y]): Point => [(x * columns) / 100, (y * columns) / 100]);
    const [top, bottom] = [Math.min(...scaled.map(([, y]) => y)), Math.max(...scaled.map(([, y]) => y))];
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(rows, Math.ceil(bottom)); y++) {
      const crossings = crossingsAt(scaled, y + 0.5);
      for (let c = 0; c + 1 < crossings.length; c += 2) {
        const [from, to] = [Math.max(0, Math.round(crossings[c]!)), Math.min(columns, Math.round(crossings[c + 1]!))];
        if (from < to) samples.fill(i + 1, y * columns + from, y * columns + to);
      }
    }
  }
  return png({ width, height }, (x, y) => {
    const first = y * fineness * columns + x * fineness;
    const four = [first, first + 1, first + columns, first + columns + 1].map((at) => colours[samples[at]!]!);
    return [0, 1, 2].map((i) => four.reduce((sum, colour) => sum + colour[i]!, 0) / four.length);
  });
}

/** Where the edges of the polygon cross this row, from left to right. */
function crossingsAt(points: readonly Point[], y: number): number[] {
  const found = points.flatMap(([ax, ay], i) => {
    const [bx, by] = points.at(i - 1)!;
    return ay > y === by > y ? [] : [((bx - ax) * (y - ay)) / (by - ay) + ax];
  });
  return found.sort((one, other) => one - other);
}

export const polygon = (colour: Colour, ...points: Point[]): Shape => ({ colour, points });

export const box = (colour: Colour, x: number, y: number, width: number, height: number): Shape =>
  polygon(colour, [x, y], [x + width, y], [x + width, y + height], [x, y + height]);

export const disc = (colour: Colour, x: number, y: number, radius: number): Shape =>
  polygon(colour, ...arc(x, y, radius, 0, 360));

/** A line of this width through the points. */
export function line(colour: Colour, width: number, ...points: Point[]): Shape[] {
  const joints = points.map(([x, y]) => disc(colour, x, y, width / 2));
  const parts = points.slice(1).map(([bx, by], i) => {
    const [ax, ay] = points[i]!;
    const length = Math.hypot(bx - ax, by - ay);
    const [nx, ny] = [((ay - by) / length) * (width / 2), ((bx - ax) / length) * (width / 2)];
    return polygon(colour, [ax + nx, ay + ny], [bx + nx, by + ny], [bx - nx, by - ny], [ax - nx, ay - ny]);
  });
  return [...parts, ...joints];
}

/** Points on a circle, from one angle to another in degrees. */
export const arc = (x: number, y: number, radius: number, from: number, to: number): Point[] =>
  Array.from({ length: 25 }, (_, i) => {
    const angle = ((from + ((to - from) * i) / 24) * Math.PI) / 180;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });

/** @param colourAt red, green and blue of a pixel, from 0 to 255 */
export function png({ width, height }: Size, colourAt: (x: number, y: number) => readonly number[]): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    // The first byte says that the row is not filtered.
    const bytes = Buffer.alloc(1 + 3 * width);
    for (let x = 0; x < width; x++) bytes.set(colourAt(x, y).map(Math.round), 1 + 3 * x);
    return bytes;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.concat(rows));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
