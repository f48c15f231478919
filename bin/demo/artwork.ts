import { arc, box, type Colour, disc, line, picture, polygon, type Shape } from './picture.ts';
import type { Service } from './service.ts';

/** The logo and the pictures of the demo's shop. */

const pine: Colour = [18, 55, 42];
const moss: Colour = [67, 104, 80];
const white: Colour = [255, 255, 255];
const ink: Colour = [38, 48, 56];
const sand: Colour = [240, 236, 226];
const rust: Colour = [186, 92, 52];
const sky: Colour = [88, 128, 160];
const sun: Colour = [232, 182, 84];
const light: Colour = [150, 214, 176];

/** Letters in a field of 6 × 10, as lines. */
const letters: Record<string, readonly (readonly (readonly [number, number])[])[]> = {
  N: [
    [
      [0, 10],
      [0, 0],
      [6, 10],
      [6, 0],
    ],
  ],
  O: [arc(3, 5, 1, 0, 360).map(([x, y]) => [3 + (x - 3) * 3.2, 5 + (y - 5) * 5] as const)],
  R: [
    [
      [0, 10],
      [0, 0],
      [4, 0],
      [5.6, 1.2],
      [5.6, 4],
      [4, 5.2],
      [0, 5.2],
    ],
    [
      [3.4, 5.2],
      [6, 10],
    ],
  ],
  D: [
    [
      [0, 0],
      [0, 10],
      [3, 10],
      [5.4, 8],
      [6, 5],
      [5.4, 2],
      [3, 0],
      [0, 0],
    ],
  ],
  L: [
    [
      [0, 0],
      [0, 10],
      [5, 10],
    ],
  ],
  I: [
    [
      [1, 0],
      [1, 10],
    ],
  ],
  C: [
    [
      [5.8, 2],
      [4.4, 0.4],
      [2.6, 0],
      [0.8, 1.6],
      [0, 5],
      [0.8, 8.4],
      [2.6, 10],
      [4.4, 9.6],
      [5.8, 8],
    ],
  ],
  H: [
    [
      [0, 0],
      [0, 10],
    ],
    [
      [6, 0],
      [6, 10],
    ],
    [
      [0, 5],
      [6, 5],
    ],
  ],
  T: [
    [
      [0, 0],
      [6, 0],
    ],
    [
      [3, 0],
      [3, 10],
    ],
  ],
};

function lettering(text: string, x: number, y: number, size: number, colour: Colour): Shape[] {
  let at = x;
  return [...text].flatMap((letter) => {
    const strokes = letters[letter]!.map((points) =>
      line(colour, 1.5 * size, ...points.map(([px, py]) => [at + px * size, y + py * size] as const)),
    );
    at += (letter === 'I' ? 4.8 : letter === 'L' ? 8 : 9) * size;
    return strokes.flat();
  });
}

const mountain = (colour: Colour, snow: Colour, x: number, foot: number, half: number, height: number): Shape[] => [
  polygon(colour, [x - half, foot], [x, foot - height], [x + half, foot]),
  polygon(
    snow,
    [x - half * 0.3, foot - height * 0.7],
    [x, foot - height],
    [x + half * 0.3, foot - height * 0.7],
    [x + half * 0.1, foot - height * 0.62],
    [x - half * 0.08, foot - height * 0.7],
  ),
];

/** It brings its own ground, so that it can be read in light and dark. */
const logo = () =>
  picture({ width: 480, height: 144 }, pine, [
    ...line(light, 1.6, ...arc(14, 17, 10, 200, 340)),
    ...line([96, 168, 132], 1.6, ...arc(14, 18.5, 7.5, 205, 335)),
    ...mountain(moss, white, 18, 23.5, 7, 9),
    ...mountain([104, 146, 118], white, 11, 23.5, 8, 12),
    ...lettering('NORDLICHT', 31, 11.2, 0.78, white),
  ]);

