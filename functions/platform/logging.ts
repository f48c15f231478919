import { Logger } from '@aws-lambda-powertools/logger';
import type { OwnMetric } from '#schemas/catalogues/metrics.ts';

/** Structured logs. Log ids, never names, addresses, e-mail addresses, secrets or bodies. */
export const logger = new Logger();

/**
 * Counts only what nothing else counts. API Gateway and Lambda count requests, latency and 4xx at no cost, and a custom
 * metric for each operation would cost more than its requests. The library is loaded only when there is something to
 * count.
 */
export const countOne = (name: OwnMetric): Promise<void> => publish(name, 'Count', 1);

export const measureSeconds = (name: OwnMetric, seconds: number): Promise<void> => publish(name, 'Seconds', seconds);

async function publish(name: OwnMetric, unit: 'Count' | 'Seconds', value: number): Promise<void> {
  const { Metrics } = await import('@aws-lambda-powertools/metrics');
  const metrics = new Metrics();
  metrics.addMetric(name, unit, value);
  metrics.publishStoredMetrics();
}
