import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import { queueLimits } from '#schemas/catalogues/limits.ts';
import { AlarmTopic } from './alarm-topic.ts';
import type { ServiceMetrics } from './service-metrics.ts';

export interface AlarmsProps {
  readonly metrics: ServiceMetrics;
  readonly email?: string | undefined;
  /** How many environments of functions may run at once in the account. */
  readonly concurrency: number;
}

interface Limit {
  readonly metric: IMetric;
  /** The alarm fires when the metric is at or above the limit. */
  readonly limit: number;
  /** How many of the last periods must reach the limit. */
  readonly periods?: 1 | 2 | 3;
  /** How many periods that are, if not three. */
  readonly lastPeriods?: number;
  /** The metric has data as long as all is well. */
  readonly mustHaveData?: boolean;
  /** It is a percentile, which means nothing of few requests. */
  readonly needsManySamples?: boolean;
  readonly meaning: string;
}

/** One request in a hundred takes so long. Those that start a function take about a second. */
const slowMs = 3000;

/** Of the concurrency of the account. */
const alarmingShare = 0.8;

/** Before a record whose fault nobody knows is put aside: somebody may want to look. */
const streamAgeMs = 10 * 60 * 1000;

const runbooks = 'lib/runbooks';

export class Alarms extends Construct {
  /** By the names of the alarms. */
  readonly arns: Record<string, string> = {};
  private readonly topic: AlarmTopic;

  constructor(scope: Construct, id: string, { metrics, email, concurrency }: AlarmsProps) {
    super(scope, id);
    this.topic = new AlarmTopic(this, 'Topic', email);
    this.watchApi(metrics);
    this.watchFunctions(metrics, concurrency);
    this.watchDeliveries(metrics);
    this.watchTracking(metrics);
    this.watchAutomations(metrics);
    this.watchSegments(metrics);
    this.watchCounts(metrics);
    this.watchEmails(metrics);
    this.watchTable(metrics);
  }

  private watchApi({ api }: ServiceMetrics): void {
    this.alarm('ApiServerErrors', {
      metric: api.serverErrorRate,
      limit: 0.01,
      periods: 2,
      meaning:
        'One request in a hundred, or more, is answered with a 5xx that is not the fault of the system of a shop.',
    });
    this.alarm('PageServerErrors', {
      metric: api.serverErrorRateOfUrls,
      limit: 0.01,
      periods: 2,
      meaning: 'One request in a hundred, or more, of customers or tracking providers is answered with a 5xx.',
    });
    this.alarm('ApiLatency', {
      metric: api.slowestHundredth,
      limit: slowMs,
      periods: 3,
      needsManySamples: true,
      meaning: 'One request in a hundred takes three seconds or more, for a quarter of an hour.',
    });
    this.alarm('PageLatency', {
      metric: api.slowestHundredthOfPages,
      limit: slowMs,
      periods: 3,
      needsManySamples: true,
      meaning: 'One request of customers in a hundred takes three seconds or more, for a quarter of an hour.',
    });
    this.alarm('GatewayThrottles', {
      metric: api.gatewayThrottles,
      limit: 1,
      meaning: 'The gateway answers 429, because the callers of a method together are above its throttle.',
    });
  }

  private watchFunctions({ functions }: ServiceMetrics, concurrency: number): void {
    this.alarm('FunctionErrors', {
      metric: functions.failed,
      // A function handles its own errors. So a failed invocation is a crash or a timeout. Even one is worth a look.
      limit: 1,
      meaning: 'A function crashed or ran out of time. The dashboard shows which one.',
    });
    this.alarm('FunctionThrottles', {
      metric: functions.refused,
      limit: 1,
      meaning: 'Lambda refused to run a function: its concurrency, or that of the account, is used up.',
    });
    this.alarm('SilentSchedule', {
      metric: functions.silent,
      limit: 1,
      periods: 2,
      mustHaveData: true,
      meaning: 'A function that runs every minute does not: drain, due or privacy-work.',
    });
    this.alarm('Concurrency', {
      metric: functions.claimedConcurrency,
      limit: Math.round(concurrency * alarmingShare),
      meaning: `The functions of the account take 80 % of the ${concurrency} environments that it has.`,
    });
  }

