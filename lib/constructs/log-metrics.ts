import { type Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** Of the metrics that the service counts itself: each stage has its own, so that none rings the alarms of another. */
export const metricsNamespace = (scope: Construct): string => Stack.of(scope).stackName;

/**
 * What CloudWatch counts in lines of logs. A metric costs only in hours in which there is such a line, and an alarm on it is one
 * metric, of however many functions the lines are.
 */
export const logMetrics = {
  /** Invocations that ended in an error, a crash or a timeout, of all functions. */
  failedInvocations: 'FailedInvocations',
  /** Requests that the gateway refused, because all callers together were above its throttle. */
  gatewayThrottles: 'GatewayThrottles',
  /** Requests for which Lambda refused to run the function. */
  refusedInvocations: 'RefusedInvocations',
  /** Requests that a function answered with 429, because one shop was above its rate. */
  rateLimited: 'RateLimited',
} as const;

type LogMetric = (typeof logMetrics)[keyof typeof logMetrics];

/**
 * Lambda's own line at the end of an invocation, if it did not succeed. It is of the level WARN, so every stage has it:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
export const failedInvocation = FilterPattern.all(
  FilterPattern.stringValue('$.type', '=', 'platform.report'),
  FilterPattern.stringValue('$.record.status', '!=', 'success'),
);

/**
 * Lines of the access log. `integrationStatus` is what Lambda itself answered, and `-` is what API Gateway writes for a field
 * without a value: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
export const accessLogPatterns = {
  gatewayThrottles: FilterPattern.stringValue('$.gatewayError', '=', 'THROTTLED'),
  refusedInvocations: FilterPattern.stringValue('$.integrationStatus', '=', '429'),
  rateLimited: FilterPattern.all(
    FilterPattern.stringValue('$.status', '=', '429'),
    FilterPattern.stringValue('$.gatewayError', '=', '-'),
  ),
};

/** Counts the lines of a log that match. Several logs may count as the same metric. */
export function countLines(scope: Construct, log: ILogGroup, metric: LogMetric, pattern: IFilterPattern): void {
  new MetricFilter(scope, metric, {
    logGroup: log,
    filterPattern: pattern,
    metricNamespace: metricsNamespace(scope),
    metricName: metric,
    metricValue: '1',
  });
}

/** How many lines there were. Without a line there is no data. */
export const linesCounted = (scope: Construct, metricName: LogMetric, period: Duration, label: string): IMetric =>
  new Metric({ namespace: metricsNamespace(scope), metricName, statistic: Stats.SUM, period, label });
