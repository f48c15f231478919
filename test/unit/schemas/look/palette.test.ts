import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Colours, coloursOf, contrastOf, paletteStyle, readable, visible } from '#schemas/look/palette.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const palettes = fc.record({
  primary_dark: colour,
  primary_light: colour,
  secondary_dark: colour,
  secondary_light: colour,
  background: colour,
  surface: colour,
});

type Pair = [ink: keyof Colours, ground: keyof Colours];
const grounds = ['ground', 'surface', 'soft', 'arrived-soft', 'attention-soft', 'failed-soft'] as const;
const on = (inks: (keyof Colours)[]) => grounds.flatMap((ground) => inks.map((ink): Pair => [ink, ground]));

/** Every pair of text and ground in page.css. */
const texts: Pair[] = [
  ...on(['text', 'muted', 'link', 'arrived', 'attention', 'failed']),
  ['ground', 'text'],
  ['on-accent', 'accent'],
  ['on-offer', 'offer'],
  ['on-logo', 'logo'],
];
/** Every pair of a part that people must see, such as the border of a field, and its ground. */
const parts: Pair[] = on(['accent', 'field']);

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  test('everything can be read whatever the palette of the shop is', () => {
    fc.assert(
      fc.property(palettes, (palette) => {
        const colours = coloursOf(palette, scheme);
        const tooLow = (pairs: Pair[], ratio: number) =>
          pairs.filter(([ink, ground]) => contrastOf(colours[ink], colours[ground]) < ratio);
        expect(tooLow(texts, readable)).toEqual([]);
        expect(tooLow(parts, visible)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

test('a colour that can be read already stays as the shop chose it', () => {
  const palette = {
    primary_dark: '#12372a',
    primary_light: '#fbfada',
    secondary_dark: '#436850',
    secondary_light: '#adbc9f',
    background: '#ffffff',
    surface: '#f9fafb',
  };
  expect(coloursOf(palette, 'light')).toMatchObject({ accent: '#12372a', link: '#12372a', ground: '#ffffff' });
  expect(coloursOf(palette, 'dark')).toMatchObject({ accent: '#fbfada', offer: '#436850' });
});

test('the contrast of black on white is 21:1', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
});

test('a wanted theme has no colours of the other one', () => {
  const palette = Object.fromEntries(
    ['primary_dark', 'primary_light', 'secondary_dark', 'secondary_light', 'background', 'surface'].map((name) => [
      name,
      '#808080',
    ]),
  ) as never;
  expect(paletteStyle(palette, 'dark')).not.toContain('@media');
  expect(paletteStyle(palette, 'dark')).toContain('color-scheme:dark');
  expect(paletteStyle(palette)).toContain('@media (prefers-color-scheme:dark)');
});
