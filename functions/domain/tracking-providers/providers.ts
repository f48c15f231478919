import type { TrackingProviderName } from '#schemas/catalogues/tracking-providers.ts';
import type { TrackingProvider } from './provider.ts';

/** A provider is loaded on first use. Each is a separate file in the bundle, so a cold start does not pay for it. */
export const providers: Record<TrackingProviderName, () => Promise<TrackingProvider>> = {
  aftership: async () => (await import('./aftership.ts')).aftership,
  easypost: async () => (await import('./easypost.ts')).easypost,
  shippo: async () => (await import('./shippo.ts')).shippo,
  ship24: async () => (await import('./ship24.ts')).ship24,
  seventeentrack: async () => (await import('./seventeentrack.ts')).seventeentrack,
};
