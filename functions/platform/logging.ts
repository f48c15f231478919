import { Logger } from '@aws-lambda-powertools/logger';

/** Structured logs. Names, addresses, e-mail addresses, secrets and bodies never go in: log ids. */
export const logger = new Logger();

/**
 * Only what nothing else counts: requests, latency and 4xx come from API Gateway and Lambda at no cost, and a custom
 * metric for each operation would cost more than the requests it counts. Loaded when there is something to count.
 */
export async function countUnexpectedError(): Promise<void> {
  const { Metrics, MetricUnit } = await import('@aws-lambda-powertools/metrics');
  const metrics = new Metrics();
  metrics.addMetric('UnexpectedErrors', MetricUnit.Count, 1);
  metrics.publishStoredMetrics();
}
