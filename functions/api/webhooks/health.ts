import type { Circuit } from '#domain/deliveries/circuit-rules.ts';
import { readCircuit } from '#domain/deliveries/circuit-store.ts';
import { type Attempt, type Delivery, type DeliveryStatus, isRetried } from '#domain/deliveries/delivery-rules.ts';
import { listDeliveries } from '#domain/deliveries/delivery-store.ts';
import type { Endpoint } from '#domain/endpoints/endpoint.ts';
import { olderSecrets } from '#domain/endpoints/secrets.ts';
import { mask } from '#platform/access/api-key.ts';
import type { Implementation } from '#platform/http/request.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import type { IntegrationHealth, WebhookHealth, webhooks } from '#schemas/families/webhooks.ts';
import { requireEndpoint } from './endpoints.ts';

export const getWebhookHealth: Implementation<typeof webhooks.getWebhookHealth> = async ({ shop, params, now }) => {
  const endpoint = await requireEndpoint(shop.slug, params.uuid);
  const [health, older_secrets] = await Promise.all([
    healthOfTarget(shop.slug, endpoint.uuid),
    olderSecretsOf(endpoint, now),
  ]);
  return { ...health, older_secrets };
};

export const getIntegrationHealth: Implementation<typeof webhooks.getIntegrationHealth> = ({ shop, params }) =>
  healthOfTarget(shop.slug, params.integration);

/** From a few reads of the newest deliveries: where these are large, they are fewer. */
async function healthOfTarget(slug: string, target: string): Promise<IntegrationHealth> {
  const [{ circuit }, { deliveries }] = await Promise.all([
    readCircuit(slug, target),
    listDeliveries(slug, target, { limit: deliveryLimits.ofHealth }),
  ]);
  return healthOf(circuit, deliveries);
}

async function olderSecretsOf(endpoint: Endpoint, now: Date): Promise<WebhookHealth['older_secrets']> {
  const older = await olderSecrets(endpoint, now);
  return older.map(({ secret, expires_at }) => ({ masked_secret: mask(secret), valid_until: expires_at }));
}

/** @param deliveries the newest of the target */
export function healthOf(circuit: Circuit, deliveries: readonly Delivery[]): IntegrationHealth {
  const attempts = lastAttempts(deliveries);
  const successes = attempts.filter(({ error }) => error === undefined);
  // A retry that arrives does not undo the failure before it.
  const failures = sentOf(deliveries).flatMap((sent) => sent.attempts.filter(({ error }) => error !== undefined));
  return {
    circuit: shownCircuit(circuit),
    of_last: deliveries.length,
    counts: countsOf(deliveries),
    retrying: deliveries.filter(isRetried).length,
    success_rate: attempts.length === 0 ? null : successes.length / attempts.length,
    latency_ms: latencyOf(attempts),
    last_success_at: newest(successes)?.at ?? null,
    last_failure: failureOf(newest(failures)),
  };
}

/** What was cancelled or skipped was not sent, and says nothing about the target. */
const sentOf = (deliveries: readonly Delivery[]) =>
  deliveries.filter(({ status }) => status !== 'cancelled' && status !== 'skipped');

/** The last attempt of each delivery: it tells sooner than the status, which stays `pending` for days. */
const lastAttempts = (deliveries: readonly Delivery[]): Attempt[] =>
  sentOf(deliveries).flatMap(({ attempts }) => attempts.at(-1) ?? []);

function shownCircuit({ state, since, probe_at }: Circuit): IntegrationHealth['circuit'] {
  if (state === 'closed') return { state, since: null, next_attempt_at: null };
  return { state, since, next_attempt_at: probe_at };
}

function countsOf(deliveries: readonly Delivery[]): Record<DeliveryStatus, number> {
  const counts = { pending: 0, parked: 0, delivered: 0, failed: 0, cancelled: 0, skipped: 0 };
  for (const { status } of deliveries) counts[status]++;
  return counts;
}

function latencyOf(attempts: readonly Attempt[]): IntegrationHealth['latency_ms'] {
  const durations = attempts.filter(({ status }) => status !== undefined).map(({ duration_ms }) => duration_ms);
  const sorted = durations.toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  return { p50: percentile(0.5), p95: percentile(0.95) };
}

/** Deliveries are sorted by the time of their event, and an older one may have been sent later. */
const newest = (attempts: readonly Attempt[]): Attempt | undefined =>
  attempts.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];

const failureOf = (attempt: Attempt | undefined): IntegrationHealth['last_failure'] =>
  attempt ? { at: attempt.at, error: attempt.error!, status: attempt.status ?? null } : null;
