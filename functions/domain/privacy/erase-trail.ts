import { allAutomations, deletedAutomations } from '#domain/automations/automation-store.ts';
import { type AutomationRecord, automationTarget } from '#domain/automations/model.ts';
import type { AutomationRun } from '#domain/automations/run.ts';
import { eraseRun, forgetDue, runsOfEvents } from '#domain/automations/run-store.ts';
import { claimsOfOrder, wholeHistory } from '#domain/claims/claim-store.ts';
import { deliveriesOfEvents } from '#domain/deliveries/deliveries-of-events.ts';
import { deliveryId, type Target } from '#domain/deliveries/delivery-items.ts';
import { type Delivery, isEnded, ttlSeconds } from '#domain/deliveries/delivery-rules.ts';
import { eraseDelivery, readDeliveries } from '#domain/deliveries/delivery-store.ts';
import {
  erasedPayload,
  isErasedPayload,
  type PlacedPayload,
  withoutPayload,
  withPayload,
} from '#domain/deliveries/erased-payload.ts';
import { deliveryData } from '#domain/deliveries/personal-data.ts';
import { endpointsOf, goneEndpointsOf } from '#domain/endpoints/endpoint-store.ts';
import { pastEvents } from '#domain/orders/enclosed-events.ts';
import type { OrderWithShipments, ShopIdentity } from '#domain/orders/model.ts';
import { claimEvent, logTimeOf, type StoredEvent } from '#domain/orders/outbox.ts';
import { outboxDataOf } from '#domain/orders/personal-data.ts';
import { eventsOfWithdrawal } from '#domain/withdrawals/withdrawal-rules.ts';
import { withdrawalOfOrder } from '#domain/withdrawals/withdrawal-store.ts';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import {
  addCounts,
  type Counted,
  type CountsOf,
  type Erasure,
  noCount,
  personalPaths,
} from '#platform/personal-data.ts';
import { keyOf, retriesOf } from '#platform/table/keys.ts';
import { batchGet, getItem, itemsIn, type Key, queryAll } from '#platform/table/reads.ts';
import { removeAll } from '#platform/table/remove-all.ts';
import { removeBody } from '#platform/table/stored-body.ts';
import { put, tryCommit, WriteConflict } from '#platform/table/writes.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import type { PersonalStore } from '#schemas/catalogues/personal-stores.ts';

/** What the events of an order left behind: payloads, deliveries with their attempts and waits, and runs. */

/** All that can have got an event of the shop, also what was deleted since. */
export interface Receivers {
  targets: readonly Target[];
  automations: readonly AutomationRecord[];
}

export async function receiversOf(slug: string): Promise<Receivers> {
  const [endpoints, gone, automations, deleted] = await Promise.all([
    endpointsOf(slug),
    goneEndpointsOf(slug),
    allAutomations(slug),
    deletedAutomations(slug),
  ]);
  const targets: Target[] = [
    ...[...endpoints.map(({ uuid }) => uuid), ...gone].map((id) => ({ id, kind: 'webhook' as const })),
    // Also those without a key: it may have been deleted.
    ...notifiedIntegrations.map((id) => ({ id, kind: 'integration' as const })),
    { id: emailTarget, kind: 'email' },
  ];
  return { targets, automations: [...automations, ...deleted] };
}

/** What was made of some events of an order. */
export interface Trail {
  events: readonly StoredEvent[];
  runs: readonly AutomationRun[];
  deliveries: readonly Delivery[];
}

/** So many events at a time, so that an order with thousands of them needs no more memory than others. */
const eventsAtOnce = 25;

