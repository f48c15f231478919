import { Logger } from '@aws-lambda-powertools/logger';
import type { OwnMetric } from '#schemas/catalogues/metrics.ts';

/**
 * With logs in JSON Lambda names the level of its own filter in every environment, INFO unless somebody chose another, and the library
 * would take that before the level of the stage.
 */
delete process.env.AWS_LAMBDA_LOG_LEVEL;

/** Structured logs. Log ids, never names, addresses, e-mail addresses, secrets or bodies. */
export const logger = new Logger();

/**
 * The name and the stack for a log, but not the message, which may contain what a caller sent. The messages of
 * AccessDeniedException name only actions and keys.
 */
export function describeError(error: unknown) {
  const { name, stack = '', message } = error as Error;
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return { name, ...(name === 'AccessDeniedException' && { message }), stack: frames.join('\n') };
}

/**
 * Counts only what nothing else counts. API Gateway and Lambda count requests, latency and 4xx at no cost, and a custom
 * metric for each operation would cost more than its requests. The library is loaded only when there is something to
 * count.
 */
export const countOne = (name: OwnMetric): Promise<void> => publish(name, 'Count', 1);

export const measureSeconds = (name: OwnMetric, seconds: number): Promise<void> => publish(name, 'Seconds', seconds);

/** Who counts has done its work, and would do it once more if this failed. */
async function publish(name: OwnMetric, unit: 'Count' | 'Seconds', value: number): Promise<void> {
  try {
    const { Metrics } = await import('@aws-lambda-powertools/metrics');
    const metrics = new Metrics();
    metrics.addMetric(name, unit, value);
    metrics.publishStoredMetrics();
  } catch (error) {
    logger.warn('not counted', { metric: name, reason: (error as Error).name });
  }
}
