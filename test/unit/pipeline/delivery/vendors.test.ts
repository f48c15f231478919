import { gzipSync } from 'node:zlib';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { deliveryItem } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import { postpone, takeTurns } from '#domain/deliveries/pace-store.ts';
import { loadDialect } from '#domain/vendors/dialects.ts';
import { createVendorSender } from '#pipeline/delivery/vendor.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { VendorName } from '#schemas/catalogues/integration-targets.ts';
import { DeliverySimulation } from '#test/kit/delivery-simulation.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { aDelivery, store, stored } from '#test/kit/stored-deliveries.ts';
import { beforeRequest, tableWith } from '#test/kit/table.ts';
import { brazeKey, FakeBraze } from '#test/kit/vendors/braze.ts';
import type { FakeVendor } from '#test/kit/vendors/fake-vendor.ts';
import { FakeKlaviyo, klaviyoKey } from '#test/kit/vendors/klaviyo.ts';
import { type Sample, samplePayload } from '#test/kit/vendors/sample-events.ts';
import { FakeShopify, shopifyToken } from '#test/kit/vendors/shopify.ts';

/** Deliveries to a vendor, from the queue to the table. */

let braze: FakeBraze;
let klaviyo: FakeKlaviyo;
beforeEach(() => {
  braze = new FakeBraze();
  klaviyo = new FakeKlaviyo();
});

const day = 24 * 3600_000;

const deliveryOf = (n: number) => aDelivery(n, 'integration_1', { kind: 'integration' });

/** Fills the table with deliveries that have these payloads. */
function deliveries(...samples: Sample[]) {
  const made = samples.map((sample, n) => ({ delivery: deliveryOf(n), body: JSON.stringify(samplePayload(sample)) }));
  tableWith(
    ...made.flatMap(({ delivery, body }) => [deliveryItem(delivery), payloadItem(delivery, { body: gzipSync(body) })]),
  );
  return made.map(({ delivery }) => delivery);
}

const many = (count: number, sample: Sample = {}) => deliveries(...Array.from({ length: count }, () => sample));

async function simulationOf(name: VendorName, vendor: FakeVendor, api_key: string): Promise<DeliverySimulation> {
  const account = { target: { url: vendor.url, dialect: name }, credential: { api_key }, extras: {} };
  const dialect = await loadDialect(name);
  const simulation: DeliverySimulation = new DeliverySimulation({
    destinationOf: async () => ({ dialect, account }),
    sendToVendor: createVendorSender({ call: vendor.call, now: () => new Date(simulation.time) }),
    pace: { takeTurns, postpone },
  });
  return simulation;
}
const toBraze = () => simulationOf('braze', braze, brazeKey);
const toKlaviyo = () => simulationOf('klaviyo', klaviyo, klaviyoKey);

test('the deliveries of one batch go to the vendor in one request, and each gets its own result', async () => {
  const simulation = await toBraze();
  const all = deliveries(
    {},
    { customer: { external_id: 'blocked' } },
    {},
    { customer: { external_id: null, email: null } },
  );
  for (const delivery of all) simulation.send(delivery);
  await simulation.run(1);
  expect(braze.requests).toHaveLength(1);
  expect(braze.events).toHaveLength(2);
  expect(all.map((one) => stored(one)).map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
    ['delivered', 1],
    ['failed', 1],
    ['delivered', 1],
    ['cancelled', 0],
  ]);
  expect(stored(all[1]!).attempts).toMatchObject([{ status: 201, error: 'event_refused' }]);
  expect(stored(all[3]!).attempts).toMatchObject([{ error: 'no_email_and_no_customer_id' }]);
  expect(simulation.messages).toEqual([]);
});

test('an answer that never changes ends the delivery at once, and the target counts as working', async () => {
  const simulation = await toKlaviyo();
  const [delivery] = deliveries({ customer: { email: 'no address', external_id: null } });
  simulation.send(delivery!);
  await simulation.run(1);
  expect(stored(delivery!)).toMatchObject({ status: 'failed', attempts: [{ status: 400, error: 'profile_refused' }] });
  expect(simulation.circuit.calls).toEqual(['success']);
  expect(simulation.messages).toEqual([]);
});

