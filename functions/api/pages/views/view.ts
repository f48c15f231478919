import type { Reader } from '#domain/tracking-page/dates.ts';
import type { Scheme } from '#schemas/look/palette.ts';
import type { BrandPalette } from '#schemas/shapes/settings-shapes.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';

/** What every page needs beside its facts. */
export interface PageContext extends Reader {
  /** Without it the browser chooses. */
  theme?: Scheme | undefined;
}

export interface Brand {
  name: string;
  logo_url: string | null;
  palette: BrandPalette;
}

/** How customers reach the shop beside its pages. */
export type Contact = Pick<TrackingPage['shop'], 'contact_phone' | 'contact_email'>;

export type PageLinks = TrackingPage['links'];
