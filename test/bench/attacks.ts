import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { chunks } from '#platform/batches.ts';
import { thirdParties } from '#schemas/catalogues/integrations.ts';
import { endpointLimits, orderLimits, recordLimits } from '#schemas/catalogues/limits.ts';
import type { newWebhookShop } from '#test/kit/webhook-shop.ts';

/** A request that a shop repeats. */
export interface Attack {
  name: string;
  method: string;
  path: string;
  body?: () => string;
  /** What goes on beside the requests, from the first on. */
  beside?: () => Promise<unknown>;
  /** How many are sent at a time: one, unless it says otherwise. The next follow when these are answered. */
  atOnce?: number;
  /** They follow no sooner than this. */
  everyMs: number;
}

/** The shop that attacks. */
export interface Attacker {
  shop: Awaited<ReturnType<typeof newWebhookShop>>;
  /** Sends a request to a path of the shop. Resolves with the status of the answer. */
  send(method: string, path: string, body?: string, signal?: AbortSignal): Promise<number>;
  /** A URL of its receiver. */
  urlOf(path: string): string;
  /** Runs the function that erases, as the schedule does once a minute. */
  erase(): Promise<unknown>;
}

/**
 * An attack lasts eleven seconds. In that time it sends five large orders or five orders with triggers, and two orders
 * with fifty endpoints, because each of those is worth five thousand POSTs. More would measure a flood of requests, and
 * not what one request causes.
 */
const orderEveryMs = 2500;
const orderOfManyPostsEveryMs = 6000;

/** Each makes what an attack needs. */
export const preparations: readonly ((attacker: Attacker) => Promise<Attack>)[] = [
  largeOrder,
  bulkOfEmptyObjects,
  internalTriggers,
  manyEndpoints,
  searchOfOneName,
  erasureOfOnePerson,
];

export interface RunningAttack {
  /** Sends nothing more. Resolves with what was sent, and the number of answers of each status. */
  stop(): Promise<string>;
}

/** Sends the attack again and again during this time. */
export function startAttack(attacker: Attacker, attack: Attack, forMs: number): RunningAttack {
  const { method, path, body, beside, atOnce = 1, everyMs } = attack;
  const stopping = new AbortController();
  const end = Date.now() + forMs;
  const answers: Record<string, number> = {};
  const sendOne = async () => {
    const status = await attacker.send(method, path, body?.(), stopping.signal).catch(() => 'without answer');
    answers[status] = (answers[status] ?? 0) + 1;
  };
  const repeat = async () => {
    while (Date.now() < end) await Promise.all([...Array.from({ length: atOnce }, sendOne), pause(everyMs)]);
  };
  const repeating = repeat();
  const other = beside?.();
  return {
    stop: async () => {
      stopping.abort();
      await repeating;
      await other;
      return Object.entries(answers)
        .map(([status, times]) => `${times} × ${status}`)
        .join(', ');
    },
  };
}

/** The order of the penetration test had 921 KB. */
const mostProducts = 1000;
const productBytes = 921;
/** How exactly the largest order is found. */
const productSteps = 8;

async function largeOrder({ shop, send, urlOf }: Attacker): Promise<Attack> {
  // Without an endpoint the tries cause no deliveries.
  const products = await mostThat((number) => isTaken(send, orderOfDrafts(number)), mostProducts);
  await shop.addEndpoint(urlOf('/events'));
  const size = `${Math.round(orderOfDrafts(products).length / 1000)} KB`;
  const name = `a) an order of ${size} and ${orderLimits.expectedShipments} drafts`;
  return {
    name: products === mostProducts ? name : `${name}, the largest that is taken`,
    method: 'PUT',
    path: '/orders',
    body: () => orderOfDrafts(products),
    everyMs: orderEveryMs,
  };
}

async function isTaken(send: Attacker['send'], body: string): Promise<boolean> {
  const status = await send('PUT', '/orders', body);
  if (status !== 200 && status !== 413) throw new Error(`An order of ${body.length} bytes got ${status}.`);
  return status === 200;
}

