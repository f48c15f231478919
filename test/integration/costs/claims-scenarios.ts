import { randomBytes } from 'node:crypto';
import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const reference = '`CLAIMREF#slug#uuid`';
const claim = '`CLAIMS#slug#order` / `CLAIM#uuid`';
const subject = 'order and shipment';
const wholeOrder = 'all of `ORDER#slug#uuid`';
const writes = 'functions/domain/claims/claim-writes.ts';
const store = 'functions/domain/claims/claim-store.ts';

/** A text that does not shrink, so that no item is near the end of a kilobyte, where the ids of a run would decide. */
const description = randomBytes(200).toString('base64');

const search = (filter: string, query: (shop: MeasuredShop) => string, index: string): Scenario => ({
  operation: 'searchClaims',
  case: filter,
  access: `${authenticated}; ${index}; orders and shipments`,
  code: 'functions/api/claims/search-claims.ts',
  run: (shop) => shop.call('GET', `/v1/shops/${shop.slug}/claims?${query(shop)}`),
});

export const claimScenarios: Scenario[] = [
  search('30 newest', () => '', 'index `timeline`: `CLAIMS#slug`, newest first; start of the next page kept; claims'),
  search(
    'second page of 10, after the first',
    () => 'per_page=10&page=2',
    'start of the page; index `timeline` from there; claims',
  ),
  search(
    'by last change, 10 a page',
    () => 'sort=-updated_at&per_page=10',
    'index `activity`: `CLAIMS#slug`, latest first; claims',
  ),
  search('by status, over 40', () => 'status=accepted', 'index `timeline`, until the page is full; claims'),
  search('by order', ({ order }) => `order_id=${order.uuid}`, '`CLAIMS#slug#order` / `CLAIM#…`'),
  search('by shipment', ({ order }) => `shipment_id=${order.shipment}`, '`CLAIMS#slug#order` / `CLAIM#…`'),
  {
    operation: 'createClaim',
    case: 'by shipment',
    access: `${authenticated}; ${wholeOrder}; ${claim}, \`HISTORY#uuid#version\` and \`COUNT\`, ${reference} and \`CLAIMREF#slug#number\`, \`PAGE#token\` / \`CLAIM#uuid\`, outbox in one transaction`,
    code: writes,
    run: ({ call, slug, order }) =>
      call('POST', `/v1/shops/${slug}/claims`, { shipment_id: order.shipment, reason: 'damage', description }),
  },
  {
    operation: 'createClaim',
    case: 'by tracking number',
    access: `${authenticated}; all of \`TRACKINGREF#slug#number\`; ${wholeOrder}; the same transaction`,
    code: writes,
    run: ({ call, slug, order }) =>
      call('POST', `/v1/shops/${slug}/claims`, { tracking_number: order.tracking, reason: 'damage', description }),
  },
  {
    operation: 'getClaim',
    access: `${authenticated}; ${reference}; ${claim}; ${subject}`,
    code: store,
    run: (shop) => shop.call('GET', `/v1/shops/${shop.slug}/claims/${shop.claim}`),
  },
  {
    operation: 'updateClaim',
    access: `${authenticated}; ${reference}; ${claim}; ${wholeOrder}; claim, \`HISTORY#uuid#version\` and outbox in one transaction; ${subject}`,
    code: writes,
    run: (shop) => shop.call('PUT', `/v1/shops/${shop.slug}/claims/${shop.claim}`, { status: 'accepted', description }),
  },
  {
    operation: 'listClaimHistory',
    access: `${authenticated}; ${reference}; ${claim}; \`CLAIMS#slug#order\` / \`HISTORY#uuid#…\`, newest first`,
    code: 'functions/api/claims/claims.ts',
    run: (shop) => shop.call('GET', `/v1/shops/${shop.slug}/claims/${shop.claim}/history`),
  },
  {
    operation: 'createClaimMessage',
    access: `${authenticated}; ${reference}; ${claim}; ${wholeOrder}; claim, \`HISTORY#uuid#version\`, \`MESSAGE#uuid#number\`, \`PAGE#token\` / \`CLAIM#uuid\` and outbox in one transaction`,
    code: 'functions/domain/claims/write-message.ts',
    run: (shop) =>
      shop.call('POST', `/v1/shops/${shop.slug}/claims/${shop.claim}/messages`, {
        text: 'We send you a new one today.',
      }),
  },
  {
    operation: 'listClaimMessages',
    access: `${authenticated}; ${reference}; ${claim}; \`CLAIMS#slug#order\` / \`MESSAGE#uuid#…\`, newest first`,
    code: 'functions/domain/claims/message-store.ts',
    run: (shop) => shop.call('GET', `/v1/shops/${shop.slug}/claims/${shop.claim}/messages`),
  },
  {
    operation: 'deleteClaim',
    access: `${authenticated}; ${reference}; ${claim}; ${wholeOrder}; claim, \`HISTORY#uuid#version\` and \`PAGE#token\` / \`CLAIM#uuid\` in one transaction`,
    code: writes,
    run: (shop) => shop.call('DELETE', `/v1/shops/${shop.slug}/claims/${shop.claim}`),
  },
];
