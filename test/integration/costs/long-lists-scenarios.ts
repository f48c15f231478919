import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

/** Pages of lists with 30,100 entries, for a reader that comes to each of them directly. */

const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const counters = 'functions/platform/table/list-counters.ts';

interface ListCosts {
  operation: string;
  path: (shop: MeasuredShop['longLists']) => string;
  /** What is read on every page. */
  always: string;
  /** What is read of the list on page 1, 10 and 1,000. */
  pages: [string, string, string];
  code: string;
}

const countersOf = (list: string) => `the counters of \`POSITIONS#${list}\``;
const counted = (index: string): ListCosts['pages'] => [
  `${index}, newest first; start of the next page kept`,
  `start of the page, ${index} from the beginning of the list; start of the next page kept`,
  `start of the page, ${countersOf('slug')}; what is newer, and the newest half-hour that is counted, in ${index}; then from the page on; start of the next page kept`,
];
const newestParcels =
  'index `activity`: `SHIPMENTS#slug` and `DRAFTS#slug`, the newest 300; `POSITIONS#slug`; what is newer, and the newest half-hour that is counted, in the index; start of the page; start of the next page kept';

const lists: ListCosts[] = [
  {
    operation: 'searchOrders',
    path: ({ slug }) => `/v1/shops/${slug}/orders`,
    always: 'orders and shipments',
    pages: counted('index `timeline`: `ORDERS#slug`'),
    code: 'functions/api/orders/order-index.ts',
  },
  {
    operation: 'searchShipments',
    path: ({ slug }) => `/v1/shops/${slug}/shipments`,
    always: 'orders and shipments',
    pages: [newestParcels, `${newestParcels}; the page`, `${newestParcels}; the page`],
    code: 'functions/api/shipments/shipment-pages.ts',
  },
  {
    operation: 'searchClaims',
    path: ({ slug }) => `/v1/shops/${slug}/claims`,
    always: 'claims, their orders and shipments',
    pages: counted('index `timeline`: `CLAIMS#slug`'),
    code: counters,
  },
  {
    operation: 'listWebhookDeliveries',
    path: ({ slug, webhook }) => `/v1/shops/${slug}/webhooks/${webhook}/deliveries`,
    always: '`SHOP#slug` / `WEBHOOK#uuid`',
    pages: [
      '`DELIVERIES#slug#uuid`, newest first; start of the next page kept',
      `start of the page, ${countersOf('slug')} and ${countersOf('slug#deliveries#uuid')}; what is newer, and the newest minute that is counted, in \`DELIVERIES#slug#uuid\`; then from the page on; start of the next page kept`,
      `start of the page, ${countersOf('slug')} and ${countersOf('slug#deliveries#uuid')}; what is newer, and the newest minute that is counted, in \`DELIVERIES#slug#uuid\`; then from the page on; start of the next page kept`,
    ],
    code: counters,
  },
];

/**
 * The pages that counters find, from one on, and how many read units they cost at most: three times those of page 1. The
 * total of shipments is counted for every page. How much is read beside the counters depends on how old the newest cell is.
 */
const countedPages: Record<string, { from: number; maxReadUnits: number }> = {
  searchOrders: { from: 1000, maxReadUnits: 3 * 63 },
  searchShipments: { from: 1, maxReadUnits: 250 },
  searchClaims: { from: 1000, maxReadUnits: 3 * 93.5 },
  listWebhookDeliveries: { from: 10, maxReadUnits: 3 * 9 },
};

function variationOf(operation: string, page: number) {
  const { from, maxReadUnits } = countedPages[operation]!;
  return page >= from && { varies: true, maxReadUnits };
}

export const longListScenarios: Scenario[] = lists.flatMap(({ operation, path, always, pages, code }) =>
  [1, 10, 1000].map((page, i) => ({
    operation,
    case: `page ${page.toLocaleString('en')} of a list of 30,100`,
    access: `${authenticated}; ${pages[i]}; ${always}`,
    code,
    ...variationOf(operation, page),
    run: ({ call, longLists }: MeasuredShop) => call('GET', `${path(longLists)}?page=${page}`),
  })),
);
