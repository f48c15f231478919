import { countParked, openCircuits } from '#domain/deliveries/circuit-list.ts';
import { readProviders } from '#domain/tracking-providers/provider-store.ts';
import { readWebhookMarks } from '#domain/tracking-providers/webhook-marks.ts';
import { mapConcurrently } from '#platform/batches.ts';
import type { Implementation } from '#platform/http/request.ts';
import { lastReads } from '#platform/table/heartbeat.ts';
import { operationsLimits } from '#schemas/catalogues/limits.ts';
import type { OperationsResponse, operations } from '#schemas/families/operations.ts';
import { queueCounts } from './queue-counts.ts';

export const getOperations: Implementation<typeof operations.getOperations> = async ({ now }) => {
  const [queues, circuits, providers, streams] = await Promise.all([
    queueCounts(),
    circuitsOfAll(),
    providersWithMarks(now),
    streamAges(now),
  ]);
  return { queues, circuits, providers, streams };
};

async function circuitsOfAll(): Promise<OperationsResponse['circuits']> {
  const open = await openCircuits(operationsLimits.circuits);
  return mapConcurrently(open, async ({ slug, target, state, since }) => ({
    shop_slug: slug,
    target,
    state,
    since,
    parked: await countParked(slug, target, operationsLimits.parked),
  }));
}

async function providersWithMarks(now: Date): Promise<OperationsResponse['providers']> {
  const names = (await readProviders()).map(({ provider }) => provider);
  return readWebhookMarks(names, now);
}

const streams = ['fan-out', 'counts'] as const;

async function streamAges(now: Date): Promise<OperationsResponse['streams']> {
  const reads = await lastReads(streams);
  const age = (at: string) => Math.max(0, Math.round((now.getTime() - Date.parse(at)) / 1000));
  return streams
    .map((name, i) => ({ name, age_seconds: reads[i] === undefined ? null : age(reads[i]) }))
    .sort((a, b) => (b.age_seconds ?? Number.POSITIVE_INFINITY) - (a.age_seconds ?? Number.POSITIVE_INFINITY));
}
