import { Logger } from '@aws-lambda-powertools/logger';
import { type OwnMetric, ownMetrics } from '#schemas/catalogues/metrics.ts';

/** Structured logs. Log ids, never names, addresses, e-mail addresses, secrets or bodies. */
export const logger = new Logger();

/**
 * Counts only what nothing else counts. API Gateway and Lambda count requests, latency and 4xx at no cost, and a custom
 * metric for each operation would cost more than its requests. The library is loaded only when there is something to
 * count.
 */
export async function countOne(name: OwnMetric): Promise<void> {
  const { Metrics, MetricUnit } = await import('@aws-lambda-powertools/metrics');
  const metrics = new Metrics();
  metrics.addMetric(name, MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}

export const countUnexpectedError = (): Promise<void> => countOne(ownMetrics.unexpectedErrors);
