import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test, vi } from 'vitest';
import { newOrderId, type Order } from '#domain/orders/model.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { referenceItems } from '#domain/orders/order-store.ts';
import type { PrivacyRequest } from '#domain/privacy/request.ts';
import { startPrivacyRequest } from '#domain/privacy/request-store.ts';
import { retentionDue } from '#domain/privacy/retention-work.ts';
import { workers } from '#pipeline/privacy-work/handler.ts';
import { paceOf } from '#pipeline/privacy-work/pace.ts';
import { runRound } from '#pipeline/privacy-work/round.ts';
import { table } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { commit } from '#platform/table/writes.ts';
import { privacyLimits as limits, retentionWorkLimits } from '#schemas/catalogues/limits.ts';
import { memoryTable } from '#test/kit/memory-table.ts';

vi.setConfig({ testTimeout: 300_000 });

/**
 * Many orders, in one process, on a clock that only the pace of the writes moves. ORDERS=10000 and RETAINED=100000 measure
 * what a big shop has, which takes minutes: memory and pace are then as here.
 */

vi.mock('#platform/lazy/s3.ts', () => ({
  putObject: async () => {},
  getObject: async () => new Uint8Array(32),
  deleteObject: async () => {},
}));
vi.mock('#platform/lazy/s3-versions.ts', () => ({
  versionPages: async function* () {},
  removeVersion: async () => {},
}));
vi.mock('#platform/lazy/kms.ts', () => ({
  newWrappedKey: async () => new Uint8Array(32),
  decryptByKms: async () => new Uint8Array(32),
}));

const day = 24 * 3_600_000;
const start = Date.parse('2026-11-17T12:00:00Z');
const shop = {
  ...keyOf.shop('blue'),
  slug: 'blue',
  uuid: '01930000-0000-7000-8000-000000000000',
  name: 'blue',
  settings: {},
};
let clock = start;

beforeEach(() => {
  for (const name of ['IMAGE_BUCKET', 'PAYLOAD_BUCKET', 'LEDGER_BUCKET']) vi.stubEnv(name, name.toLowerCase());
  clock = start;
  memoryTable.renew();
  memoryTable.put(shop);
});

