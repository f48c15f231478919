import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { phases } from '#schemas/catalogues/shipment-events.ts';
import { linesOf, run } from './kit/processes.ts';
import { api, superAdmin, url } from './kit/shared-stack.ts';

const demo = async (args: string[], settings: Record<string, string> = {}) => {
  const program = run('demo.ts', args, settings);
  return { code: await program.ended, stdout: program.stdout(), stderr: program.stderr() };
};

interface Lane {
  shipped: number;
  delivered: number;
  ended_otherwise: number;
  under_way: number;
  median_hours: number | null;
  p90_hours: number | null;
  promised: { n: number; kept: number };
  rating: { n: number };
}

test('the demo makes a shop with orders of ten weeks, and its counts, figures and troubles follow', async () => {
  const { code, stdout, stderr } = await demo(['--orders', '20', '--no-receiver', '--url', url, '--key', superAdmin]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const slug = /\/console\/s\/([\w-]+)\/overview/.exec(stdout)![1]!;
  const get = async (path: string) => (await api('GET', `/v1/shops/${slug}${path}`, { key: superAdmin })).body;
  await vi.waitFor(
    async () => {
      const { parcels, claims } = await get('/statistics');
      expect(phases.filter((phase) => parcels.by_phase[phase] === 0)).toEqual([]);
      // The last one is of the weeks before.
      expect(claims.by_status).toEqual({ pending: 4, accepted: 1, rejected: 1, closed: 2 });
      const days: { orders: number }[] = await get('/analytics/overview');
      // And those of customers in the A/B test, who order while it runs.
      expect(days.reduce((sum, { orders }) => sum + orders, 0)).toBe(20 + 60 + 12);
    },
    { timeout: 20_000, interval: 200 },
  );
  const [test] = await get('/ab-tests');
  const { arms, srm, decision } = await get(`/ab-tests/${test.uuid}/results`);
  const sumOf = (name: string) => arms.reduce((sum: number, arm: Record<string, number>) => sum + arm[name]!, 0);
  expect({ customers: sumOf('orders'), ok: srm.ok, decision }).toEqual({
    customers: 12,
    ok: true,
    decision: 'undecided',
  });
  expect([sumOf('shown') > 0, sumOf('clicked') > 0]).toEqual([true, true]);
  const lanes: Lane[] = await get('/analytics/delivery-times?by=carrier,country');
  const sum = (of: (lane: Lane) => number) => lanes.reduce((all, lane) => all + of(lane), 0);
  expect(sum(({ delivered }) => delivered)).toBeGreaterThan(60);
  expect(sum(({ promised }) => promised.n)).toBeGreaterThan(sum(({ promised }) => promised.kept));
  expect(sum(({ rating }) => rating.n)).toBeGreaterThan(5);
  for (const { shipped, delivered, ended_otherwise, under_way, median_hours, p90_hours } of lanes) {
    expect(delivered + ended_otherwise + under_way).toBe(shipped);
    expect(Math.min(delivered, ended_otherwise, under_way, median_hours ?? 0)).toBeGreaterThanOrEqual(0);
    expect(p90_hours ?? 2000).toBeGreaterThanOrEqual(median_hours ?? 0);
  }
  const { lost, damaged, failed_delivery, no_movement } = await get('/attention');
  expect([lost, damaged, failed_delivery, no_movement].map(({ count }) => count > 0)).toEqual([true, true, true, true]);
}, 180_000);

test('the demo answers a service that does not run with one clear line', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const { code, stderr } = await demo(['--url', `http://127.0.0.1:${port}`, '--key', 'a:b', '--no-receiver']);
  expect(code).toBe(1);
  expect(linesOf(stderr)).toEqual(['The service is not running. Start it with npm start.']);
});

test.each([
  ['no number of orders', ['--orders', 'many'], '--orders'],
  ['no key', [], 'npm start'],
])('the demo answers %s with one clear line', async (_what, args, said) => {
  const { code, stderr } = await demo(args, { DATA_DIR: '/nowhere' });
  expect(code).toBe(1);
  expect(linesOf(stderr)).toEqual([expect.stringContaining(said)]);
});
