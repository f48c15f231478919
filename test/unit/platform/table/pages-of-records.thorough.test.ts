import { beforeAll, describe, expect, test } from 'vitest';
import { handler as abTests } from '#api/ab-tests/handler.ts';
import { handler as announcements } from '#api/announcements/handler.ts';
import { handler as campaigns } from '#api/campaigns/handler.ts';
import { handler as deals } from '#api/deals/handler.ts';
import { handler as discounts } from '#api/discounts/handler.ts';
import { handler as shops } from '#api/shops/handler.ts';
import { handler as simulations } from '#api/simulations/handler.ts';
import { type SimulationItem, simulationItem, toSimulation } from '#domain/simulations/simulation.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import type { CountedList } from '#platform/table/list-counters.ts';
import { consumedBy } from '#test/kit/consumed.ts';
import { type Call, invoke } from '#test/kit/invoke.ts';
import { countersOf } from '#test/kit/long-lists.ts';
import { type Item, memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, operator, shopItem, tableWith } from '#test/kit/table.ts';

/** Lists of which a shop, or the service, may have any number, and whose entries never move. */

const slug = 'blue';
/** One every ten seconds. */
const uuidOf = (n: number) => {
  const time = (0x019300000000 + n * 10_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
};

interface Kind {
  handler: typeof discounts;
  /** Behind the path of the shop, unless the list is of all shops. */
  path: string;
  list: CountedList;
  /** Where the first of them is. */
  partition: string;
  /** The same under another uuid. */
  copied: (item: Item, uuid: string) => object;
}

const record = (
  kind: 'discounts' | 'announcements' | 'campaigns' | 'abTests',
  handler: Kind['handler'],
  path: string,
): Kind => ({
  handler,
  path: `/v1/shops/{slug}${path}`,
  list: countedLists.records(slug, kind),
  partition: keyOf.record(kind, slug, '').pk,
  copied: (item, uuid) => ({ ...item, ...keyOf.record(kind, slug, uuid), uuid }),
});

const kinds: Record<string, Kind> = {
  discounts: record('discounts', discounts, '/discounts'),
  announcements: record('announcements', announcements, '/announcements'),
  campaigns: record('campaigns', campaigns, '/campaigns'),
  'A/B tests': record('abTests', abTests, '/ab-tests'),
  simulations: {
    handler: simulations,
    path: '/v1/shops/{slug}/simulations',
    list: countedLists.simulations(slug),
    partition: keyOf.simulation(slug, '').pk,
    copied: (item, uuid) => simulationItem({ ...toSimulation(item as unknown as SimulationItem), uuid }),
  },
  shops: {
    handler: shops,
    path: '/v1/shops',
    list: countedLists.shops(),
    partition: keyOf.shop(slug).pk,
    copied: (item, uuid) => ({ ...item, ...keyOf.shop(uuid), ...indexKeyOf.shops(uuid), slug: uuid, uuid }),
  },
  'deals of all shops': {
    handler: deals,
    path: '/v1/deals',
    list: countedLists.dealsOfAllShops(),
    partition: keyOf.record('deals', slug, '').pk,
    copied: (item, uuid) => ({ ...item, ...keyOf.record('deals', slug, uuid), ...indexKeyOf.deals(uuid), uuid }),
  },
};

/** One of each kind, made by requests. */
async function makeOneOfEach(): Promise<void> {
  const send = async (handler: Kind['handler'], path: string, body: object): Promise<string> => {
    const call: Call = {
      method: 'POST',
      resource: `/v1/shops/{slug}${path}`,
      params: { slug },
      headers: asOperator,
      body,
    };
    const answer = await invoke(handler, call);
    expect(answer, path).toMatchObject({ status: 200 });
    return answer.body?.uuid;
  };
  await send(discounts, '/discounts', { type: 'order' });
  await send(announcements, '/announcements', { text: 'Late', language: 'en' });
  const campaign = { name: 'A', segment: 'all', promotion_type: 'basic', promotion_properties: { title: 'A' } };
  const campaign_id = await send(campaigns, '/campaigns', campaign);
  const variants = { campaign_type: 'basic', campaigns: [{ campaign_id, allocation: 100 }] };
  await send(abTests, '/ab-tests', { name: 'Test', segment: 'vip', ...variants });
  await send(simulations, '/simulations', { journey: 'delivered' });
  const discount_id = firstIn(kinds.discounts!).uuid;
  await send(deals, '/deals', { discount_id, title: 'A' });
}

const firstIn = ({ partition }: Kind): Item =>
  memoryTable.all(partition).find(({ sk }) => /^(RECORD#|SIM#|SHOP$)/.test(sk))!;

const count = 30_100;
/** Stored is what is near the pages that are asked for. */
const stored = [range(0, 420), range(29_850, 30_050)].flat();
function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** The times of the entries, which are the same for each list. */
const times = range(1, count + 1).map((n) => 0x019300000000 + n * 10_000);

beforeAll(async () => {
  const shop = shopItem(slug);
  tableWith(operator.item, { ...shop, ...indexKeyOf.shops(shop.uuid) });
  await makeOneOfEach();
  const firsts = Object.values(kinds).map((kind) => ({ kind, first: firstIn(kind) }));
  for (const { first } of firsts) memoryTable.remove(first);
  // Without its place in the list.
  memoryTable.put(shop, ...countersOf(Object.values(kinds).map(({ list }) => [list, times])));
  for (const { kind, first } of firsts) memoryTable.put(...stored.map((n) => kind.copied(first, uuidOf(count - n))));
}, 60_000);

/** Which entries of the list they are, from the newest. */
async function read(name: string, page: number, reader: string): Promise<number[]> {
  const { handler, path } = kinds[name]!;
  const query = { page: String(page), per_page: String(perPage) };
  const headers = { ...asOperator, 'Reader-Id': reader };
  const { status, body } = await invoke(handler, { method: 'GET', resource: path, params: { slug }, query, headers });
  expect(status).toBe(200);
  return (body as { uuid: string }[]).map(({ uuid }) => count - Number.parseInt(uuid.slice(-12), 16));
}

const perPage = 30;

describe.each(Object.keys(kinds))('a list of 30,100 %s', (name) => {
  test('has the right entries on each page, for a reader that begins there, at the cost of page 1', async () => {
    const first = await consumedBy(() => read(name, 1, 'first'));
    for (const page of [2, 3, 10, 12, 1000]) {
      const far = await consumedBy(async () => {
        expect(await read(name, page, `of page ${page}`)).toEqual(range((page - 1) * perPage, page * perPage));
      });
      expect(far.requests, `requests of page ${page}`).toBeLessThanOrEqual(3 * first.requests);
      // A page is read from the beginning of its minute on, so its cost depends on where in it the page begins.
      expect(far.units, `units of page ${page}`).toBeLessThanOrEqual(3 * first.units);
    }
  });

  test('goes on where the page before ended, at the cost of page 1', async () => {
    const first = await consumedBy(() => read(name, 1, 'second'));
    const next = await consumedBy(async () => expect(await read(name, 2, 'second')).toEqual(range(30, 60)));
    expect(next.requests).toBe(first.requests + 1);
    expect(next.units).toBeLessThanOrEqual(first.units + 1.5);
  });
});
