import type { VendorName } from '#schemas/catalogues/integration-targets.ts';
import type { Dialect } from './dialect.ts';

/** A dialect is loaded with the first delivery that needs it. */
const loaders: Record<VendorName, () => Promise<{ dialect: Dialect }>> = {
  klaviyo: () => import('./klaviyo/dialect.ts'),
  braze: () => import('./braze/dialect.ts'),
  hubspot: () => import('./hubspot/dialect.ts'),
  emarsys: () => import('./emarsys/dialect.ts'),
  salesforce: () => import('./salesforce/dialect.ts'),
  shopify: () => import('./shopify/dialect.ts'),
};

export const loadDialect = async (name: VendorName): Promise<Dialect> => (await loaders[name]()).dialect;
