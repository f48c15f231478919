import { v7 as uuidv7 } from 'uuid';
import { newRequest } from '#domain/privacy/request-store.ts';
import { isWalkOver, nextNight } from '#domain/privacy/retention-rules.ts';
import { endsAnything, retentionOf } from '#domain/privacy/retention-settings.ts';
import { type Night, type NightPart, nightParts, type RetentionWork } from '#domain/privacy/retention-work.ts';
import { dueAt } from '#domain/privacy/work.ts';
import { saveIfHeld } from '#domain/privacy/work-store.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { insert, tryCommit, update } from '#platform/table/writes.ts';
import { retentionWorkLimits as limits } from '#schemas/catalogues/limits.ts';
import { type CollectPage, type Keeping, type NightState, type Part, saved } from './night.ts';
import { collectLater, collectOrders } from './old-orders.ts';
import { removeOldDeliveries, removeOldImages, walkOldClaims, walkOldMessages } from './retained-traces.ts';
import type { Worker } from './round.ts';

/**
 * Ends what a shop no longer wants to keep, a bounded part each night. It looks for orders that are too old and asks for
 * their erasure in one request, as a merchant would; images of claims and deliveries it removes itself. It saves how far it
 * is after each page, and what it repeats does no harm.
 */
export const workOnRetention: Worker = async (work, turn) => {
  const { shop_slug: slug } = work;
  const [shop, settings = {}] = (await batchGet([keyOf.shop(slug), keyOf.settings(slug)])) as unknown as [
    ShopItem | undefined,
    StoredSettings | undefined,
  ];
  const retention = retentionOf(settings);
  if (!shop || !endsAnything(retention)) return switchedOff(work as RetentionWork);
  let state: NightState = { ...stateOf(work as RetentionWork), night: nightOf(work as RetentionWork, turn.now()) };
  while (!turn.isOver()) {
    const next = await parts[state.night.part]({ shop, retention, turn }, state);
    if (next === 'ended') {
      await save(work as RetentionWork, { ...state, night: undefined });
      return nextNight(slug, turn.now());
    }
    state = next;
    await save(work as RetentionWork, state);
  }
  return turn.now();
};

const stateOf = ({ orders_at, walk_began, claims_at, messages_at }: RetentionWork) => ({
  ...(orders_at !== undefined && { orders_at }),
  ...(walk_began !== undefined && { walk_began }),
  ...(claims_at !== undefined && { claims_at }),
  ...(messages_at !== undefined && { messages_at }),
});

const nightOf = ({ night }: RetentionWork, now: Date): Night =>
  night ?? { part: nightParts[0], request: uuidv7({ msecs: now.getTime() }), visited: 0, collected: 0 };

const parts: Record<NightPart, Part> = {
  later: (keeping, state) => collect(keeping, state, collectLater),
  orders: (keeping, state) => collect(keeping, state, collectOrders),
  erasure: async ({ shop, retention, turn }, state) => {
    if (retention.orders_days !== null) await askForErasure(shop.slug, state.night, turn.now());
    return withPart(withFreshWalk(state, turn.now()), 'images');
  },
  images: async (keeping, state) => ((await removeOldImages(keeping)) ? withPart(state, 'claims') : state),
  claims: async (keeping, state) => {
    const position = await walkOldClaims(keeping, state.claims_at);
    if (position !== undefined) return { ...state, claims_at: position };
    const messages_at = await walkOldMessages(keeping, state.messages_at);
    return messages_at === undefined ? withPart(state, 'deliveries') : { ...state, messages_at };
  },
  deliveries: async (keeping, state) => {
    const target = await removeOldDeliveries(keeping, state.night.target);
    return target === undefined ? 'ended' : { ...state, night: { ...state.night, target } };
  },
};

const withPart = (state: NightState, part: NightPart): NightState => ({ ...state, night: { ...state.night, part } });

async function collect(keeping: Keeping, state: NightState, page: CollectPage): Promise<NightState> {
  const { orders_days } = keeping.retention;
  const isFull = state.night.collected >= limits.ordersOfNight || state.night.visited >= limits.visitsOfNight;
  const next = orders_days === null || isFull ? undefined : await page(keeping, orders_days, state);
  return next ?? withPart(state, state.night.part === 'later' ? 'orders' : 'erasure');
}

/** What was placed before the walk came in behind it is found by the next one. */
function withFreshWalk(state: NightState, now: Date): NightState {
  const { orders_at: _, walk_began, ...rest } = state;
  return walk_began !== undefined && isWalkOver(walk_began, limits.walkDays, now) ? rest : state;
}

/** The orders are listed under the request already, so it begins with the ledger. */
async function askForErasure(slug: string, { request: uuid, collected }: Night, now: Date): Promise<void> {
  if (collected === 0) return;
  const asked = { kind: 'erasure' as const, person: {}, requested_by: 'retention' };
  const key = keyOf.privacyRequest(slug, uuid);
  const request = { ...newRequest(slug, asked, now, 'ledger'), ...key, ...dueAt(slug, key.sk, now), uuid };
  await tryCommit([insert({ ...request, is_retention: true, orders: collected })]);
}

/** What the state does not have any more is removed. */
const save = (work: RetentionWork, state: Omit<NightState, 'night'> & { night: Night | undefined }): Promise<void> =>
  saveIfHeld(work, { ...Object.fromEntries(saved.map((name) => [name, state[name]])), night: state.night });

/**
 * When it is switched on again, it begins anew: what it had collected is not erased. Who switches it on in this moment has
 * made it due at another time, and it stays in the list.
 */
async function switchedOff(work: RetentionWork): Promise<'done'> {
  const all = ['night', ...saved, 'list_pk', 'list_sk', 'held_until', 'tries'];
  const { pk, sk, list_sk } = work;
  const change = {
    UpdateExpression: `REMOVE ${all.join(', ')}`,
    ConditionExpression: 'version = :held AND list_sk = :due',
    ExpressionAttributeValues: { ':held': work.version, ':due': list_sk },
  };
  await tryCommit([update({ pk, sk }, change)]);
  return 'done';
}