test('a vendor in trouble is tried again with growing pauses, and each event is recorded once', async () => {
  const simulation = await toKlaviyo();
  const [delivery] = many(1);
  klaviyo.meet({ status: 500 }, 'hangs', { status: 401 });
  simulation.send(delivery!);
  await simulation.run();
  expect(stored(delivery!)).toMatchObject({ status: 'delivered', attempt_count: 4 });
  expect(stored(delivery!).attempts.map(({ error }) => error)).toEqual(['http_500', 'timeout', 'http_401', undefined]);
  expect(klaviyo.events.size).toBe(1);
  expect(simulation.circuit.calls.filter((call) => call.startsWith('failure'))).toHaveLength(3);
});

test('an attempt is logged with what the vendor was sent, without the credential', async () => {
  const simulation = await toKlaviyo();
  const [delivery] = many(1);
  klaviyo.meet({ status: 500 });
  simulation.send(delivery!);
  await simulation.run();
  const [failed, accepted] = stored(delivery!).attempts;
  const url = `${klaviyo.url}/api/events`;
  const headers = { authorization: 'Klaviyo-API-Key ***', revision: expect.any(String) };
  expect(accepted!.request).toMatchObject({ method: 'POST', url, headers });
  const { body } = accepted!.request as { body: string };
  expect(JSON.parse(body).data.attributes.unique_id).toBe(delivery!.id);
  expect(failed!.request).toMatchObject({ method: 'POST', url, headers });
  expect(failed!.request).not.toHaveProperty('body');
  expect(JSON.stringify(stored(delivery!))).not.toContain(klaviyoKey);
});

describe('the log of a delivery that was sent with others', () => {
  const bodies = (all: ReturnType<typeof many>) =>
    all.map((one) => (stored(one).attempts[0]!.request as { body?: string } | undefined)?.body);

  test('has the request without its body, which holds the events of other customers', async () => {
    const simulation = await toBraze();
    const all = many(2);
    for (const delivery of all) simulation.send(delivery);
    await simulation.run(1);
    expect(braze.requests).toHaveLength(1);
    expect(stored(all[0]!).attempts).toMatchObject([{ status: 201, request: { method: 'POST' } }]);
    expect(bodies(all)).toEqual([undefined, undefined]);
  });

  test('has its own request, and no answer of another delivery, if each was sent again alone', async () => {
    const simulation = await toBraze();
    const all = many(3);
    braze.meet({ status: 400 }, { status: 201, body: { message: 'the first' } }, 'hangs');
    for (const delivery of all) simulation.send(delivery);
    await simulation.poll();
    for (const [place, body] of bodies(all).entries()) {
      expect(JSON.parse(body!).events).toMatchObject([{ properties: { event_id: all[place]!.id } }]);
    }
    const [unanswered] = stored(all[1]!).attempts;
    expect(unanswered).toMatchObject({ error: 'timeout' });
    expect([unanswered!.status, unanswered!.response]).toEqual([undefined, undefined]);
  });

  test('has neither request nor answer if there was no time left to send it', async () => {
    const simulation = await toBraze();
    const dialect = await loadDialect('braze');
    const account = {
      target: { url: braze.url, dialect: 'braze' as const },
      credential: { api_key: brazeKey },
      extras: {},
    };
    const send = createVendorSender({
      now: () => new Date(simulation.time),
      call: async (request) => {
        if (braze.requests.length === 1) simulation.later(1);
        return braze.call(request);
      },
    });
    braze.meet({ status: 400 });
    const results = await send(
      many(2).map(({ id }) => ({ id, payload: samplePayload({}) })),
      { dialect, account },
    );
    expect(results[0]).toMatchObject({ status: 201, request: { method: 'POST' } });
    expect(results[1]).toEqual({ error: 'timeout', isTargetUp: false, request: undefined });
  });
});

