import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { ownMetrics } from '#schemas/catalogues/metrics.ts';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { metricsNamespace } from './log-metrics.ts';
import { RetriedQueue } from './retried-queue.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';
import type { TableGrant } from './table-grant.ts';

export interface SegmentsProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly credentials: IKey;
  /** JSON: where the events of each integration go. */
  readonly integrationTargets?: string | undefined;
}

const segments = 'segments' satisfies PipelineName;

const grants: readonly TableGrant[] = [
  // Reads the shop, its settings and the key of the integration.
  { actions: ['BatchGetItem'], partitions: ['shop'] },
  { actions: ['Query'], partitions: ['order'] },
  { actions: ['PutItem'], partitions: ['order'] },
  // Takes a turn in the pace of the integration.
  { actions: ['UpdateItem'], partitions: ['deliveries'] },
];

/** An exchange with a vendor may take 25 s. */
const timeout = Duration.seconds(60);

/**
 * Fetches the segments of customers from integrations. Fan-out puts new orders on the queue. What a vendor does not
 * answer comes again, with a delay, for a day.
 */
export class Segments extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly fetch: ServiceFunction;
  readonly givenUp: Metric;

  constructor(scope: Construct, id: string, props: SegmentsProps) {
    super(scope, id);
    this.deadLetters = new ServiceQueue(this, 'DeadLetters');
    // The trouble of a vendor is no failed receive, because the function then sends the request again with a delay.
    const queue = new RetriedQueue(this, 'Queue', this.deadLetters);
    this.queue = queue;
    this.fetch = new ServiceFunction(this, 'Fetch', {
      serviceName: segments,
      bundle: join(props.bundles, segments),
      timeout,
    });
    this.fetch.useTable(props.table, grants);
    this.fetch.decryptWith(props.credentials, { place: 'integration', value: notifiedIntegrations });
    // A request is tried for a day.
    this.fetch.sendBackTo(this.queue, 'SEGMENTS_QUEUE_URL');
    if (props.integrationTargets) this.fetch.lambda.addEnvironment('INTEGRATION_TARGETS', props.integrationTargets);
    // Few at a time, because vendors allow few requests: Klaviyo three a second.
    const variables = { queue: 'SEGMENTS_QUEUE_URL', failures: 'SEGMENTS_DEAD_LETTERS_QUEUE_URL' };
    this.fetch.readRetriedQueue(queue, variables, { batchSize: 5, maxConcurrency: 5 });
    this.givenUp = new Metric({
      namespace: metricsNamespace(this),
      metricName: ownMetrics.segmentsGivenUp,
      dimensionsMap: { service: segments },
      statistic: Stats.SUM,
    });
  }
}
