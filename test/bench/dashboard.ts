import { basic } from '#test/e2e/kit/client.ts';
import synthesizeOnce from '#test/kit/assembly.setup.ts';
import { busyShopFigures } from '#test/kit/busy-shop-figures.ts';
import { startService } from '#test/kit/service.ts';
import { storeItems } from '#test/kit/store-items.ts';
import { fixed, median } from './statistics.ts';

const slug = 'busy';
const shop = { slug, parcels: 1_000_000, days: 90 };
const warmUp = 3;
const rounds = 15;
const mostMs = 500;

/** The floor reads what every request does, which is the key and the shop. */
const requests: Record<string, string> = {
  'floor: the shop itself': '',
  'delivery times by carrier': '/analytics/delivery-times',
  'by carrier, country and week': '/analytics/delivery-times?by=carrier,country,week',
  'overview of each day': '/analytics/overview',
  'what was said of arrivals': '/analytics/arrival-calibration',
};

/** What the figures of a shop with a million parcels in 90 days take, over HTTP on the local stack. */
export async function benchDashboard(): Promise<void> {
  await synthesizeOnce();
  await using stops = new AsyncDisposableStack();
  const service = await startService({ hasNoSchedules: true });
  stops.defer(service.stop);
  const { stack, operator } = service;
  const headers = { authorization: basic(`${operator.username}:${operator.secret}`) };
  const body = JSON.stringify({ name: 'A busy shop', slug });
  await fetch(`${stack.url}/v1/shops`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const items = busyShopFigures({ ...shop, now: new Date() });
  await storeItems(service, items);
  console.log(`${shop.parcels} parcels in ${shop.days} days: ${items.length} items of counters.`);

  const get = async (path: string) => {
    const began = performance.now();
    const response = await fetch(`${stack.url}/v1/shops/${slug}${path}`, { headers });
    const bytes = (await response.arrayBuffer()).byteLength;
    if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}.`);
    return { ms: performance.now() - began, bytes };
  };
  const rows: Record<string, Record<string, string>> = {};
  for (const [name, path] of Object.entries(requests)) {
    for (let i = 0; i < warmUp; i++) await get(path);
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let i = 0; i < rounds; i++) times.push((await get(path)).ms);
    const { user, system } = process.cpuUsage(before);
    const ms = median(times);
    rows[name] = {
      'median, ms': fixed(ms, 0),
      'longest, ms': fixed(Math.max(...times), 0),
      [`at most ${mostMs}`]: ms <= mostMs ? 'yes' : 'no',
      // Of the function, the table and the gateway together. It tells a slow function from a busy machine.
      'CPU, ms': fixed((user + system) / 1000 / rounds, 0),
    };
  }
  // Only now: who counts units reads every answer of the table once more.
  stack.usage.start();
  for (const [name, path] of Object.entries(requests)) {
    stack.usage.take();
    const { bytes } = await get(path);
    const units = stack.usage.take().reduce((sum, { readUnits }) => sum + readUnits, 0);
    Object.assign(rows[name]!, { 'read units': fixed(units), 'KB of JSON': fixed(bytes / 1024) });
  }
  console.table(rows);
}
