import { join } from 'node:path';
import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/pipeline.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';

export interface TrackingSubmissionProps {
  readonly bundles: string;
  readonly table: TableV2;
}

const submission = 'tracking-submission' satisfies PipelineName;

/** Parcels that got their number, from the table's stream to a queue that an aggregator's connector reads. */
export class TrackingSubmission extends Construct {
  readonly queue: Queue;
  /** Requests that the connector could not handle. */
  readonly deadLetters: Queue;
  /** Where in the stream the requests stand that did not reach the queue. */
  readonly failures: Queue;
  readonly submit: ServiceFunction;

  constructor(scope: Construct, id: string, { bundles, table }: TrackingSubmissionProps) {
    super(scope, id);
    this.deadLetters = new ServiceQueue(this, 'DeadLetters');
    this.queue = new ServiceQueue(this, 'Queue', {
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
    this.failures = this.createFailures();
    this.submit = new ServiceFunction(this, 'Submit', {
      serviceName: submission,
      bundle: join(bundles, submission),
      timeout: Duration.seconds(30),
    });
    this.submit.useTable(table, [{ actions: ['BatchGetItem'], partitions: ['shop'] }]);
    this.submit.sendTo(this.queue, 'TRACKING_REQUESTS_QUEUE_URL');
    this.readRequests(table);
  }

  private readRequests(table: TableV2): void {
    this.submit.readStream(table, {
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { kind: { S: FilterRule.isEqual('tracking_request') } } },
        }),
      ],
      // What was written while the mapping did not exist yet is submitted too.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 50,
      maxBatchingWindow: Duration.seconds(1),
      bisectBatchOnError: true,
      retryAttempts: 10,
      // A record that fails is given up long before the stream drops it, so that it can still be read by its place.
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(this.failures),
    });
  }

  private createFailures(): Queue {
    const queue = new ServiceQueue(this, 'Failures');
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is itself where a stream mapping leaves what it gave up; an operator reads it.',
    });
    return queue;
  }
}
