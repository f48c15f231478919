import { integrationTarget } from '#domain/deliveries/integration-targets.ts';
import { postpone, takeTurns } from '#domain/deliveries/pace-store.ts';
import { isErased } from '#domain/orders/erased-order.ts';
import type { ShopIdentity } from '#domain/orders/model.ts';
import { timeOfChange } from '#domain/orders/order-rules.ts';
import { loadOrder, saveOrder } from '#domain/orders/order-store.ts';
import {
  enqueueSegmentRequests,
  nextTry,
  postponed,
  type SegmentRequest,
  secondsUntilDue,
} from '#domain/segments/segment-request.ts';
import {
  customerOf,
  hasCustomer,
  isSegmentDialect,
  isSegmentSource,
  joinedSegments,
} from '#domain/segments/segment-rules.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { NoAnswer, type VendorAccount, type VendorAnswer, type VendorRequest } from '#domain/vendors/dialect.ts';
import { answerIn, outgoingOf, perform } from '#domain/vendors/exchange.ts';
import type { SegmentResult, SegmentSource } from '#domain/vendors/segment-source.ts';
import { loadSource } from '#domain/vendors/segment-sources.ts';
import { ServiceError } from '#platform/errors.ts';
import { countOne } from '#platform/logging.ts';
import type { Call } from '#platform/outgoing/call.ts';
import { decryptOnce } from '#platform/secrets/cipher.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { clockSince } from '#platform/time.ts';
import { ownMetrics } from '#schemas/catalogues/metrics.ts';

/** The outside world, which tests replace. */
export interface Ports {
  call: Call;
  now(): Date;
  /** From 0 to 1. */
  random(): number;
}

export interface RequestResult {
  /**
   * `joined`: the order has new segments. `unchanged`: there is nothing new. `not_wanted`: the order, its customer or the
   * source is gone. `postponed`: another try follows. `refused`: no try can succeed. `given_up`: all tries failed.
   */
  kind: 'joined' | 'unchanged' | 'not_wanted' | 'postponed' | 'refused' | 'given_up';
  reason?: string;
}

/** Throws only if our own part failed: then the queue hands the message out again. */
export async function fulfilRequest(request: SegmentRequest, ports: Ports): Promise<RequestResult> {
  const early = secondsUntilDue(request, ports.now());
  if (early > 0) return wait(request, early, ports);
  const source = await loadAccount(request);
  const loaded = source && (await retryOnConflict(() => loadOrder(request.shop_slug, request.order_id)));
  if (!loaded || !hasCustomer(loaded.order)) return { kind: 'not_wanted' };
  const { exchange, rate } = await loadSource(source.dialect);
  const pace = [request.shop_slug, paceOf(request)] as const;
  if (!request.has_turn) {
    const { waitSeconds, hasTurn } = await takeTurns(...pace, 1, rate, ports.now());
    if (waitSeconds > 0) return wait({ ...request, has_turn: hasTurn }, waitSeconds, ports);
  }
  const asking = exchange(customerOf(loaded.order), source.account, ports.now());
  const result = await askForSegments(asking, source.account, ports);
  if (result.kind === 'found') return join(source.shop, request.order_id, result.segments, ports.now());
  if (result.kind === 'refused') return { kind: 'refused', reason: result.reason };
  // The orders after this one wait, too.
  if (result.kind === 'throttled') await postpone(...pace, result.waitSeconds ?? 0, rate, ports.now());
  return tryAgain(request, result, ports);
}

/** The integration as it is now: the shop may have switched it off, or set another key. */
async function loadAccount({ shop_slug: slug, integration }: SegmentRequest) {
  const keys = [keyOf.shop(slug), keyOf.settings(slug), keyOf.integrationKey(slug, integration)];
  const [shop, stored = {}, key] = await batchGet(keys);
  const settings: StoredSettings = stored;
  if (!shop || !key || !isSegmentSource(integration, { shop, settings, key })) return undefined;
  const target = integrationTarget(integration, { shop, settings, key })!;
  if (!isSegmentDialect(target.dialect)) return undefined;
  const context = { shop: shop.uuid as string, integration };
  const credential = JSON.parse(await decryptOnce(key.ciphertext as Uint8Array, context));
  const account: VendorAccount = { target, credential, extras: {} };
  return { shop: shop as unknown as ShopIdentity, dialect: target.dialect, account };
}

/** For all requests of an exchange together, so that a slow vendor does not use up the time of the function. */
const deadlineMs = 25_000;

export async function askForSegments(
  exchange: ReturnType<SegmentSource['exchange']>,
  account: VendorAccount,
  { call }: Pick<Ports, 'call'>,
): Promise<SegmentResult> {
  const end = Date.now() + deadlineMs;
  const answerTo = async (request: VendorRequest): Promise<VendorAnswer> => {
    const leftMs = end - Date.now();
    if (leftMs <= 0) throw new NoAnswer('timeout');
    const answer = answerIn(await call({ ...outgoingOf(request, account), deadlineMs: leftMs }));
    if (answer instanceof NoAnswer) throw answer;
    return answer;
  };
  try {
    return await perform(exchange, answerTo);
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'again', reason: error.message };
    throw error;
  }
}

/** A repeated message finds the segments there, so nothing is written twice. */
function join(shop: ShopIdentity, orderId: string, found: string[], now: Date): Promise<RequestResult> {
  const clock = clockSince(now);
  return retryOnConflict(async () => {
    const before = await loadOrder(shop.slug, orderId);
    if (!before || isErased(before.order)) return { kind: 'not_wanted' };
    const segments = joinedSegments(before.order.segments ?? [], found);
    if (!segments) return { kind: 'unchanged' };
    const at = timeOfChange(before, clock()).toISOString();
    const order = { ...before.order, segments, updated_at: at };
    try {
      await saveOrder({ shop, before, order, isReport: true, now: at });
    } catch (error) {
      if (error instanceof ServiceError) return { kind: 'refused', reason: error.key };
      throw error;
    }
    return { kind: 'joined' };
  });
}

/** The vendor counts these requests apart from events. */
const paceOf = ({ integration }: SegmentRequest) => `${integration}#segments`;

/** The vendor was not asked, so this was no try. */
const wait = (request: SegmentRequest, seconds: number, ports: Ports): Promise<RequestResult> =>
  enqueueOrGiveUp(postponed(request, seconds, ports.now()), 'not_due', ports);

type Unfinished = Extract<SegmentResult, { kind: 'again' | 'throttled' }>;

async function tryAgain(request: SegmentRequest, result: Unfinished, ports: Ports): Promise<RequestResult> {
  const [now, reason] = [ports.now(), result.kind === 'again' ? result.reason : result.kind];
  const next = nextTry(request, { waitSeconds: result.waitSeconds, now, random: ports.random() });
  return enqueueOrGiveUp(next, reason, ports);
}

async function enqueueOrGiveUp(next: SegmentRequest | undefined, reason: string, ports: Ports): Promise<RequestResult> {
  if (next) await enqueueSegmentRequests([next], ports.now());
  // Nothing else tells the operator: the dashboard shows it, and a vendor's trouble rings no alarm.
  else await countOne(ownMetrics.segmentsGivenUp);
  return { kind: next ? 'postponed' : 'given_up', reason };
}
