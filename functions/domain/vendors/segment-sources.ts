import type { SegmentDialect } from '#domain/segments/segment-rules.ts';
import type { SegmentSource } from './segment-source.ts';

/** A source is loaded with the first request that needs it. Apart from the dialects, which the function of segments does not need. */
const loaders: Record<SegmentDialect, () => Promise<{ segments: SegmentSource }>> = {
  klaviyo: () => import('./klaviyo.ts'),
  shopify: () => import('./shopify/segments.ts'),
};

export const loadSource = async (name: SegmentDialect): Promise<SegmentSource> => (await loaders[name]()).segments;
