import { join } from 'node:path';
import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/pipeline.ts';
import { payloadPrefix } from './deliveries.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';
import type { TableGrant } from './table-grant.ts';

export interface FanOutProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly deliveries: Queue;
  readonly payloads: Bucket;
  /** JSON: where the events of each integration go. */
  readonly integrationTargets?: string | undefined;
}

const fanOut = 'fan-out' satisfies PipelineName;

const grants: readonly TableGrant[] = [
  // The order as it is, the shop, and who listens to it.
  { actions: ['Query'], partitions: ['order', 'shop'] },
  { actions: ['BatchGetItem'], partitions: ['shop'] },
  { actions: ['PutItem'], partitions: ['deliveries'] },
];

/** Outgoing events, from the table's stream to one delivery for each endpoint or integration that wants them. */
export class FanOut extends Construct {
  /** Where in the stream the events stand that could not be fanned out. */
  readonly failures: Queue;
  readonly fanOut: ServiceFunction;

  constructor(scope: Construct, id: string, props: FanOutProps) {
    super(scope, id);
    this.failures = this.createFailures();
    this.fanOut = new ServiceFunction(this, 'FanOut', {
      serviceName: fanOut,
      bundle: join(props.bundles, fanOut),
      timeout: Duration.seconds(60),
    });
    this.fanOut.useTable(props.table, grants);
    this.fanOut.useBucket(props.payloads, 'PAYLOAD_BUCKET', ['PutObject'], payloadPrefix);
    this.fanOut.sendTo(props.deliveries, 'DELIVERY_QUEUE_URL');
    if (props.integrationTargets) {
      this.fanOut.lambda.addEnvironment('INTEGRATION_TARGETS', props.integrationTargets);
    }
    this.readEvents(props.table);
  }

  private readEvents(table: TableV2): void {
    this.fanOut.readStream(table, {
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { NewImage: { kind: { S: FilterRule.or('event', 'wake') } } },
        }),
      ],
      // What was written while the mapping did not exist yet is sent too.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 50,
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