test('a delivery is recorded as soon as its own request is over, and does not wait for a slow one', async () => {
  const simulation = await toKlaviyo();
  const all = many(4);
  const { sendToVendor } = simulation.ports;
  const othersAreRecorded = Promise.withResolvers<void>();
  simulation.ports.sendToVendor = async (batch, vendor) => {
    if (batch[0]!.id === all[0]!.id) await othersAreRecorded.promise;
    return sendToVendor(batch, vendor);
  };
  for (const delivery of all) simulation.send(delivery);
  const polling = simulation.poll();
  await vi.waitFor(
    () => {
      expect(all.map((one) => stored(one).status)).toEqual(['pending', 'delivered', 'delivered', 'delivered']);
    },
    { timeout: 20_000 },
  );
  othersAreRecorded.resolve();
  await polling;
  expect(stored(all[0]!).status).toBe('delivered');
});

test('deliveries that were sent together and could not be recorded are only recorded, and not sent again', async () => {
  const simulation = await toBraze();
  const all = deliveries({}, { customer: { external_id: 'blocked' } }, {});
  const back = simulation.time + 6 * 3600_000;
  beforeRequest(UpdateCommand, () => {
    if (simulation.time < back) throw new Error('down');
  });
  for (const delivery of all) simulation.send(delivery);
  await simulation.run();
  expect(braze.requests).toHaveLength(1);
  expect(all.map((one) => stored(one)).map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
    ['delivered', 1],
    ['failed', 1],
    ['delivered', 1],
  ]);
});

test('a failed request is one failure of the target, however many deliveries it had', async () => {
  const simulation = await toBraze();
  braze.meet({ status: 503 });
  for (const delivery of many(10)) simulation.send(delivery);
  await simulation.poll();
  expect(braze.requests).toHaveLength(1);
  expect(simulation.circuit.calls.filter((call) => call.startsWith('failure'))).toHaveLength(1);
  expect(simulation.messages).toHaveLength(10);
});

