import { expect, vi } from 'vitest';
import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const reading = 'functions/domain/feed/reading.ts';
const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const settings = '`SHOP#slug` / `SETTINGS`';
const blocks = '`FEED#slug` / `BLOCK#…` from the cursor on';
const payloads = '`PAYLOADS#slug#event` / `PAYLOAD` of each event';
const place = '`FEED#slug` / `WAITING#place`';

/** Nothing else happens in it. */
const path = '/v1/shops/fed';
const events = 120;
const page = 100;

const list = ({ call }: MeasuredShop, query: string) => call('GET', `${path}/events?${query}`);
const within = { timeout: 100_000, interval: 200 };

/** A shop with some events in its feed. */
async function openFeed(shop: MeasuredShop): Promise<string> {
  const { call } = shop;
  await call('POST', '/v1/shops', { name: 'Fed', slug: 'fed' });
  await call('PATCH', `${path}/settings/events`, { feed_enabled: true });
  const orders = Array.from({ length: events }, (_, i) => ({
    id: `fed-${String(i).padStart(3, '0')}`,
    order: {},
    trackings: [{ tracking_number: `FED${String(i).padStart(4, '0')}` }],
  }));
  await call('PUT', `${path}/orders/bulk`, orders);
  await vi.waitFor(async () => {
    const { body } = await list(shop, 'limit=500');
    expect((body as { events: object[] }).events).toHaveLength(events);
    const ledger = (await call('GET', `${path}/events/ledger`)).body as { count: number }[];
    expect(ledger.reduce((sum, { count }) => sum + count, 0)).toBe(events);
  }, within);
  return '';
}

/** The cursor behind so many events. */
const cursorBehind = (limit: number) => async (shop: MeasuredShop) =>
  ((await list(shop, `limit=${limit}`)).body as { next: string }).next;

export const feedScenarios: Scenario[] = [
  {
    operation: 'listEvents',
    case: 'the oldest 100',
    access: `${authenticated}; ${settings}; the first and the last of \`FEED#slug\` / \`BLOCK#…\`, and one for each doubling of their number; ${blocks}; ${payloads}`,
    code: reading,
    prepare: openFeed,
    run: (shop) => list(shop, `limit=${page}`),
  },
  {
    operation: 'listEvents',
    case: '100 behind a cursor, wherever it is',
    access: `${authenticated}; ${settings}; ${blocks}; ${payloads}`,
    code: reading,
    prepare: cursorBehind(10),
    run: (shop, after) => list(shop, `limit=${page}&after=${after}`),
  },
  {
    operation: 'listEvents',
    case: 'nothing new',
    access: `${authenticated}; ${settings}; ${blocks}`,
    code: reading,
    prepare: cursorBehind(500),
    run: (shop, after) => list(shop, `after=${after}`),
  },
  {
    operation: 'listEvents',
    case: 'that waits for a second, in which nothing comes',
    access: `${authenticated}; ${settings}, twice; ${blocks}, once more for each second; all of ${place}, one of them put and deleted`,
    code: 'functions/api/feed/waiting.ts',
    prepare: cursorBehind(500),
    run: (shop, after) => list(shop, `wait=1&after=${after}`),
  },
  {
    operation: 'getEventLedger',
    case: 'of a few hours',
    access: `${authenticated}; ${settings}; \`HEARTBEAT#…\`; \`FEED#slug\` / \`LEDGER#generation#target#hour\` of the hours`,
    code: 'functions/domain/feed/ledger.ts',
    run: ({ call }) => call('GET', `${path}/events/ledger`),
  },
  {
    operation: 'getEventSettings',
    access: `${authenticated}; ${settings}`,
    code: 'functions/api/feed/settings.ts',
    run: ({ call }) => call('GET', `${path}/settings/events`),
  },
  {
    operation: 'updateEventSettings',
    access: `${authenticated}; ${settings}, read, then put with \`STOREFRONT#slug\` / \`VERSION\` in one transaction`,
    code: 'functions/api/feed/settings.ts',
    run: ({ call }) => call('PATCH', `${path}/settings/events`, { feed_enabled: false }),
  },
];