/** The largest number up to `most` that passes, by halving. */
async function mostThat(passes: (number: number) => Promise<boolean>, most: number): Promise<number> {
  if (await passes(most)) return most;
  let [taken, refused] = [0, most];
  while (refused - taken > productSteps) {
    const middle = (taken + refused) >> 1;
    if (await passes(middle)) taken = middle;
    else refused = middle;
  }
  return taken;
}

function orderOfDrafts(numberOfProducts = 0): string {
  const title = 'x'.repeat(productBytes - '{"title":""},'.length);
  const products = Array.from({ length: numberOfProducts }, () => ({ title }));
  const order = { expected_number_of_shipments: orderLimits.expectedShipments, products };
  return JSON.stringify({ id: randomUUID(), order, trackings: [] });
}

const emptyObjects = 80_000;
/** A single one occupies one sandbox of the function. The local stack runs eight, so eight calls occupy them all. */
const sandboxes = 8;

async function bulkOfEmptyObjects({ send }: Attacker): Promise<Attack> {
  const body = JSON.stringify(Array.from({ length: emptyObjects }, () => ({})));
  // On AWS the start of a sandbox takes no time from the others, so they are started before.
  await Promise.all(Array.from({ length: sandboxes }, () => send('PUT', '/orders/bulk', body)));
  const name = `b) ${sandboxes} bulk calls at once, each of ${emptyObjects} empty objects`;
  return { name, method: 'PUT', path: '/orders/bulk', body: () => body, atOnce: sandboxes, everyMs: 1000 };
}

async function internalTriggers({ shop }: Attacker): Promise<Attack> {
  // No trigger is due during the measurement.
  const trigger = { operator: 'AND', time_threshold_type: 'created_at', time_threshold_value: 24 };
  const number = thirdParties.length * recordLimits.internalTriggers;
  for (let made = 0; made < number; made++) {
    await shop.addTrigger(thirdParties[made % thirdParties.length]!, { name: String(made), ...trigger });
  }
  return {
    name: `c) ${number} internal triggers, orders of ${orderLimits.expectedShipments} drafts`,
    method: 'PUT',
    path: '/orders',
    body: () => orderOfDrafts(),
    everyMs: orderEveryMs,
  };
}

async function manyEndpoints({ shop, urlOf }: Attacker): Promise<Attack> {
  for (let made = 0; made < endpointLimits.endpoints; made++) await shop.addEndpoint(urlOf(`/${made}`));
  return {
    name: `d) ${endpointLimits.endpoints} endpoints, orders of ${orderLimits.expectedShipments} drafts`,
    method: 'PUT',
    path: '/orders',
    body: () => orderOfDrafts(),
    everyMs: orderOfManyPostsEveryMs,
  };
}

const ordersOfOneName = 2000;

async function searchOfOneName({ shop }: Attacker): Promise<Attack> {
  const order = { order_name: 'Same', expected_number_of_shipments: 0, address: { zip_code: '10115' } };
  const orders = Array.from({ length: ordersOfOneName }, () => ({ id: randomUUID(), order, trackings: [] }));
  for (const part of chunks(orders, 100)) await shop.call('PUT', '/orders/bulk', { body: part });
  return {
    name: `e) a search over ${ordersOfOneName} orders of one name`,
    method: 'GET',
    path: '/orders?order_name=Same&zip_code=99999&per_page=1',
    everyMs: 0,
  };
}

const ordersOfOnePerson = 2000;

/** As many as the time of the attack is not enough for: the work goes on until the end of the round. */
async function erasureOfOnePerson({ shop, erase }: Attacker): Promise<Attack> {
  const email_id = 'rosa@example.com';
  const order = { email_id, external_customer_id: '77', address: { name: 'Rosa Fischer', zip_code: '10115' } };
  const orders = Array.from({ length: ordersOfOnePerson }, () => ({ id: randomUUID(), order, trackings: [] }));
  for (const part of chunks(orders, 100)) await shop.call('PUT', '/orders/bulk', { body: part });
  return {
    name: `f) the erasure of a person with ${ordersOfOnePerson} orders`,
    method: 'POST',
    path: '/privacy/requests',
    // The first is answered again and again.
    body: () => JSON.stringify({ kind: 'erasure', email_id }),
    everyMs: 1000,
    beside: async () => {
      await pause(500);
      await erase();
    },
  };
}