describe('a vendor that asks for fewer requests', () => {
  test('gets none until the time that it named, and no attempt is spent', async () => {
    const simulation = await toKlaviyo();
    const [delivery] = many(1);
    klaviyo.meet({ status: 429, headers: { 'retry-after': '120' } });
    simulation.send(delivery!);
    const began = simulation.time;
    await simulation.run();
    expect(stored(delivery!)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    expect(stored(delivery!).attempts.map(({ error }) => error)).toEqual(['http_429', undefined]);
    expect(simulation.time - began).toBeGreaterThanOrEqual(120_000);
    expect(simulation.circuit.calls).toEqual(['success']);
  });

  test('gets no other delivery either', async () => {
    const simulation = await toKlaviyo();
    const [first, second] = many(2);
    klaviyo.meet({ status: 429, headers: { 'retry-after': '60' } });
    simulation.send(first!);
    await simulation.poll();
    simulation.send(second!);
    await simulation.poll();
    expect(klaviyo.requests).toHaveLength(1);
    await simulation.run();
    expect([first!, second!].map((one) => stored(one).status)).toEqual(['delivered', 'delivered']);
  });

  test('gets a delivery that was parked before its retry, and the retry goes on', async () => {
    const simulation = await toKlaviyo();
    const [delivery] = many(1);
    klaviyo.meet({ status: 500 }, { status: 429, headers: { 'retry-after': '120' } });
    simulation.send(delivery!);
    await simulation.poll();
    const { retry_id: _, ...failed } = stored(delivery!);
    store({ ...failed, status: 'parked' });
    await simulation.run();
    expect(stored(delivery!)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  test('is not left alone for longer than an hour, whatever it says', async () => {
    const simulation = await toKlaviyo();
    const [delivery] = many(1);
    klaviyo.meet({ status: 429, headers: { 'retry-after': '999999999' } });
    simulation.send(delivery!);
    const began = simulation.time;
    await simulation.run(5);
    expect(stored(delivery!).status).toBe('delivered');
    expect(simulation.time - began).toBeLessThan(2 * 3600_000);
  });

  test('is asked more than 15 times if it takes so long, and never counts as down: the delivery fails after a day', async () => {
    const simulation = await toKlaviyo();
    const [delivery] = many(1);
    klaviyo.meet(...Array.from({ length: 60 }, () => ({ status: 429, headers: { 'retry-after': '3600' } })));
    simulation.send(delivery!);
    await simulation.run(20);
    expect(stored(delivery!)).toMatchObject({ status: 'pending', attempt_count: 0 });
    const began = Date.parse('2026-11-14T12:00:00Z');
    await simulation.run(120);
    expect(stored(delivery!)).toMatchObject({ status: 'failed', attempt_count: 0 });
    const errors = stored(delivery!).attempts.map(({ error }) => error);
    expect([errors.at(-2), errors.at(-1)]).toEqual(['http_429', 'rate_limited']);
    expect((simulation.time - began) / day).toBeCloseTo(1, 1);
    expect([simulation.circuit.calls, simulation.messages, simulation.deadLetters]).toEqual([[], [], []]);
  });
});

describe('the pace of a vendor', () => {
  test('holds for all deliveries of a shop: those beyond it get their turn later and wait in the queue once', async () => {
    const simulation = await toKlaviyo();
    const rate = { perMinute: 60, burst: 5 };
    simulation.ports.pace.takeTurns = (slug, target, count, _, now) => takeTurns(slug, target, count, rate, now);
    const all = many(40);
    for (const delivery of all) simulation.send(delivery);
    const began = simulation.time;
    const { sendLater } = simulation.ports;
    const waited: string[] = [];
    simulation.ports.sendLater = async (message, seconds) => {
      waited.push(message.delivery_id);
      await sendLater(message, seconds);
    };
    await simulation.run();
    expect(all.map((one) => stored(one).status)).toEqual(Array(40).fill('delivered'));
    expect(waited.length).toBeGreaterThan(20);
    expect(new Set(waited).size).toBe(waited.length);
    expect(klaviyo.events.size).toBe(40);
    const seconds = (simulation.time - began) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(20);
    expect(seconds).toBeLessThanOrEqual(40);
  });

  test('makes deliveries wait of which only their first messages tell, and none is lost or written twice', async () => {
    const simulation = await toKlaviyo();
    const rate = { perMinute: 60, burst: 5 };
    simulation.ports.pace.takeTurns = (slug, target, count, _, now) => takeTurns(slug, target, count, rate, now);
    const all = many(30);
    for (const { shop_slug, target, id } of all) memoryTable.remove(keyOf.delivery(shop_slug, target, id));
    for (const delivery of all) simulation.sendFirst(delivery);
    await simulation.run();
    expect(all.map((one) => stored(one)).map(({ status, attempt_count }) => [status, attempt_count])).toEqual(
      Array(30).fill(['delivered', 1]),
    );
    expect(klaviyo.events.size).toBe(30);
  });

  test('keeps the points of a shop system from running out', async () => {
    const shopify = new FakeShopify();
    const all = many(80);
    const numbers = ['TEST0000000001'];
    shopify.orders.set('gid://shopify/Order/4711', [{ id: 'gid://shopify/Fulfillment/1', numbers, events: [] }]);
    const simulation = await simulationOf('shopify', shopify, shopifyToken);
    shopify.clock = () => simulation.time;
    for (const delivery of all) simulation.send(delivery);
    await simulation.run();
    expect(all.map((one) => stored(one).attempts.length)).toEqual(Array(80).fill(1));
    expect(all.map((one) => stored(one).status)).toEqual(Array(80).fill('delivered'));
  });

  test('is not known: the delivery is sent anyway', async () => {
    const simulation = await toKlaviyo();
    const [delivery] = many(1);
    const { TABLE_NAME } = process.env;
    simulation.ports.pace.takeTurns = async (...turn) => {
      process.env.TABLE_NAME = 'no-such-table';
      try {
        return await takeTurns(...turn);
      } finally {
        process.env.TABLE_NAME = TABLE_NAME!;
      }
    };
    simulation.send(delivery!);
    await simulation.run(1);
    expect(stored(delivery!).status).toBe('delivered');
  });

  test('that never lets a delivery go ends it after a day', async () => {
    const simulation = await toKlaviyo();
    const [delivery] = many(1);
    simulation.ports.pace.takeTurns = async () => ({ waitSeconds: 2 * 3600, hasTurn: false });
    simulation.send(delivery!);
    await simulation.run(200);
    expect(stored(delivery!)).toMatchObject({ status: 'failed', attempts: [{ error: 'rate_limited' }] });
    expect([klaviyo.requests, simulation.messages]).toEqual([[], []]);
  });
});

describe('the day for which a delivery may wait for its turn', () => {
  const days = (count: number) => count * 24 * 60;
  const busyOnce = (simulation: DeliverySimulation) => {
    let isBusy = true;
    simulation.ports.pace.takeTurns = async () => {
      const waitSeconds = isBusy ? 60 : 0;
      isBusy = false;
      return { waitSeconds, hasTurn: false };
    };
  };

  test('does not begin while the delivery is parked, so a vendor that was down for days gets it', async () => {
    const simulation = await toKlaviyo();
    const [delivery] = many(1);
    simulation.circuit.isOpen = true;
    simulation.send(delivery!);
    await simulation.run();
    expect(stored(delivery!).status).toBe('parked');
    simulation.later(days(3));
    simulation.circuit.isOpen = false;
    busyOnce(simulation);
    klaviyo.meet({ status: 429, headers: { 'retry-after': '120' } });
    simulation.send(delivery!);
    await simulation.run();
    expect(stored(delivery!)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    expect(simulation.circuit.calls).toEqual(['success']);
  });

  test('begins again after an attempt that counts', async () => {
    const simulation = await toKlaviyo();
    const [delivery] = many(1);
    busyOnce(simulation);
    klaviyo.meet({ status: 500 }, { status: 429 });
    simulation.send(delivery!);
    await simulation.poll();
    simulation.later(2);
    await simulation.poll();
    expect(stored(delivery!)).toMatchObject({ status: 'pending', attempt_count: 1 });
    simulation.later(days(2));
    await simulation.run();
    expect(stored(delivery!)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });
});

test('with too little time left, deliveries return to the queue at once and nothing is sent', async () => {
  const simulation = await toBraze();
  simulation.remainingMs = 12_000;
  const all = many(2);
  for (const delivery of all) simulation.send(delivery);
  await simulation.run(1);
  expect(braze.requests).toEqual([]);
  expect(simulation.messages).toHaveLength(2);
  expect(stored(all[0]!)).toMatchObject({ status: 'pending', attempt_count: 0 });
});

test('while the circuit is open, deliveries are parked and not sent', async () => {
  const simulation = await toBraze();
  simulation.circuit.isOpen = true;
  const [delivery] = many(1);
  simulation.send(delivery!);
  await simulation.run(1);
  expect([stored(delivery!).status, braze.requests]).toEqual(['parked', []]);
});

test('an answer of an unexpected form is the fault of the vendor', async () => {
  const simulation = await toKlaviyo();
  const [delivery] = many(1);
  klaviyo.meet({ status: 400, body: { errors: 'not a list' } }, { status: 200, body: 'null' });
  simulation.send(delivery!);
  await simulation.run(1);
  expect(stored(delivery!)).toMatchObject({ status: 'failed', attempts: [{ error: 'http_400' }] });
});

test('a fault of ours spends no attempt, and the message comes again', async () => {
  const simulation = await toKlaviyo();
  const [delivery] = many(1);
  simulation.ports.sendToVendor = async () => {
    throw Object.assign(new Error('out of memory'), { name: 'OutOfMemory' });
  };
  simulation.send(delivery!);
  await simulation.poll();
  expect(simulation.messages).toHaveLength(1);
  expect(stored(delivery!)).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [] });
});

test.each([
  ['asks for fewer requests', 429, 0],
  ['has no use for this event yet', 400, 1],
])('a probe shows that a vendor is back if the vendor %s, and its delivery goes on', async (_, status, count) => {
  const simulation = await toKlaviyo();
  const { sendToVendor } = simulation.ports;
  const up = status === 429 ? { isThrottled: true } : { isTargetUp: true };
  simulation.ports.sendToVendor = async () => [{ status, error: `http_${status}`, ...up }];
  simulation.circuit.isOpen = true;
  const [delivery] = many(1);
  simulation.send(delivery!, { probe: true });
  await simulation.poll();
  expect(simulation.circuit.calls).toEqual(['success']);
  expect(stored(delivery!)).toMatchObject({ status: 'pending', attempt_count: count });
  simulation.circuit.isOpen = false;
  simulation.ports.sendToVendor = sendToVendor;
  await simulation.run();
  expect(stored(delivery!)).toMatchObject({ status: 'delivered', attempt_count: count + 1 });
});
