import { t, wordOf } from '../texts/texts.ts';
import { session } from './session.ts';

/** Names of companies are the same in every language. */
const vendors: Record<string, string> = {
  klaviyo: 'Klaviyo',
  braze: 'Braze',
  hubspot: 'HubSpot',
  emarsys: 'Emarsys',
  salesforce: 'Salesforce Marketing Cloud',
  shopify: 'Shopify',
};

/** The vendor of an integration, if it has one: else what it is for, and its number. */
export function integrationName(id: string): string {
  const vendor = session.value?.vendors.find(({ integration }) => integration === id)?.vendor;
  if (vendor) return vendors[vendor] ?? vendor;
  const number = /^integration_(\d+)$/.exec(id)?.[1];
  const kind = integrationKind(id);
  return number ? t('integrations.numbered', { kind, number }) : kind;
}

/** What it is for. */
export const integrationKind = (id: string): string => wordOf('integrations.kinds', id);
