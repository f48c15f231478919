import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';
import { StreamFailures, streamOf } from './stream.ts';

export interface TrackingSubmissionProps {
  readonly bundles: string;
  readonly table: TableV2;
}

const submission = 'tracking-submission' satisfies PipelineName;

/** Parcels that got a tracking number, from the table's stream to a queue that the connector of an aggregator reads. */
export class TrackingSubmission extends Construct {
  readonly queue: Queue;
  /** Requests that the connector could not handle. */
  readonly deadLetters: Queue;
  /** The positions in the stream of requests that did not reach the queue. */
  readonly failures: StreamFailures;
  readonly submit: ServiceFunction;

  constructor(scope: Construct, id: string, { bundles, table }: TrackingSubmissionProps) {
    super(scope, id);
    this.deadLetters = new ServiceQueue(this, 'DeadLetters');
    this.queue = new ServiceQueue(this, 'Queue', {
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
    this.failures = new StreamFailures(this, 'Failures');
    this.submit = new ServiceFunction(this, 'Submit', {
      serviceName: submission,
      bundle: join(bundles, submission),
      timeout: Duration.seconds(30),
    });
    this.submit.useTable(table, [{ actions: ['BatchGetItem'], partitions: ['shop'] }]);
    this.submit.sendTo(this.queue, 'TRACKING_REQUESTS_QUEUE_URL');
    this.submit.readStream(table, {
      ...streamOf(submission, this.failures),
      maxBatchingWindow: Duration.seconds(1),
    });
  }
}
