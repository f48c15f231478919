import type { Scenario } from './scenarios.ts';

const store = 'functions/api/settings/settings-store.ts';
const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const settings = '`SHOP#slug` / `SETTINGS`';
const storefront = '`STOREFRONT#slug` / `VERSION`';
const triggers = '`SHOP#slug` / `SETTINGS#TRIGGERS#integration`';

const integrationKey = '`SHOP#slug` / `INTEGRATION#id`';

const path = (slug: string, rest: string) => `/v1/shops/${slug}/settings${rest}`;

const read = (operation: string, rest: string, access: string): Scenario => ({
  operation,
  access: `${authenticated}; ${access}`,
  code: store,
  run: ({ call, slug }) => call('GET', path(slug, rest)),
});

const update = (operation: string, rest: string, body: object): Scenario => ({
  operation,
  access: `${authenticated}; ${settings}, read, then put with ${storefront} in one transaction`,
  code: store,
  run: ({ call, slug }) => call('PATCH', path(slug, rest), body),
});

const internalTriggers = '/triggers/webhook/internal-triggers';
const trigger = { name: 'Slow', operator: 'AND', time_threshold_type: 'created_at', time_threshold_value: 48 };

/** The costs of one internal trigger; all those of an integration are one item. */
const ofTrigger = (operation: string, method: string, access: string, body?: object): Scenario => ({
  operation,
  access: `${authenticated}; ${access}`,
  code: store,
  run: ({ call, slug, internalTrigger }) => call(method, path(slug, `${internalTriggers}/${internalTrigger}`), body),
});

export const settingsScenarios: Scenario[] = [
  read('getSettings', '', settings),
  update('updateCarrierSettings', '/carriers', { shipment_updates: false }),
  {
    ...update('updateCarrierSettings', '/carriers', { shipment_updates: true }),
    case: 'that switches updates on',
    access: `${authenticated}; ${settings}, read; ${settings}, \`STOREFRONT#slug\` / \`VERSION\` and \`OUTBOX#slug#CARRIERS\` in one transaction`,
  },
  update('updateTriggerSwitches', '/triggers', { integration_1: true }),
  update('updateSegmentSwitches', '/segments', { integration_1: true }),
  update('updateCampaignSettings', '/campaigns', { product_recommendations_enabled: true }),
  read('getBrandPalette', '/brand-palette', settings),
  update('updateBrandPalette', '/brand-palette', { surface: '#FAFAFA' }),
  read('getTrackingPageSettings', '/tracking-page', settings),
  update('updateTrackingPageSettings', '/tracking-page', { show_products: true }),
  read('getMappings', '/mappings', settings),
  {
    operation: 'setMappings',
    access: `${authenticated}; ${settings}, read, then put with ${storefront} in one transaction; all of \`SHOP#slug\` / \`SETTINGS…\``,
    code: store,
    run: ({ call, slug }) => call('PUT', path(slug, '/mappings'), { data: {} }),
  },
  read(
    'listNotifications',
    '/notifications',
    'all of `SHOP#slug` / `SETTINGS…`; `SHOP#slug` / `INTEGRATION#id` of all integrations; all of `SHOP#slug` / `WEBHOOK#…`',
  ),
  read('getTriggerSettings', '/triggers/integration_1', `${settings}; ${triggers}; ${integrationKey}`),
  {
    ...read(
      'getTriggerSettings',
      '/triggers/webhook',
      `${settings}; ${triggers}; all of \`SHOP#slug\` / \`WEBHOOK#…\``,
    ),
    case: 'of `webhook`',
  },
  {
    ...update('updateTriggerSettings', '/triggers/integration_1', { stale_event_threshold: 5 }),
    access: `${authenticated}; ${settings}, read twice and put; ${triggers}; ${integrationKey}`,
  },
  read('listInternalTriggers', internalTriggers, triggers),
  {
    operation: 'createInternalTrigger',
    access: `${authenticated}; ${triggers}, read and put`,
    code: store,
    run: ({ call, slug }) => call('POST', path(slug, internalTriggers), trigger),
  },
  ofTrigger('getInternalTrigger', 'GET', triggers),
  ofTrigger('updateInternalTrigger', 'PUT', `${triggers}, read and put`, trigger),
  ofTrigger('deleteInternalTrigger', 'DELETE', `${triggers}, read and put`),
];
