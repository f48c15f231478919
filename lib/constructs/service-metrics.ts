import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi, Stage } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { ownMetrics } from '#schemas/catalogues/metrics.ts';
import type { FamilyName } from '#schemas/families/index.ts';
import type { AutomationRuns } from './automation-runs.ts';
import type { CarrierUpdates } from './carrier-updates.ts';
import type { Counts } from './counts.ts';
import type { Deliveries } from './deliveries.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { Due } from './due.ts';
import type { Emails } from './emails.ts';
import type { FanOut } from './fan-out.ts';
import { accessLogPatterns, countLines, linesCounted, logMetrics, metricsNamespace } from './log-metrics.ts';
import type { Privacy } from './privacy.ts';
import type { Segments } from './segments.ts';
import type { ServiceFunction } from './service-function.ts';
import type { TrackingSubmission } from './tracking-submission.ts';

export interface ObservedParts {
  readonly restApi: SpecRestApi;
  readonly accessLog: ILogGroup;
  /** The functions of the API, by their name in alarms and widgets. */
  readonly functions: Readonly<Record<string, ServiceFunction>>;
  readonly queue: DeliveryQueue;
  readonly fanOut: FanOut;
  readonly deliveries: Deliveries;
  readonly carrierUpdates: CarrierUpdates;
  readonly tracking: TrackingSubmission;
  readonly due: Due;
  readonly runs: AutomationRuns;
  readonly segments: Segments;
  readonly counts: Counts;
  readonly privacy: Privacy;
  /** Absent if the stage names no sender. */
  readonly emails?: Emails | undefined;
  readonly table: TableV2;
}

export type ServiceMetrics = ReturnType<typeof serviceMetrics>;

const period = Duration.minutes(5);

/**
 * What the functions send, without reads of batches: DynamoDB counts a batch as throttled only if every item in it is. Of batches that an
 * index throttles nothing else tells. At most six: an alarm takes ten metrics, and `throttledRequests` needs four more.
 */
const throttledOperations = [
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.BATCH_WRITE_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];

/** Of each kind one: errors of DynamoDB itself hit all operations, and each metric of an alarm costs. */
const someOperations = [Operation.QUERY, Operation.BATCH_GET_ITEM, Operation.TRANSACT_WRITE_ITEMS];

