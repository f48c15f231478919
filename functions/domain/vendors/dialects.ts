import type { VendorName } from '#schemas/catalogues/integration-targets.ts';
import type { Dialect } from './dialect.ts';

/** The code of a vendor is loaded with the first delivery that needs it. */
const loaders: Record<VendorName, () => Promise<{ dialect: Dialect }>> = {
  klaviyo: () => import('./klaviyo.ts'),
  braze: () => import('./braze.ts'),
  hubspot: () => import('./hubspot.ts'),
  emarsys: () => import('./emarsys.ts'),
  salesforce: () => import('./salesforce.ts'),
  shopify: () => import('./shopify/dialect.ts'),
};

export const loadDialect = async (name: VendorName): Promise<Dialect> => (await loaders[name]()).dialect;