/** By the sku of the product. */
const products: Record<string, { ground: Colour; shapes: readonly Shape[] }> = {
  'FJORD-JK': {
    ground: [222, 232, 238],
    shapes: [
      polygon(sky, [32, 24], [12, 40], [18, 76], [28, 74], [28, 84], [72, 84], [72, 74], [82, 76], [88, 40], [68, 24]),
      polygon([64, 100, 132], [38, 24], [50, 12], [62, 24], [50, 34]),
      box(white, 49, 32, 2, 52),
      ...line([64, 100, 132], 1.4, [33, 62], [43, 66]),
      ...line([64, 100, 132], 1.4, [67, 62], [57, 66]),
    ],
  },
  'GRANIT-BT': {
    ground: sand,
    shapes: [
      polygon(rust, [30, 18], [54, 18], [56, 48], [82, 60], [86, 74], [28, 74]),
      polygon(ink, [26, 74], [88, 74], [86, 84], [76, 84], [74, 80], [46, 80], [44, 84], [28, 84]),
      ...[30, 38, 46].flatMap((y) => line(white, 2, [40, y], [56, y + 2])),
      box([150, 70, 38], 28, 18, 28, 6),
    ],
  },
  'POLAR-VS': {
    ground: [228, 236, 230],
    shapes: [
      polygon(moss, [34, 20], [28, 42], [28, 84], [72, 84], [72, 42], [66, 20], [56, 26], [44, 26]),
      ...[40, 52, 64, 76].flatMap((y) => line([48, 80, 60], 1.6, [28, y], [72, y])),
      box(white, 49, 26, 2, 58),
    ],
  },
  'KAIA-28': {
    ground: [236, 228, 220],
    shapes: [
      ...line(ink, 3, ...arc(50, 22, 10, 180, 360)),
      polygon(rust, [30, 28], [36, 20], [64, 20], [70, 28], [74, 84], [26, 84]),
      polygon([150, 70, 38], [30, 28], [70, 28], [71, 44], [29, 44]),
      polygon([208, 122, 80], [34, 54], [66, 54], [68, 80], [32, 80]),
      box(sun, 47, 40, 6, 10),
    ],
  },
  'LOFOTEN-SH': {
    ground: [232, 232, 240],
    shapes: [
      polygon(ink, [34, 20], [14, 34], [22, 50], [30, 46], [30, 84], [70, 84], [70, 46], [78, 50], [86, 34], [66, 20]),
      polygon([232, 232, 240], ...arc(50, 19, 10, 0, 180)),
    ],
  },
  'NORDKAP-2': {
    ground: [214, 228, 220],
    shapes: [
      disc(sun, 78, 24, 8),
      polygon(moss, [8, 82], [46, 24], [92, 82]),
      polygon(pine, [34, 82], [46, 24], [58, 82]),
      polygon([104, 146, 118], [46, 24], [58, 82], [92, 82]),
      ...line(ink, 1.4, [46, 24], [4, 86]),
      box([176, 200, 184], 0, 82, 100, 18),
    ],
  },
  'EMBER-CK': {
    ground: [238, 232, 224],
    shapes: [
      polygon(sun, [44, 40], [50, 22], [56, 40], [53, 46], [47, 46]),
      polygon(rust, [47, 42], [50, 32], [53, 42]),
      box(ink, 26, 46, 48, 5),
      ...line(ink, 3, [34, 51], [26, 66]),
      ...line(ink, 3, [66, 51], [74, 66]),
      polygon(moss, [36, 62], [64, 62], [66, 86], [34, 86]),
      box([48, 80, 60], 36, 56, 28, 6),
    ],
  },
  'SOCKS-3': {
    ground: [240, 230, 232],
    shapes: [
      [16, moss],
      [38, rust],
      [60, sky],
    ].flatMap(([x, colour]) => {
      const [left, main] = [x as number, colour as Colour];
      return [
        polygon(
          main,
          [left, 22],
          [left + 14, 22],
          [left + 14, 62],
          [left + 26, 72],
          [left + 24, 82],
          [left + 8, 82],
          [left, 70],
        ),
        box(white, left, 30, 14, 3),
        box(white, left, 36, 14, 3),
      ];
    }),
  },
};

const rain = () =>
  picture(
    { width: 640, height: 360 },
    [70, 100, 118],
    [
      ...mountain([52, 80, 96], [120, 146, 160], 24, 56, 30, 34),
      ...mountain([44, 70, 84], [120, 146, 160], 72, 56, 38, 42),
      box([36, 60, 56], 0, 50, 100, 8),
      ...Array.from({ length: 40 }, (_, i) => {
        const [x, y] = [(i * 37) % 100, (i * 23) % 50];
        return line([170, 194, 208], 0.3, [x, y], [x - 1.4, y + 4]);
      }).flat(),
      polygon(sun, [44, 50], [46, 34], [49, 31], [52, 31], [55, 34], [57, 50]),
      disc(sun, 50.5, 28.5, 3.4),
      disc([240, 212, 184], 50.5, 29.2, 2),
      box(ink, 46.5, 50, 3, 2.4),
      box(ink, 52, 50, 3, 2.4),
    ],
  );

const aurora = () =>
  picture(
    { width: 640, height: 360 },
    [16, 28, 48],
    [
      ...[0, 1, 2].flatMap((i) =>
        line([[60, 140, 110], [84, 176, 136], light][i] as Colour, 4 - i, ...arc(50, 60 + 2 * i, 46, 205 + 6 * i, 330)),
      ),
      ...Array.from({ length: 30 }, (_, i) => disc(white, (i * 31) % 100, (i * 17) % 30, 0.25)),
      ...mountain([28, 52, 60], [150, 178, 190], 30, 57, 34, 30),
      ...mountain([22, 42, 50], [150, 178, 190], 74, 57, 34, 36),
    ],
  );

export interface Artwork {
  logo: string;
  rain: string;
  aurora: string;
  /** The address of the picture of a product, by its sku. */
  products: Record<string, string>;
}

/** Uploads the pictures, and returns their addresses. */
export async function makeArtwork(shop: Service): Promise<Artwork> {
  const upload = async (type: 'logo' | 'product' | 'background', content: Buffer) =>
    (await shop.upload(type, content)).url;
  const skus = Object.entries(products);
  const square = { width: 240, height: 240 };
  const addresses = await Promise.all(
    skus.map(
      async ([sku, { ground, shapes }]) => [sku, await upload('product', picture(square, ground, shapes))] as const,
    ),
  );
  return {
    logo: await upload('logo', logo()),
    rain: await upload('background', rain()),
    aurora: await upload('background', aurora()),
    products: Object.fromEntries(addresses),
  };
}
