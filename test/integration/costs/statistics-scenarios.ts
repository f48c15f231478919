import type { Scenario } from './scenarios.ts';

const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';

/** What the execution environment does not remember from the last ten minutes. */
const learned = 'all `STATISTICS#slug` / `COHORT#1#…` of 90 days';

export const statisticsScenarios: Scenario[] = [
  {
    operation: 'getStatistics',
    case: 'of 14 days',
    access: `${authenticated}; \`STATISTICS#slug\` / \`NOW\`, all \`ORDERS#day\` and \`DELIVERIES#day#target\` of the days`,
    code: 'functions/domain/figures/counter-store.ts',
    // The counts follow what the other scenarios do, at their own pace. It is a few items of well under a kilobyte.
    run: ({ call }) => call('GET', '/v1/shops/quiet/statistics'),
    prepare: async ({ call }) => {
      await call('POST', '/v1/shops', { name: 'Quiet', slug: 'quiet' });
      return '';
    },
  },
  {
    operation: 'getTargetStatistics',
    case: 'of 14 days without a delivery',
    access: `${authenticated}; \`STATISTICS#slug\` / \`DELIVERIES#day#target\`, one key for each day`,
    code: 'functions/domain/figures/counter-store.ts',
    run: ({ call }) => call('GET', '/v1/shops/quiet/statistics/deliveries/integration_1'),
  },
  {
    operation: 'getAttention',
    case: 'with one lost parcel',
    access: `${authenticated}; ${learned}; index \`attention\`, once for each reason; the parcels and claims that it shows`,
    code: 'functions/api/statistics/attention.ts',
    prepare: async ({ call }) => {
      await call('PUT', '/v1/shops/quiet/orders', { id: '1', order: {}, trackings: [{ tracking_number: 'QUIET1' }] });
      await call('POST', '/v1/shops/quiet/shipment-events', { id: 'QUIET1', event_name: 'SHIPMENT_LOST' });
      return '';
    },
    run: ({ call }) => call('GET', '/v1/shops/quiet/attention'),
  },
  {
    operation: 'searchOrders',
    case: 'with a parcel that is silent',
    access: `${authenticated}; ${learned}; index \`attention\`: \`ATTENTION#slug#under_way\`; orders and shipments`,
    code: 'functions/api/orders/order-index.ts',
    prepare: async ({ call }) => {
      const tracking_placed_at = new Date(Date.now() - 8 * 24 * 3600 * 1000).toISOString();
      const trackings = [{ tracking_number: 'QUIET2', tracking_placed_at }];
      await call('PUT', '/v1/shops/quiet/orders', { id: '2', order: {}, trackings });
      return '';
    },
    run: ({ call }) => call('GET', '/v1/shops/quiet/orders?attention=no_movement'),
  },
];