  private watchDeliveries({ deliveries }: ServiceMetrics): void {
    this.alarm('DeliveryFaults', {
      metric: deliveries.faults,
      limit: 1,
      // A fault that passes is in one period. One that stays is tried again after 10, 20, 40, … seconds, and in the end every quarter of
      // an hour: twice in 35 minutes.
      periods: 2,
      lastPeriods: 7,
      meaning: 'Deliveries end in faults of ours again and again, and are put back: webhooks do not arrive.',
    });
    this.alarm('DeadLetters', {
      metric: deliveries.deadLetters,
      limit: 1,
      meaning:
        'The queue gave up a delivery after four days or more: our function crashed at it, did not start, could not read it, or met faults of ours.',
    });
    this.alarm('OldestDeadLetter', {
      metric: deliveries.oldestDeadLetter,
      limit: 60 * 60,
      meaning: 'Dead letters wait for an hour: nothing records that their deliveries failed.',
    });
    this.alarm('EventFailures', {
      metric: deliveries.failures,
      limit: 1,
      meaning:
        'Events were put aside because they cannot be handled: their deliveries are missing until they are replayed.',
    });
    this.alarm('EventStreamAge', {
      metric: deliveries.streamAge,
      limit: streamAgeMs,
      periods: 2,
      mustHaveData: true,
      meaning:
        'Events wait in the stream for ten minutes: fan-out cannot handle or read them. The stream keeps them for a day.',
    });
    this.alarm('DeliveriesInFlight', {
      metric: deliveries.placesInFlight,
      limit: queueLimits.placesInFlight * queueLimits.alarmingShare,
      meaning: 'Deliveries take 60 % of the places in flight of their queue. Without a place none is handed out.',
    });
    this.alarm('DeadParts', {
      metric: deliveries.deadParts,
      limit: 1,
      meaning: 'A part of an event was given up: its deliveries are missing until it is replayed.',
    });
    this.alarm('OldestPart', {
      metric: deliveries.oldestPart,
      limit: 30 * 60,
      meaning: 'Parts of events, or replayed events, wait for half an hour: fan-out cannot handle them.',
    });
    this.alarm('OldestDelivery', {
      metric: deliveries.oldestAge,
      // A delivery that waits is a new message every quarter of an hour, or an item of the table.
      limit: 60 * 60,
      periods: 3,
      meaning: 'Deliveries wait in the queue for an hour: nothing reads it, or too slowly.',
    });
  }

  private watchTracking({ carrierUpdates, tracking }: ServiceMetrics): void {
    this.alarm('CarrierUpdateFailures', {
      metric: carrierUpdates.failures,
      limit: 1,
      meaning: 'A carrier update could not be recorded: its number is unknown, or it is no update.',
    });
    this.alarm('OldestCarrierUpdate', {
      metric: carrierUpdates.oldestAge,
      // Updates for unknown tracking numbers wait for a quarter of an hour by design.
      limit: 30 * 60,
      meaning: 'Carrier updates wait for half an hour: ingest cannot record them, or is too slow.',
    });
    this.alarm('TrackingRequestDeadLetters', {
      metric: tracking.deadLetters,
      limit: 1,
      meaning: 'Whoever submits parcels to the aggregator could not handle a request.',
    });
    this.alarm('TrackingRegistrationsGivenUp', {
      metric: tracking.givenUp,
      limit: 1,
      meaning: 'A tracking provider did not take a parcel for a day, or the service could not ask it.',
    });
    this.alarm('OldestTrackingRegistration', {
      metric: tracking.oldestRegistration,
      // A parcel that waits for its next attempt is a new message every quarter of an hour.
      limit: 60 * 60,
      meaning: 'Parcels wait for an hour to be registered: the function fails, or is too slow.',
    });
    this.alarm('OldestTrackingRequest', {
      metric: tracking.oldestRequest,
      limit: 60 * 60,
      periods: 3,
      meaning: 'Parcels that no provider takes wait for an hour: the connector of the operator does not read them.',
    });
  }

