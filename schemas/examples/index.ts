import type { FamilyName } from '../families/index.ts';
import { abTestExamples } from './ab-tests.ts';
import { analyticsExamples } from './analytics.ts';
import { announcementExamples } from './announcements.ts';
import { automationExamples } from './automations.ts';
import { campaignExamples } from './campaigns.ts';
import { claimExamples } from './claims.ts';
import { dealExamples } from './deals.ts';
import { discountExamples } from './discounts.ts';
import { emailExamples } from './emails.ts';
import { eventExamples } from './events.ts';
import type { AnyExample } from './example.ts';
import { feedExamples } from './feed.ts';
import { imageExamples } from './images.ts';
import { metaExamples } from './meta.ts';
import { operationsExamples } from './operations.ts';
import { orderExamples } from './orders.ts';
import { pageExamples } from './pages.ts';
import { privacyExamples } from './privacy.ts';
import { sessionExamples } from './sessions.ts';
import { settingsExamples } from './settings.ts';
import { shipmentExamples } from './shipments.ts';
import { shopSystemExamples } from './shop-system.ts';
import { shopExamples } from './shops.ts';
import { simulationExamples } from './simulations.ts';
import { statisticsExamples } from './statistics.ts';
import { trackingProviderExamples } from './tracking-providers.ts';
import { webhookExamples } from './webhooks.ts';
import { withdrawalExamples } from './withdrawals.ts';

const byFamily = {
  shops: shopExamples,
  settings: settingsExamples,
  images: imageExamples,
  orders: orderExamples,
  shipments: shipmentExamples,
  events: eventExamples,
  claims: claimExamples,
  withdrawals: withdrawalExamples,
  campaigns: campaignExamples,
  'ab-tests': abTestExamples,
  discounts: discountExamples,
  deals: dealExamples,
  announcements: announcementExamples,
  automations: automationExamples,
  webhooks: webhookExamples,
  'shop-system': shopSystemExamples,
  pages: pageExamples,
  emails: emailExamples,
  privacy: privacyExamples,
  simulations: simulationExamples,
  feed: feedExamples,
  statistics: statisticsExamples,
  analytics: analyticsExamples,
  'tracking-providers': trackingProviderExamples,
  operations: operationsExamples,
  sessions: sessionExamples,
  meta: metaExamples,
} satisfies Record<FamilyName, Record<string, AnyExample>>;

/** The example of every operation, by the id of the operation. */
export const examples: Record<string, AnyExample> = Object.assign({}, ...Object.values(byFamily));
