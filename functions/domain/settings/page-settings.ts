import type { BrandPalette } from '#schemas/shapes/settings-shapes.ts';
import type { TrackingPageSettings } from '#schemas/shapes/tracking-page.ts';
import type { StoredSettings } from './stored-settings.ts';

/** The settings that decide how the tracking pages of a shop look. */

/** Neutral dark text on a light background suits every shop until it sets its own colours. */
const defaultPalette: BrandPalette = {
  primary_dark: '#1F2933',
  primary_light: '#F5F7FA',
  secondary_dark: '#52606D',
  secondary_light: '#CBD2D9',
  background: '#FFFFFF',
  surface: '#F9FAFB',
};

export const toPalette = ({ brand_palette }: StoredSettings): BrandPalette => ({ ...defaultPalette, ...brand_palette });

const defaultPage: TrackingPageSettings = {
  enabled: true,
  claims_enabled: true,
  show_products: true,
  show_predictions: true,
  ratings_enabled: false,
  withdrawal_enabled: false,
  withdrawal_days: 14,
  support_url: null,
  privacy_url: null,
  imprint_url: null,
};

export const toPageSettings = ({ tracking_page }: StoredSettings): TrackingPageSettings => ({
  ...defaultPage,
  ...tracking_page,
});
