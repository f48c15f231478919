import type { ProviderItem } from '#domain/tracking-providers/provider-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { TrackingProviderName } from '#schemas/catalogues/tracking-providers.ts';

/** A provider as the table stores it. */
export const provider = (name: TrackingProviderName, fields: Partial<ProviderItem> = {}) => ({
  ...keyOf.trackingProvider(name),
  provider: name,
  api_key: Buffer.from('sealed key'),
  webhook_secret: Buffer.from('sealed secret'),
  masked: { api_key: '****key', webhook_secret: '****cret' },
  base_url: null,
  priority: 100,
  carriers: [],
  updated_at: '2026-11-01T00:00:00.000Z',
  ...fields,
});
