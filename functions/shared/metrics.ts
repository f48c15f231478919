import { Metrics } from '@aws-lambda-powertools/metrics';

/**
 * Only what nothing else counts: requests, latency and 4xx come from API Gateway and Lambda at no cost, and a custom
 * metric for each operation would cost more than the requests it counts.
 */
export const metrics = new Metrics();