  private watchAutomations({ automations }: ServiceMetrics): void {
    this.alarm('AutomationRunsGivenUp', {
      metric: automations.givenUp,
      limit: 1,
      meaning: 'A run of an automation was given up: the log of its function says why.',
    });
    this.alarm('OldestAutomationRun', {
      metric: automations.oldestAge,
      limit: 30 * 60,
      meaning: 'Runs of automations wait for half an hour: the function fails, or is too slow.',
    });
  }

  private watchSegments({ segments }: ServiceMetrics): void {
    this.alarm('OldestSegmentRequest', {
      metric: segments.oldestAge,
      // A request that waits for its vendor is a new message every quarter of an hour.
      limit: 60 * 60,
      meaning: 'Requests for segments wait for an hour: the function fails, or is too slow.',
    });
    this.alarm('SegmentDeadLetters', {
      metric: segments.deadLetters,
      limit: 1,
      meaning: 'A request for segments was given up after a fault of ours: the log of its function says why.',
    });
  }

  private watchCounts({ counts }: ServiceMetrics): void {
    this.alarm('CountsStreamAge', {
      metric: counts.streamAge,
      limit: streamAgeMs,
      periods: 2,
      mustHaveData: true,
      meaning:
        'Changes wait in the stream for ten minutes to be counted, or nobody reads them. The stream keeps them for a day.',
    });
    this.alarm('CountFailures', {
      metric: counts.failures,
      limit: 1,
      meaning: 'Changes were put aside because they cannot be counted: figures are off until they are replayed.',
    });
    this.alarm('OldestCountReplay', {
      metric: counts.oldestReplay,
      limit: 60 * 60,
      meaning: 'Changes that an operator replayed wait for an hour to be counted: the function fails.',
    });
  }

  /** SES looks at an account from these shares on, and stops it at twice or five times as much. */
  private watchEmails({ emails }: ServiceMetrics): void {
    if (!emails) return;
    this.alarm('EmailBounces', {
      metric: emails.bounceRate,
      limit: 0.05,
      meaning: 'Five of a hundred mails to customers, or more, do not arrive because there is no such address.',
    });
    this.alarm('EmailComplaints', {
      metric: emails.complaintRate,
      limit: 0.001,
      meaning: 'One of a thousand customers, or more, calls the mails spam.',
    });
    this.alarm('OldestEmailEvent', {
      metric: emails.oldestAge,
      limit: 30 * 60,
      meaning: 'Bounces and complaints wait for half an hour to be recorded: the function fails, or is too slow.',
    });
    this.alarm('EmailEventFailures', {
      metric: emails.failures,
      limit: 1,
      meaning: 'A report of SES about a mail was put aside: its address may get mails that it should not.',
    });
  }

  private watchTable({ table }: ServiceMetrics): void {
    this.alarm('TableThrottled', {
      metric: table.throttledRequests,
      limit: 1,
      periods: 2,
      meaning: 'DynamoDB throttles the table: a partition is hot, or the account is at its limit.',
    });
    this.alarm('TableSystemErrors', {
      metric: table.systemErrors,
      limit: 1,
      periods: 2,
      meaning: 'DynamoDB answers with errors of its own.',
    });
  }

  private alarm(id: string, options: Limit): void {
    const {
      metric,
      limit,
      periods = 1,
      lastPeriods = 3,
      mustHaveData = false,
      needsManySamples = false,
      meaning,
    } = options;
    const alarm = new Alarm(this, id, {
      metric,
      threshold: limit,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: lastPeriods,
      datapointsToAlarm: periods,
      // Without requests most metrics have no data, and that is not a fault.
      treatMissingData: mustHaveData ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      ...(needsManySamples && { evaluateLowSampleCountPercentile: 'ignore' }),
      alarmDescription: `${meaning} Runbook: ${runbooks}/${id}.md`,
    });
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    this.arns[id] = alarm.alarmArn;
  }
}