function place(index: number, at: Date, fields: object): Order {
  const input = { order_number: `${index}`, external_id: `e${index}`, email_id: 'rosa@canary.example', ...fields };
  const order = { ...newOrder(newOrderId(at), input as never, at), drafts: [] };
  memoryTable.put(orderItem('blue', order, 1), ...referenceItems('blue', order));
  return order;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const usedMegabytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

/** What an order takes is spent when it is erased, so a second can have more than the next. */
const windowMs = 10_000;
const paced = limits.writeUnits * 1.25;

/** Runs the minutes until one has nothing to do. */
async function minutes(
  each: (round: number) => void = () => {},
  working = workers,
): Promise<{ rounds: number; seconds: number; units: number; mostUnits: number }> {
  const spend = paceOf(
    limits.writeUnits,
    () => clock,
    async (ms) => {
      clock += ms;
    },
  );
  const client = table as unknown as {
    send: (command: { input: object; constructor: { name: string } }) => Promise<{ ConsumedCapacity?: unknown }>;
  };
  const { send } = client;
  let units = 0;
  const unitsOfWindow = new Map<number, number>();
  client.send = async (command) => {
    const isWrite = /^(Put|Update|Delete|TransactWrite|BatchWrite)/.test(command.constructor.name);
    if (isWrite) Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    const answer = await send.call(table, command);
    const window = Math.floor(clock / windowMs);
    for (const { CapacityUnits = 0 } of [answer.ConsumedCapacity ?? []].flat() as { CapacityUnits?: number }[]) {
      if (!isWrite) continue;
      units += CapacityUnits;
      unitsOfWindow.set(window, (unitsOfWindow.get(window) ?? 0) + CapacityUnits);
    }
    return answer;
  };
  let [rounds, seconds] = [0, 0];
  try {
    for (let turns = 1; turns > 0; rounds++) {
      const began = clock;
      const round = { now: () => new Date(clock), remainingMs: () => 50_000 - (clock - began), spend };
      const result = await runRound(working, round);
      expect(result.failed).toBe(0);
      ({ turns } = result);
      seconds += (clock - began) / 1000;
      expect(clock - began, 'a round ends before the next begins').toBeLessThan(60_000);
      clock = Math.max(clock, began + 60_000);
      each(rounds);
    }
    return { rounds, seconds, units, mostUnits: Math.max(0, ...unitsOfWindow.values()) / (windowMs / 1000) };
  } finally {
    client.send = send;
  }
}

const orderCount = Number(process.env.ORDERS ?? 300);

test(`${orderCount} orders of one person are erased in bounded memory and at a bounded pace`, async () => {
  for (let i = 0; i < orderCount; i++) {
    place(i, new Date(start - day), {
      external_customer_id: 'c-rosa',
      address: { name: 'Rosa Fischer', city: 'Kiel', zip_code: '24103' },
    });
  }
  const asked = { kind: 'erasure', person: { email_id: 'rosa@canary.example' }, requested_by: 'test' } as const;
  const { uuid } = await startPrivacyRequest({ slug: 'blue' }, asked, new Date(clock));
  const before = usedMegabytes();
  let most = 0;
  const { rounds, seconds, units, mostUnits } = await minutes((round) => {
    if (round % 10 === 0) most = Math.max(most, usedMegabytes());
  });
  const request = memoryTable.read(keyOf.privacyRequest('blue', uuid)) as unknown as PrivacyRequest;
  expect(request).toMatchObject({ status: 'done', orders: orderCount });
  console.log({ rounds, seconds, unitsPerSecond: units / seconds, mostUnits, megabytes: most - before });
  expect(most - before, 'megabytes').toBeLessThan(40);
  expect(units / seconds, 'write units a second').toBeLessThan(paced);
  expect(mostUnits, 'write units a second, in the ten seconds with the most').toBeLessThan(paced);
  expect(units / orderCount, 'write units of an order').toBeGreaterThan(5);
  expect(JSON.stringify(memoryTable.all('ORDERREF#').slice(0, 100))).not.toMatch(/rosa|fischer/i);
});

const retainedCount = Number(process.env.RETAINED ?? 5_000);

test(`${retainedCount} old orders of a shop become erasures of a bounded number a night, the oldest first`, async () => {
  for (let i = 0; i < retainedCount; i++) {
    const at = new Date(start - 400 * day + i * 1000);
    memoryTable.put(orderItem('blue', { ...newOrder(newOrderId(at), { order_number: `${i}` }, at), drafts: [] }, 1));
  }
  memoryTable.put({ ...keyOf.settings('blue'), retention: { orders_days: 30 } });
  await commit([retentionDue('blue', new Date(clock))]);
  const before = usedMegabytes();
  let most = 0;
  const nights: number[] = [];
  // What a request does is measured above.
  const later = { ...workers, request: async () => new Date(start + 1000 * day) };
  for (
    let found = 0;
    found < retainedCount && nights.length < 20;
    found = nights.reduce((sum, count) => sum + count, 0)
  ) {
    clock = nextNightAfter(clock);
    const { mostUnits } = await minutes((round) => {
      if (round % 10 === 0) most = Math.max(most, usedMegabytes());
    }, later);
    expect(mostUnits, 'write units a second, in the ten seconds with the most').toBeLessThan(paced);
    nights.push(foundOrders() - found);
  }
  console.log({ nights, megabytes: most - before });
  expect(Math.max(...nights)).toBeLessThanOrEqual(retentionWorkLimits.ordersOfNight);
  expect(nights.length).toBeLessThanOrEqual(Math.ceil(retainedCount / retentionWorkLimits.ordersOfNight) + 2);
  expect(most - before, 'megabytes').toBeLessThan(40);
});

const nextNightAfter = (now: number): number => now + day;

const foundOrders = (): number =>
  memoryTable
    .all('PRIVACY#')
    .filter(({ sk, pk }) => sk.startsWith('REQUEST#') && pk === 'PRIVACY#blue')
    .reduce((sum, { orders }) => sum + Number(orders), 0);