/** The metrics of the service. Alarms and dashboard show the same figures because both use these. */
export function serviceMetrics(parts: ObservedParts) {
  const { restApi, queue, fanOut, deliveries, carrierUpdates, tracking, due, runs, segments, counts, privacy, table } =
    parts;
  const { emails } = parts;
  const { deploymentStage: stage } = restApi;
  const functions = {
    ...parts.functions,
    ingest: carrierUpdates.ingest,
    trackingRegistration: tracking.register,
    fanOut: fanOut.fanOut,
    delivery: deliveries.delivery,
    deadLetters: deliveries.deadLetters,
    drain: deliveries.drain,
    due: due.work,
    automationRuns: runs.act,
    segments: segments.fetch,
    counts: counts.count,
    privacyWork: privacy.work,
    ...(emails && { emailEvents: emails.record }),
  };
  const ofEachFunction = (metric: (part: ServiceFunction) => IMetric): Record<string, IMetric> =>
    Object.fromEntries(Object.entries(functions).map(([name, part]) => [name, metric(part)]));
  const scheduled = { drain: functions.drain, due: functions.due, privacyWork: functions.privacyWork };
  const lines = (metric: (typeof logMetrics)[keyof typeof logMetrics], label: string) =>
    linesCounted(restApi, metric, period, label);
  for (const name of ['gatewayThrottles', 'refusedInvocations', 'rateLimited'] as const)
    countLines(restApi, parts.accessLog, logMetrics[name], accessLogPatterns[name]);
  return {
    api: {
      requests: stage.metricCount({ period, label: 'Requests' }),
      serverErrorRate: serverErrorRate(stage),
      serverErrorRateOfUrls: serverErrorRateOfUrls(functions),
      requestsOfUrls: Object.values(ofUrls(functions, 'UrlRequestCount', Stats.SUM)),
      latencyTailOfUrls: Object.values(ofUrls(functions, 'UrlRequestLatency', Stats.p(99))),
      clientErrorRate: stage.metricClientError({ period, statistic: Stats.AVERAGE, label: '4xx rate' }),
      latencyMedian: stage.metricLatency({ period, statistic: Stats.p(50), label: 'p50' }),
      latencyTail: stage.metricLatency({ period, statistic: Stats.p(99), label: 'p99' }),
      // Without a label, which would make an expression of it: CloudWatch tells few samples only of a metric itself.
      slowestHundredth: stage.metricLatency({ period, statistic: Stats.p(99) }),
      slowestHundredthOfPages: parts.functions.pages!.lambda.metric('UrlRequestLatency', {
        period,
        statistic: Stats.p(99),
      }),
      gatewayThrottles: lines(logMetrics.gatewayThrottles, '429 of the gateway'),
      rateLimited: lines(logMetrics.rateLimited, '429 of a shop above its rate'),
    },
    functions: {
      failed: lines(logMetrics.failedInvocations, 'Failed invocations'),
      refused: refusedInvocations(lines(logMetrics.refusedInvocations, 'Refused'), functions),
      rounds: Object.values(scheduled).map(rounds),
      silent: silentSchedules(scheduled),
      /** Of the whole account, which shares it. */
      claimedConcurrency: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'ClaimedAccountConcurrency',
        statistic: Stats.MAXIMUM,
        period,
        label: 'Taken concurrency of the account',
      }),
      errors: ofEachFunction((part) => part.lambda.metricErrors({ period })),
      throttles: ofEachFunction((part) => part.lambda.metricThrottles({ period })),
      duration: ofEachFunction((part) => part.lambda.metricDuration({ period, statistic: Stats.p(99) })),
    },
    deliveries: {
      waiting: messagesIn(queue.queue, 'Waiting'),
      oldestAge: queue.queue.metricApproximateAgeOfOldestMessage({ period, label: 'Oldest' }),
      // Messages received, not visible ones, because a function reads the queue at once.
      deadLetters: queue.deadLetters.metricNumberOfMessagesReceived({ period, label: 'Dead letters' }),
      oldestDeadLetter: queue.deadLetters.metricApproximateAgeOfOldestMessage({ period, label: 'Oldest dead letter' }),
      failures: messagesIn(fanOut.failures.queue, 'Not fanned out'),
      placesInFlight: queue.queue.metricApproximateNumberOfMessagesNotVisible({
        period,
        statistic: Stats.MAXIMUM,
        label: 'In flight',
      }),
      faults: new Metric({
        namespace: metricsNamespace(deliveries.delivery.lambda),
        metricName: ownMetrics.deliveryFaults,
        dimensionsMap: { service: deliveries.delivery.serviceName },
        statistic: Stats.SUM,
        period,
        label: 'Batches with faults of ours',
      }),
      streamAge: streamAge('eventsAge', fanOut.fanOut, deliveries.drain),
      oldestPart: oldestIn(fanOut.fanOut, 'Oldest part', fanOut.parts, fanOut.failures.replays),
      deadParts: messagesIn(fanOut.deadParts, 'Dead parts'),
    },
    carrierUpdates: {
      waiting: messagesIn(carrierUpdates.queue, 'Waiting'),
      oldestAge: oldestIn(carrierUpdates.ingest, 'Oldest', carrierUpdates.queue),
      failures: messagesIn(carrierUpdates.failures, 'Failures'),
    },
    tracking: {
      waiting: messagesIn(tracking.queue, 'Waiting'),
      deadLetters: messagesIn(tracking.deadLetters, 'Dead letters'),
      registrations: messagesIn(tracking.registrations, 'Registrations'),
      oldestRegistration: oldestIn(tracking.register, 'Oldest', tracking.registrations),
      oldestRequest: tracking.queue.metricApproximateAgeOfOldestMessage({ period, label: 'Oldest request' }),
      givenUp: messagesIn(tracking.givenUp, 'Given up'),
    },
    automations: {
      waiting: messagesIn(runs.queue, 'Waiting'),
      oldestAge: oldestIn(runs.act, 'Oldest', runs.queue),
      givenUp: messagesIn(runs.givenUp, 'Given up'),
    },
    segments: {
      waiting: messagesIn(segments.queue, 'Waiting'),
      oldestAge: oldestIn(segments.fetch, 'Oldest', segments.queue),
      deadLetters: messagesIn(segments.deadLetters, 'Dead letters'),
      givenUp: segments.givenUp.with({ period, label: 'Given up' }),
    },
    counts: {
      streamAge: streamAge('countsAge', counts.count, deliveries.drain),
      failures: messagesIn(counts.failures.queue, 'Not counted'),
      oldestReplay: oldestIn(counts.count, 'Oldest replay', counts.failures.replays),
    },
    emails: emails && {
      bounceRate: emails.bounceRate,
      complaintRate: emails.complaintRate,
      waiting: messagesIn(emails.queue, 'Waiting'),
      oldestAge: oldestIn(emails.record, 'Oldest', emails.queue),
      failures: messagesIn(emails.failures, 'Failures'),
    },
    table: {
      throttledRequests: sumOf(
        table,
        {
          ...ofOperations(table, 'ThrottledRequests', throttledOperations),
          // Each item of a batch for itself, though not in an index.
          reads: table.metric('ReadThrottleEvents', ofTable(table)),
          writes: table.metric('WriteThrottleEvents', ofTable(table)),
        },
        'Throttled',
      ),
      systemErrors: sumOf(table, ofOperations(table, 'SystemErrors', someOperations), 'System errors'),
    },
  };
}