export async function* trailsOf(
  { slug }: ShopIdentity,
  fullOrder: OrderWithShipments,
  receivers: Receivers,
  since?: string,
): AsyncGenerator<Trail> {
  const events = await eventsOf(slug, fullOrder, since);
  for (const some of chunks(events, eventsAtOnce)) {
    const [deliveries, runs] = await Promise.all([
      deliveriesOfEvents(slug, some, receivers.targets, Number.POSITIVE_INFINITY),
      runsOfEvents(some, receivers.automations, Number.POSITIVE_INFINITY),
    ]);
    const ofRuns = await readDeliveries(slug, runs.flatMap(deliveriesOfRun));
    yield { events: some, runs, deliveries: [...deliveries, ...ofRuns] };
  }
}

/** Those that are kept, and those of claims and withdrawals, which their histories tell for as long as they exist. */
async function eventsOf(slug: string, fullOrder: OrderWithShipments, since = '0'): Promise<StoredEvent[]> {
  const { events } = await pastEvents(slug, fullOrder, { since, maxReads: Number.POSITIVE_INFINITY });
  const claims = await claimsOfOrder(slug, fullOrder.order.uuid);
  const ofClaims = await mapConcurrently(
    claims,
    async (claim) =>
      (await wholeHistory(slug, claim)).flatMap(({ version, action, at, by }) => {
        if (action === 'deleted') return [];
        // A message is told as an update.
        const told = action === 'created' ? action : 'updated';
        return [{ ...claimEvent(told, { ...claim, updated_at: at }, version, by ?? ''), shop_slug: slug }];
      }),
    4,
  );
  const withdrawal = await withdrawalOfOrder(slug, fullOrder.order.uuid);
  const ofWithdrawal = (withdrawal ? eventsOfWithdrawal(withdrawal) : []).map((event) => ({
    ...event,
    shop_slug: slug,
  }));
  const known = new Set(events.map(({ id }) => id));
  const derived = [...ofClaims.flat(), ...ofWithdrawal];
  return [...events, ...derived.filter(({ id, triggered_at }) => triggered_at >= since && !known.has(id))];
}

/** A run may have died between making a delivery and recording it, so the ids are derived from its actions too. */
function deliveriesOfRun({ id: subject_id, automation_id, event, actions, results }: AutomationRun) {
  const origin = { event_id: event.id, triggered_at: logTimeOf(event), subject_id };
  const targets = actions.flatMap(({ type, params }) => {
    if (type === 'webhook') return [automationTarget(automation_id, params.url)];
    return type === 'integration' ? [params.integration] : [];
  });
  const derived = targets.map((target) => ({ target, id: deliveryId({ ...origin, target }) }));
  const recorded = Object.values(results).flatMap(({ delivery }) => delivery ?? []);
  return [...new Map([...derived, ...recorded].map((one) => [`${one.target} ${one.id}`, one])).values()];
}

type Spend = (units: number) => Promise<void>;

/** Erases the trail of an order that is erased already. It can be repeated. @param since of which time events are looked at */
export async function eraseTrail(
  shop: ShopIdentity,
  fullOrder: OrderWithShipments,
  receivers: Receivers,
  erasure: Erasure,
  spend: Spend,
  since?: string,
): Promise<CountsOf<keyof typeof nothingInTrail>> {
  const paced = { ...erasure, spend };
  let counted = nothingInTrail;
  for await (const trail of trailsOf(shop, fullOrder, receivers, since)) {
    counted = addCounts(
      counted,
      await erasePayloads(shop.slug, trail, paced),
      ...(await mapConcurrently(trail.runs, (run) => eraseOneRun(run, paced), maxConcurrent)),
      ...(await mapConcurrently(trail.deliveries, (delivery) => eraseOneDelivery(delivery, paced), maxConcurrent)),
    );
  }
  return counted;
}

const nothingInTrail = {
  payloads: noCount,
  payload_files: noCount,
  automation_runs: noCount,
  deliveries: noCount,
  waiting_retries: noCount,
} satisfies Counted;

const maxConcurrent = 4;

/** An item of a trail is about a kilobyte, and in an index. */
const unitsOfTrail = 3;

