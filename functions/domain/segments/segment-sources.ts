import type { SegmentDialect } from './segment-rules.ts';
import type { SegmentSource } from './segment-source.ts';

/** A source is loaded with the first request that needs it. */
const loaders: Record<SegmentDialect, () => Promise<{ source: SegmentSource }>> = {
  klaviyo: () => import('./klaviyo.ts'),
  shopify: () => import('./shopify.ts'),
};

export const loadSource = async (dialect: SegmentDialect): Promise<SegmentSource> => (await loaders[dialect]()).source;