/**
 * Without the answers 502 of the family that calls the shops' own systems: a merchant's broken system is no fault of
 * ours.
 */
function serverErrorRate(stage: Stage): IMetric {
  const badGateways = new Metric({
    namespace: metricsNamespace(stage),
    metricName: ownMetrics.badGateways,
    dimensionsMap: { service: shopSystem },
    statistic: Stats.SUM,
    period,
  });
  const usingMetrics = {
    errors: stage.metricServerError({ period, statistic: Stats.SUM }),
    requests: stage.metricCount({ period, statistic: Stats.SUM }),
    bad: badGateways,
  };
  return new MathExpression({
    expression: '(errors - FILL(bad, 0)) / requests',
    usingMetrics,
    period,
    label: '5xx rate',
  });
}

/** Each runs once a minute. */
const rounds = ({ lambda, serviceName }: ServiceFunction): IMetric =>
  lambda.metricInvocations({ period, statistic: Stats.SUM, label: serviceName });

/** 1 in a period in which one of the functions that run every minute ran less than three times, and otherwise 0. */
function silentSchedules(scheduled: Readonly<Record<string, ServiceFunction>>): IMetric {
  const usingMetrics = Object.fromEntries(Object.entries(scheduled).map(([name, part]) => [name, rounds(part)]));
  const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({
    expression: `IF(MIN([${filled.join(', ')}]) < 3, 1, 0)`,
    usingMetrics,
    period,
    label: 'A schedule is silent',
  });
}

/**
 * Invocations that Lambda refused. The access log has those of the API. A function with concurrency or an address of its own is looked at itself.
 * All others share what the account has left: fan-out, which runs at least every minute, and delivery, which takes most, stand
 * for those that no request runs. Their queues and the stream wait, and the alarms on their age see it, too.
 */
function refusedInvocations(
  ofApi: IMetric,
  functions: Functions & { fanOut: ServiceFunction; delivery: ServiceFunction },
): IMetric {
  const watched = {
    ...having(functions, (part) => hasOwnConcurrency(part) || hasUrl(part)),
    fanOut: functions.fanOut,
    delivery: functions.delivery,
  };
  const throttles = Object.entries(watched).map(([name, part]): [string, IMetric] => [
    idOf(name),
    part.lambda.metricThrottles({ period, statistic: Stats.SUM, label: part.serviceName }),
  ]);
  const usingMetrics = { api: ofApi, ...Object.fromEntries(throttles) };
  const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({ expression: filled.join(' + '), usingMetrics, period, label: 'Refused invocations' });
}

const hasOwnConcurrency = ({ lambda }: ServiceFunction): boolean =>
  (lambda.node.defaultChild as CfnFunction).reservedConcurrentExecutions !== undefined;

const hasUrl = ({ lambda }: ServiceFunction): boolean => lambda.node.tryFindChild('FunctionUrl') !== undefined;

type Functions = Readonly<Record<string, ServiceFunction>>;

const having = (functions: Functions, is: (part: ServiceFunction) => boolean): Functions =>
  Object.fromEntries(Object.entries(functions).filter(([, part]) => is(part)));

/** Of a metric in an expression. */
const idOf = (name: string): string => name.replaceAll('-', '_');

