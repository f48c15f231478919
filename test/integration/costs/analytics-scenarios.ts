import { busyShopFigures } from '#test/kit/busy-shop-figures.ts';
import { storeItems } from '#test/kit/store-items.ts';
import type { Scenario } from './scenarios.ts';

const code = 'functions/domain/figures/counter-store.ts';
const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const ofCohorts =
  'all `ORDERS#day`, `RATINGS#day#carrier#country` and, three weeks in a request, `COHORT#1#day#carrier#country` of the days';

export const analyticsScenarios: Scenario[] = [
  {
    operation: 'getDeliveryTimes',
    case: 'of 90 days without parcels',
    access: `${authenticated}; \`STATISTICS#slug\` / ${ofCohorts}`,
    code,
    prepare: async ({ call }) => {
      await call('POST', '/v1/shops', { name: 'Empty', slug: 'empty' });
      return '';
    },
    run: ({ call }) => call('GET', '/v1/shops/empty/analytics/delivery-times'),
  },
  {
    operation: 'getDeliveryTimes',
    case: 'of a million parcels in 90 days, by 4 carriers to 12 countries',
    access: 'the same',
    code,
    prepare: async ({ call, service }) => {
      await call('POST', '/v1/shops', { name: 'Busy', slug: 'busy' });
      // Noon of the last day, so that the same parcels have arrived whenever this runs.
      const now = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
      await storeItems(service, busyShopFigures({ slug: 'busy', parcels: 1_000_000, days: 90, now }));
      return '';
    },
    run: ({ call }) => call('GET', '/v1/shops/busy/analytics/delivery-times?by=carrier,country,week'),
  },
  {
    operation: 'getOverview',
    case: 'of 90 days with a million parcels, by 4 carriers to 12 countries',
    access: `${authenticated}; \`STATISTICS#slug\` / all \`ORDERS#day\` of the days`,
    code,
    run: ({ call }) => call('GET', '/v1/shops/busy/analytics/overview'),
  },
  {
    operation: 'getArrivalCalibration',
    case: 'of a million parcels in 90 days, by 4 carriers to 12 countries',
    access: `${authenticated}; \`STATISTICS#slug\` / ${ofCohorts}`,
    code,
    run: ({ call }) => call('GET', '/v1/shops/busy/analytics/arrival-calibration'),
  },
];
