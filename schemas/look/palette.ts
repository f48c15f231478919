import type { BrandPalette } from '../shapes/settings-shapes.ts';

/**
 * The colours of a page, computed from the palette of a shop so that everything can be read whatever the palette is. Greys
 * carry the page, and the colours of the shop accent it. Contrast is that of WCAG 2.2.
 */
export type Scheme = 'light' | 'dark';

export interface Colours {
  ground: string;
  surface: string;
  /** A quiet ground for what is set apart: placeholders, badges. */
  soft: string;
  text: string;
  muted: string;
  line: string;
  /** The border of a field, which people must see. */
  field: string;
  accent: string;
  'on-accent': string;
  link: string;
  offer: string;
  'on-offer': string;
  logo: string;
  'on-logo': string;
  arrived: string;
  attention: string;
  failed: string;
  'arrived-soft': string;
  'attention-soft': string;
  'failed-soft': string;
}

type Rgb = readonly [number, number, number];

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

export const readable = 4.5;
export const visible = 3;

export function coloursOf(palette: BrandPalette, scheme: Scheme): Colours {
  const { ground, surface, ink, accent, offer, logo } = scheme === 'light' ? lightBase(palette) : darkBase(palette);
  const quiet = {
    soft: mix(surface, ink, 0.06),
    'arrived-soft': mix(surface, tones[scheme].arrived, 0.1),
    'attention-soft': mix(surface, tones[scheme].attention, 0.1),
    'failed-soft': mix(surface, tones[scheme].failed, 0.1),
  };
  // Everything may stand on every ground.
  const grounds = [ground, surface, ...Object.values(quiet)];
  const reads = (colour: Rgb) => towards(colour, ink, grounds, readable);
  const shows = (colour: Rgb) => towards(colour, ink, grounds, visible);
  return hexes({
    ground,
    surface,
    ...quiet,
    text: ink,
    muted: reads(mix(ink, ground, 0.35)),
    line: mix(ground, ink, 0.14),
    field: shows(mix(ground, ink, 0.4)),
    accent: shows(accent),
    'on-accent': bestOn(shows(accent)),
    link: reads(accent),
    offer,
    'on-offer': bestOn(offer),
    logo,
    'on-logo': bestOn(logo),
    arrived: reads(tones[scheme].arrived),
    attention: reads(tones[scheme].attention),
    failed: reads(tones[scheme].failed),
  });
}

interface Base {
  ground: Rgb;
  surface: Rgb;
  ink: Rgb;
  accent: Rgb;
  offer: Rgb;
  logo: Rgb;
}

const lightInk: Rgb = [24, 29, 36];
const darkInk: Rgb = [240, 242, 245];
const darkGround: Rgb = [18, 21, 26];

/** The luminance that a light ground has at least: ink and the tones are then readable on it. */
const lightEnough = 0.8;
/** How far the parts of a ground's colour are apart: it has a tint at most, because greys carry the page. */
const calmSpread = 24;
const spread = (colour: Rgb) => Math.max(...colour) - Math.min(...colour);
/** The luminance that a dark ground has at most. */
const darkEnough = 0.02;

function lightBase({ background, surface, primary_dark, secondary_light }: BrandPalette): Base {
  return {
    ground: lightened(rgb(background)),
    surface: lightened(rgb(surface)),
    ink: lightInk,
    accent: rgb(primary_dark),
    offer: rgb(secondary_light),
    logo: lightened(rgb(background)),
  };
}

function darkBase({ background, primary_dark, primary_light, secondary_dark }: BrandPalette): Base {
  const ground = darkened(mix(darkGround, rgb(primary_dark), 0.05));
  return {
    ground,
    surface: mix(ground, darkInk, 0.06),
    ink: darkInk,
    accent: rgb(primary_light),
    offer: rgb(secondary_dark),
    // Most logos are made for a light ground.
    logo: lightened(rgb(background)),
  };
}

const lightened = (colour: Rgb) =>
  until(colour, white, (one) => luminance(one) >= lightEnough && spread(one) <= calmSpread);
const darkened = (colour: Rgb) => until(colour, black, (one) => luminance(one) <= darkEnough);

const tones = {
  light: { arrived: [21, 115, 71], attention: [150, 85, 0], failed: [180, 35, 24] },
  dark: { arrived: [110, 205, 150], attention: [245, 190, 90], failed: [250, 150, 140] },
} as const satisfies Record<Scheme, Record<string, Rgb>>;

/** The colour itself, or the first on the way to another one that has the contrast on every ground. */
const towards = (colour: Rgb, end: Rgb, grounds: readonly Rgb[], ratio: number) =>
  until(colour, end, (one) => grounds.every((ground) => contrast(one, ground) >= ratio));

const steps = 40;

function until(colour: Rgb, end: Rgb, isEnough: (colour: Rgb) => boolean): Rgb {
  for (let step = 0; step < steps; step++) {
    const mixed = mix(colour, end, step / steps);
    if (isEnough(mixed)) return mixed;
  }
  return end;
}

/** Black or white: one of them always has 4.58:1. */
const bestOn = (ground: Rgb) => (contrast(black, ground) >= contrast(white, ground) ? black : white);

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Of two colours such as `#1F2933`. */
export const contrastOf = (one: string, other: string) => contrast(rgb(one), rgb(other));

/** The relative luminance of WCAG 2.2. */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => linear(value / 255)) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

const mix = (one: Rgb, other: Rgb, share: number): Rgb =>
  one.map((value, i) => Math.round(value + (other[i]! - value) * share)) as unknown as Rgb;

const rgb = (colour: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as never;
const hex = (colour: Rgb) => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;

const hexes = <Name extends string>(colours: Record<Name, Rgb>) =>
  Object.fromEntries(Object.entries<Rgb>(colours).map(([name, colour]) => [name, hex(colour)])) as Record<Name, string>;

/** The colours as custom properties: both schemes, or the one that is wanted. */
export function paletteStyle(palette: BrandPalette, theme?: Scheme): string {
  const rule = (scheme: Scheme) => {
    const properties = Object.entries(coloursOf(palette, scheme)).map(([name, colour]) => `--${name}:${colour}`);
    return `:root{color-scheme:${scheme};${properties.join(';')}}`;
  };
  return theme ? rule(theme) : `${rule('light')}@media (prefers-color-scheme:dark){${rule('dark')}}`;
}