/** What Lambda counts at the addresses of functions: https://docs.aws.amazon.com/lambda/latest/dg/urls-monitoring.html */
function ofUrls(functions: Functions, metricName: string, statistic: string): Record<string, IMetric> {
  const metrics = Object.entries(having(functions, hasUrl)).map(
    ([name, { lambda, serviceName }]): [string, IMetric] => [
      `${metricName.charAt(0).toLowerCase()}${metricName.slice(1)}_${idOf(name)}`,
      lambda.metric(metricName, { period, statistic, label: serviceName }),
    ],
  );
  return Object.fromEntries(metrics);
}

/** Of the requests of customers and tracking providers, which do not come through the gateway. Apart from the merchants', which are fewer. */
function serverErrorRateOfUrls(functions: Functions): IMetric {
  const errors = ofUrls(functions, 'Url5xxCount', Stats.SUM);
  const requests = ofUrls(functions, 'UrlRequestCount', Stats.SUM);
  const sum = (metrics: object) =>
    `(${Object.keys(metrics)
      .map((id) => `FILL(${id}, 0)`)
      .join(' + ')})`;
  return new MathExpression({
    expression: `${sum(errors)} / ${sum(requests)}`,
    usingMetrics: { ...errors, ...requests },
    period,
    label: '5xx rate of pages and webhooks of providers',
  });
}

/**
 * The faults of operations. An alarm on metrics of DynamoDB keeps its state while they have no data, whatever it is told
 * to do, and these have data only when there is a fault. So the sum also has what the table writes, times zero: the
 * heartbeat is written in every minute, and CloudWatch adds what is missing as 0.
 */
function sumOf(table: TableV2, faults: Record<string, IMetric>, label: string): IMetric {
  return new MathExpression({
    expression: `${Object.keys(faults).join(' + ')} + 0 * written`,
    usingMetrics: { ...faults, written: table.metricConsumedWriteCapacityUnits({ statistic: Stats.SUM, period }) },
    period,
    label,
  });
}

const ofTable = ({ tableName: TableName }: TableV2) => ({ dimensionsMap: { TableName }, statistic: Stats.SUM, period });

const ofOperations = (table: TableV2, metricName: string, operations: readonly Operation[]): Record<string, IMetric> =>
  Object.fromEntries(
    operations.map((operation) => [
      operation.charAt(0).toLowerCase() + operation.slice(1),
      table.metric(metricName, {
        ...ofTable(table),
        dimensionsMap: { TableName: table.tableName, Operation: operation },
      }),
    ]),
  );

const shopSystem = 'shop-system' satisfies FamilyName;

/**
 * How old the records are that a function reads. It grows while the function cannot handle them. `due` writes a record in
 * every minute, so if the age is missing nobody reads the stream, and the alarms take that for a fault. Before the first
 * deployment nobody reads it either, and a new alarm looks back. So the age may be missing, and counts as 0, in a period in which
 * the witness ran less than three times: another function that runs once a minute, and does not depend on `due`.
 * @param id of the age, because a graph shows that of several readers
 */
function streamAge(id: string, reader: ServiceFunction, witness: ServiceFunction): IMetric {
  return new MathExpression({
    expression: `IF(FILL(rounds, 0) < 3, FILL(${id}, 0), ${id})`,
    usingMetrics: {
      [id]: reader.lambda.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
      rounds: witness.lambda.metricInvocations({ period, statistic: Stats.SUM }),
    },
    period,
    label: 'Age of the stream (ms)',
  });
}

/** A message that fails is received every 20 minutes, so three periods see it at least once. */
const periodOfAge = Duration.minutes(10);

/**
 * How old the oldest message of these queues of a function is. SQS leaves out those that were received three times, as are
 * all that wait in an outage, so the function reports them itself.
 */
function oldestIn({ serviceName, lambda }: ServiceFunction, label: string, ...queues: Queue[]): IMetric {
  const failing = new Metric({
    namespace: metricsNamespace(lambda),
    metricName: ownMetrics.oldestFailingMessage,
    dimensionsMap: { service: serviceName },
    statistic: Stats.MAXIMUM,
    period: periodOfAge,
  });
  const ages = queues.map((queue, place): [string, IMetric] => [
    `age${place}`,
    queue.metricApproximateAgeOfOldestMessage({ period: periodOfAge }),
  ]);
  const usingMetrics = { failing, ...Object.fromEntries(ages) };
  const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return new MathExpression({ expression: `MAX([${filled.join(', ')}])`, usingMetrics, period: periodOfAge, label });
}

function messagesIn(queue: Queue, label: string): IMetric {
  return queue.metricApproximateNumberOfMessagesVisible({ period, label });
}
