import type { SegmentDialect } from '#domain/segments/segment-rules.ts';
import type { VendorName } from '#schemas/catalogues/integration-targets.ts';
import type { Dialect } from './dialect.ts';
import type { SegmentSource } from './segment-source.ts';

/** The code of a vendor is loaded with the first delivery or request that needs it. */
const dialects: Record<VendorName, () => Promise<{ dialect: Dialect }>> = {
  klaviyo: () => import('./klaviyo.ts'),
  braze: () => import('./braze.ts'),
  hubspot: () => import('./hubspot.ts'),
  emarsys: () => import('./emarsys.ts'),
  salesforce: () => import('./salesforce.ts'),
  shopify: () => import('./shopify/dialect.ts'),
};

export const loadDialect = async (name: VendorName): Promise<Dialect> => (await dialects[name]()).dialect;

const sources: Record<SegmentDialect, () => Promise<{ segments: SegmentSource }>> = {
  klaviyo: () => import('./klaviyo.ts'),
  shopify: () => import('./shopify/segments.ts'),
};

export const loadSource = async (name: SegmentDialect): Promise<SegmentSource> => (await sources[name]()).segments;
