import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Book, claimEvent, newBookMemory } from '#test/bench/day/book.ts';
import { faultsOfWebhooks } from '#test/bench/day/check.ts';
import { Deeds } from '#test/bench/day/deeds.ts';
import { Driver } from '#test/bench/day/driver.ts';
import { DayClient } from '#test/bench/day/http.ts';
import { orderNumberOf, orderOfNumber, orderOfTracking } from '#test/bench/day/names.ts';
import { stepsOf } from '#test/bench/day/plan.ts';
import { serveOnLoopback } from '#test/kit/loopback-server.ts';

const orders = 50;
const everyOrder = JSON.stringify(
  Array.from({ length: orders }, (_, order) => ({ uuid: String(order), order_number: orderNumberOf(order) })),
);
const token = '5FYteiIiOCjGKcyISwZg0Q';

/** A service that does what it is asked at once, and notes which events each order has, in their order. */
function fakeService(book: Book, withoutAddress?: number) {
  const events: Set<number>[] = Array.from({ length: orders }, () => new Set());
  const state = { isAway: false, views: 0, claims: 0 };
  const happen = (order: number, event: number) => {
    if (events[order]!.has(event)) return;
    events[order]!.add(event);
    if (event === 0 && order !== withoutAddress) book.keepToken(order, token);
    book.hear(order, event, order, Date.now());
  };
  const answerTo = (path: string, body: string): string => {
    if (path.startsWith('/t/')) state.views += 1;
    if (path.startsWith('/t/')) return '<html></html>';
    if (path.includes('/claims?')) return JSON.stringify({ claims: Array.from({ length: state.claims }) });
    if (body === '') return everyOrder;
    if (path.includes('/tracking-providers/')) {
      const { msg } = JSON.parse(body) as { msg: { tracking_number: string; checkpoints: object[] } };
      happen(orderOfTracking(msg.tracking_number, orders)!, 1 + msg.checkpoints.length);
    } else if (path.endsWith('/claims')) {
      state.claims += 1;
      happen(orderOfNumber((JSON.parse(body) as { order_number: string }).order_number, orders)!, claimEvent);
    } else {
      const { id, trackings } = JSON.parse(body) as { id: string; trackings: object[] };
      happen(orderOfNumber(id, orders)!, trackings.length);
    }
    return 'null';
  };
  const handle: RequestListener = async (request, response) => {
    const answer = answerTo(request.url!, await text(request));
    // The work is done, and its answer is lost.
    if (state.isAway) response.destroy();
    else response.end(answer);
  };
  return { events, state, handle };
}

async function play(kills: number, withoutAddress?: number) {
  const book = new Book(newBookMemory(orders));
  const deeds = new Deeds(orders);
  const { events, state, handle } = fakeService(book, withoutAddress);
  await using server = await serveOnLoopback(handle);
  const client = new DayClient(server.url, 4, 'operator:secret');
  const seen: number[] = [];
  const driver = new Driver(
    {
      orders,
      seed: 1,
      factor: undefined,
      isEven: false,
      concurrency: 4,
      lostAfterMs: withoutAddress === undefined ? 60_000 : 0,
      kills,
      kill: async () => {
        state.isAway = true;
        await pause(30);
        state.isAway = false;
      },
      onSlot: (slot) => seen.push(slot),
    },
    client,
    book,
    deeds,
  );
  await driver.play();
  await client.close();
  return { book, deeds, driver, client, events, state, seen };
}

test('every order goes through all of its steps, in their order', async () => {
  const { book, deeds, driver, events, state, seen } = await play(0);
  expect(driver.faults).toEqual([]);
  expect(driver.done).toBe(stepsOf(orders));
  expect(driver.caused).toBe(5 * orders + 1);
  expect(events.map((some) => [...some].slice(0, 5))).toEqual(Array.from({ length: orders }, () => [0, 1, 2, 3, 4]));
  expect(state).toMatchObject({ views: 4 * orders, claims: 1 });
  expect(faultsOfWebhooks(book, deeds, false)).toEqual([]);
  expect(deeds.visits).toEqual({ least: orders, most: orders });
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('what gets no answer because the stack was killed is sent again, and nothing else', async () => {
  const { book, deeds, driver, client, events } = await play(2);
  expect(driver.faults).toEqual([]);
  expect(driver.done).toBe(stepsOf(orders));
  const sentAgain = [...client.rows.values()].reduce((sum, { unanswered }) => sum + unanswered, 0);
  expect(sentAgain).toBeGreaterThan(0);
  expect(client.requests + sentAgain).toBe([...client.rows.values()].reduce((sum, row) => sum + row.requests, 0));
  expect(events.every((some) => some.size >= 5)).toBe(true);
  expect(faultsOfWebhooks(book, deeds, true)).toEqual([]);
});

test('a page whose address never comes is a fault, and the day goes on without it', async () => {
  const { driver, state } = await play(0, 7);
  const fault = `the address of the page of ${orderNumberOf(7)} did not come`;
  expect(driver.faults).toEqual([fault, fault, fault, fault]);
  expect(driver.done).toBe(stepsOf(orders));
  expect(state.views).toBe(4 * (orders - 1));
});