const one = (store: PersonalStore, isPersonal: boolean, found = 1): Counted => ({
  [store]: { found, erased: isPersonal ? found : 0, kept: isPersonal ? 0 : found },
});

async function erasePayloads(slug: string, { events, deliveries }: Trail, erasure: Erasure): Promise<Counted> {
  const ids = [...new Set([...events.map(({ id }) => id), ...deliveries.map(({ payload_id }) => payload_id)])];
  const items = await batchGet(ids.map((id) => keyOf.payload(slug, id)));
  const counts = await mapConcurrently(
    ids.map((id, i) => ({ id, item: items[i] })),
    async ({ id, item }): Promise<Counted> => {
      const erased = erasure.dryRun ? item : await erasePayload(slug, id, item, erasure);
      if (!withPayload(erased) || isErasedPayload(erased)) return {};
      return addCounts(one('payloads', true), erased?.s3_key === undefined ? {} : one('payload_files', true));
    },
    maxConcurrent,
  );
  return addCounts({}, ...counts);
}

/** The payloads of an event come once. */
const maxReads = 3;

/** The file first: without its item nobody would find it. @returns what was there */
async function erasePayload(slug: string, id: string, item: PayloadItem, erasure: Erasure): Promise<PayloadItem> {
  let found = item;
  for (let reads = 1; !isErasedPayload(found); reads++) {
    const payload = withPayload(found) as Partial<PlacedPayload & StoredFile> | undefined;
    await erasure.spend?.(1 + Math.floor((payload?.body?.length ?? 0) / 1024));
    if (payload?.s3_key !== undefined) await removeBody(payload.s3_key);
    const expires_at = Math.max(lastUseOf(erasure), payload?.expires_at ?? 0);
    const erased = erasedPayload(slug, id, erasure.at, expires_at, payload?.feed);
    // The event may get its payloads, and a place in the feed, after it was read.
    if (await tryCommit([put(erased, payload ? undefined : withoutPayload)])) return found;
    if (reads === maxReads) throw new WriteConflict([0]);
    found = await getItem(keyOf.payload(slug, id));
  }
  return found;
}

type PayloadItem = Record<string, unknown> | undefined;

interface StoredFile {
  body: Uint8Array;
  s3_key: string;
}

/** No record of the stream, message or replay that names the event is older then. */
const lastUseOf = ({ at }: Erasure): number => Math.floor(Date.parse(at) / 1000) + ttlSeconds;

async function eraseOneRun(run: AutomationRun, erasure: Erasure): Promise<Counted> {
  const isPersonal = personalPaths(outboxDataOf(run.event), run.event).length > 0;
  const isWaiting = run.finished_at === null;
  if (!erasure.dryRun) {
    if (isPersonal || isWaiting) await erasure.spend?.(unitsOfTrail);
    if (run.status === 'scheduled') await forgetDue(run);
    if (isPersonal || isWaiting) await eraseRun(run, erasure.at);
  }
  return one('automation_runs', isPersonal);
}

async function eraseOneDelivery(delivery: Delivery, erasure: Erasure): Promise<Counted> {
  const isPersonal = personalPaths(deliveryData, delivery).length > 0;
  const retries = isEnded(delivery) ? [] : await waitsOf(delivery);
  if (!erasure.dryRun) {
    if (isPersonal || !isEnded(delivery)) await erasure.spend?.(unitsOfTrail);
    await removeAll(retries);
    if (isPersonal || !isEnded(delivery)) await eraseDelivery(delivery, new Date(erasure.at));
  }
  return addCounts(
    one('deliveries', isPersonal),
    retries.length > 0 ? one('waiting_retries', true, retries.length) : {},
  );
}

/** The messages that would make its next attempt. */
const waitsOf = ({ shop_slug, id }: Delivery): Promise<Key[]> =>
  queryAll<Key>({ ...itemsIn(retriesOf(shop_slug, id)), ProjectionExpression: 'pk, sk', ConsistentRead: true });
