import { loadOrder } from '#domain/orders/order-store.ts';
import { eraseEverything, eraseLate } from '#domain/privacy/erase-everything.ts';
import { type Receivers, receiversOf } from '#domain/privacy/erase-trail.ts';
import { findSome, foundOrders, keepFound } from '#domain/privacy/find-orders.ts';
import { entryName, hashesOf, writeEntry } from '#domain/privacy/ledger.ts';
import type { PrivacyRequest, RequestStep } from '#domain/privacy/request.ts';
import { addCounts, type Counted } from '#platform/personal-data.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { commit, remove, retryOnConflict, setAttributes, update } from '#platform/table/writes.ts';
import { privacyLimits as limits } from '#schemas/catalogues/limits.ts';
import { isYoungAgain } from './old-orders.ts';
import type { DoStep, Step } from './step.ts';

/** A page of orders of the person. At the end they are counted, because an order can be found in several ways. */
export const find: DoStep = async ({ request, turn }) => {
  const { orders, position, written } = await findSome(request);
  await keepFound(request, orders, turn.now());
  // The request is written with each page, and may name thousands of orders.
  const kilobytes = JSON.stringify(request.person ?? {}).length / 1024;
  await turn.spend(orders.length + written + 2 * Math.floor(kilobytes));
  if (position !== undefined) return { position };
  let count = 0;
  for await (const page of foundOrders(request)) count += page.length;
  const step = afterFind(request);
  return { step, position: undefined, orders: count, ...(step !== 'ledger' && { person: undefined }) };
};

function afterFind({ kind, dry_run }: PrivacyRequest): RequestStep {
  if (dry_run) return 'count';
  return kind === 'erasure' ? 'ledger' : 'collect';
}

/** So much is written in a turn at least, so that it gets on. */
const leastUnits = 5 * limits.writeUnits;

class TurnIsOver extends Error {}

/** Ends the turn in the middle of an order that is too large for it. */
function spendOf({ turn }: Step): (units: number) => Promise<void> {
  let spent = 0;
  return async (units) => {
    if (spent >= leastUnits && turn.isOver()) throw new TurnIsOver();
    spent += units;
    await turn.spend(units);
  };
}

/** What is erased of an order already is not written again, so the next turn gets further. */
function inTurn(doStep: DoStep): DoStep {
  return async (step) => {
    try {
      return await doStep(step);
    } catch (error) {
      if (error instanceof TurnIsOver) return step.turn.now();
      throw error;
    }
  };
}

/** What would go with the next order, and at last the disclosures. */
export const countOrder: DoStep = async (step) => {
  const orderId = await nextOrder(step);
  if (orderId === undefined) return { step: 'disclosures', position: undefined };
  const counts = await counted(step, orderId);
  return { position: orderId, counts: addCounts(step.request.counts, counts) };
};

/** Before anything is erased: what was erased and is not in the ledger would come back with a backup. */
export const writeLedger: DoStep = async (step) => {
  const person = await hashesOf(step.request);
  const orders = await writeFound(step, person);
  return { step: 'erase', position: undefined, orders, person_hashes: person, person: undefined };
};

async function writeFound({ request, turn }: Step, person: readonly string[]): Promise<number> {
  const orders: string[] = [];
  for await (const page of foundOrders(request)) orders.push(...page);
  const { shop_slug, uuid, requested_by } = request;
  const entry = { shop_slug, request: uuid, at: turn.now().toISOString(), by: requested_by, person, orders };
  if (orders.length > 0 || request.is_retention) await writeEntry(entryName(request), entry);
  return orders.length;
}

/**
 * The next order with everything of it. What goes is counted before it goes, and stored, so that the counts are right even
 * if the function dies on its way.
 */
export const eraseNext: DoStep = inTurn(async (step) => {
  const { request, shop, turn } = step;
  const orderId = await nextOrder(step);
  if (orderId === undefined) {
    // Without those that it has left alone: after a restore they are not to be erased either.
    const left = request.is_retention && { orders: await writeFound(step, []) };
    return { step: 'disclosures', position: undefined, ...left };
  }
  const key = keyOf.foundOrder(request.shop_slug, request.uuid, orderId);
  const stored = await getItem<{ counts?: Counted }>(key);
  const counts = stored?.counts ?? (await counted(step, orderId));
  if (!stored?.counts) await commit([update(key, setAttributes({ counts }))]);
  if (request.is_retention && (await isYoungAgain(shop.slug, orderId, turn.now()))) {
    await commit([remove(key)]);
    return { position: orderId };
  }
  const erasure = { at: turn.now().toISOString(), by: request.requested_by };
  await eraseEverything(shop, orderId, await receivers(step), erasure, spendOf(step));
  return { position: orderId, counts: addCounts(request.counts, counts) };
});

/** Of the time before the erasure in which a function can have been at work on an event. */
const lookBackMs = 60 * 60_000;

/**
 * A second look at the page, and at what is made of events. A function that had read the order before its erasure, and wrote
 * after it, has ended by now.
 */
export const sweep: DoStep = inTurn(async (step) => {
  const { request, shop, turn } = step;
  const orderId = await nextOrder(step);
  if (orderId === undefined) return 'done';
  const since = new Date(Date.parse(request.created_at) - lookBackMs).toISOString();
  const fullOrder = await retryOnConflict(() => loadOrder(shop.slug, orderId));
  const erasure = { at: turn.now().toISOString(), by: request.requested_by };
  if (fullOrder) await eraseLate(shop, fullOrder, await receivers(step), erasure, spendOf(step), since);
  return { position: orderId };
});

const counted = async (step: Step, orderId: string): Promise<Counted> => {
  const { shop, turn, request } = step;
  const erasure = { at: turn.now().toISOString(), by: request.requested_by, dryRun: true };
  return eraseEverything(shop, orderId, await receivers(step), erasure, turn.spend);
};

async function nextOrder({ request }: Step): Promise<string | undefined> {
  for await (const [first] of foundOrders(request, request.position, 1)) return first;
  return undefined;
}

const known = new WeakMap<object, Promise<Receivers>>();

/** The same for all orders of a turn. */
function receivers({ shop, turn }: Step): Promise<Receivers> {
  const found = known.get(turn) ?? receiversOf(shop.slug);
  known.set(turn, found);
  return found;
}
