import {
  type Capacity,
  gatewayLimits,
  keyLimits,
  type Limit,
  type Load,
  leastOf,
  ownLimits,
  rateOfShop,
  readerLimits,
  tableLimits,
} from './ceilings.ts';
import { ceilingOf, hottestFirst } from './hot-keys.ts';

type PathName = keyof typeof paths;

export type Loads = Record<PathName, Load>;

interface Row {
  name: PathName;
  shop: Limit;
  all: Limit;
}

interface Path {
  what: string;
  /**
   * One shop and everybody, before there was this table: read in the template by hand, without what the table takes at first. Of large
   * searches: measured.
   */
  before: [shop: string, all: string];
  /** What limits everybody, apart from keys. */
  limits: (capacity: Capacity, load: Load) => Limit[];
  /** Whether the rate of the shop's keys limits it. */
  isOfKeys?: boolean;
}

const ofApi = (capacity: Capacity, load: Load) => [...gatewayLimits(capacity), ...tableLimits(capacity, load)];
const ofEvents = (capacity: Capacity, load: Load) => [...ofApi(capacity, load), readerLimits.fanOut(capacity)];
const ofPages = (capacity: Capacity, load: Load) => [...ownLimits(capacity, 'pages'), ...tableLimits(capacity, load)];
const { ingest, delivery, fanOut, runs, mails } = readerLimits;
const ofUpdates = (capacity: Capacity, load: Load) => [
  ingest(capacity),
  fanOut(capacity),
  ...tableLimits(capacity, load),
];

const paths = {
  place: { what: 'orders placed', before: ['200, then 1,000', '2,000'], limits: ofEvents, isOfKeys: true },
  fulfil: { what: 'orders fulfilled', before: ['200', '2,000'], limits: ofEvents, isOfKeys: true },
  update: { what: 'carrier updates from the queue', before: ['500', '1,000'], limits: ofUpdates },
  updateInOneList: { what: 'the same without `spreadsShipments`', before: ['', ''], limits: ofUpdates },
  webhook: {
    what: 'webhooks of tracking providers, each of one or more updates',
    before: ['2,000', '2,000'],
    limits: (capacity) => ownLimits(capacity, 'providers'),
  },
  delivery: {
    what: 'deliveries to one endpoint that answers in 120 ms',
    before: ['3,000 to 4,000', '4,000'],
    limits: (capacity, load) => [delivery(capacity), ...tableLimits(capacity, load)],
  },
  view: { what: 'page views', before: ['2,000', '2,000'], limits: ofPages },
  largeView: { what: 'page views with a storefront of 300 KB', before: ['80', '2,000'], limits: ofPages },
  firstView: { what: 'first views of a page with a promotion', before: ['', ''], limits: ofPages },
  rating: { what: 'ratings', before: ['', ''], limits: ofPages },
  list: { what: 'lists of 50 orders', before: ['200', '2,000'], limits: ofApi, isOfKeys: true },
  search: { what: 'searches of 50 shipments', before: ['200', '2,000'], limits: ofApi, isOfKeys: true },
  largeSearch: {
    what: 'searches of 50 of 100,000 shipments of a day',
    before: ['15', '233'],
    limits: ofApi,
    isOfKeys: true,
  },
  claim: { what: 'claims of the merchant', before: ['200', '2,000'], limits: ofEvents, isOfKeys: true },
  counts: {
    what: 'batches of counters, each of up to 500 records',
    before: ['100', ''],
    limits: tableLimits,
  },
  feed: {
    what: 'the same with a feed',
    before: ['', ''],
    limits: tableLimits,
  },
  run: {
    what: 'runs of one automation, each after an update',
    before: ['125', ''],
    limits: (capacity, load) => [runs(capacity), ...tableLimits(capacity, load)],
  },
  mail: {
    what: 'e-mails, each after an update',
    before: ['14', '14'],
    limits: (capacity, load) => [mails(capacity), ...tableLimits(capacity, load)],
  },
} satisfies Record<string, Path>;

/** The first limit of each path. */
export function rowsOf(loads: Loads, capacity: Capacity): Row[] {
  return (Object.keys(paths) as PathName[]).map((name) => {
    const { limits, isOfKeys = false }: Path = paths[name];
    const keys = keyLimits(loads[name]);
    const others = limits(capacity, loads[name]);
    const ofShop = isOfKeys ? [rateOfShop(capacity)] : [];
    return { name, shop: leastOf([...keys.shop, ...ofShop, ...others]), all: leastOf([...keys.all, ...others]) };
  });
}

export function renderCeilings(rows: readonly Row[], loads: Loads): string {
  const ceilings = rows.map(({ name, shop, all }) => {
    const { what, before }: Path = paths[name];
    const ofAll = all.name === shop.name ? ['the same', 'the same'] : [all.name, all.change];
    return [what, before[0], shown(shop.perSecond), shop.name, shop.change, before[1], shown(all.perSecond), ...ofAll];
  });
  const heat = (Object.keys(loads) as PathName[]).flatMap((name) =>
    hottestFirst(loads[name].hot).map((key) => [
      paths[name].what,
      `\`${key.name}\`${key.shards > 1 ? `, ${key.shards} of them` : ''}`,
      key.place === 'table' ? 'table' : `\`${key.place}\``,
      rounded(key.writeUnits),
      rounded(key.readUnits),
      shown(ceilingOf(key)),
    ]),
  );
  return [
    'Operations a second of the stage `prod`, of one shop and of everybody. [capacity.md](../../../../lib/capacity.md) says what is assumed. ' +
      'What was before there was this table was read in the template by hand: throttles, rates and keys, and not what the table and its indexes take at first. ' +
      'A limit "as it begins" doubles within half an hour if it must, up to 40,000 units.\n\n',
    tableOf(
      [
        'Path',
        'One shop, before',
        'One shop',
        'Its first limit',
        'To change',
        'All, before',
        'All',
        'Their first limit',
        'To change',
      ],
      ceilings,
    ),
    '\n## Keys that the operations of a path have in common\n\n',
    'Units of one operation. A key takes 1,000 write units and 3,000 read units a second. A key that is new here is a new limit.\n\n',
    tableOf(['Path', 'Key', 'Place', 'Write units', 'Read units', 'Operations a second'], heat),
  ].join('');
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const shown = (count: number) => count.toLocaleString('en-US');
const rounded = (units: number) => String(Math.round(units * 100) / 100);
