import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';
import type { TableGrant } from './table-grant.ts';

export interface CarrierUpdatesProps {
  readonly bundles: string;
  readonly table: TableV2;
}

const ingest = 'ingest' satisfies PipelineName;

const grants: readonly TableGrant[] = [
  { query: 'trackingNumbers' },
  // Whose the number is, and whether that shop takes updates.
  { actions: ['BatchGetItem'], partitions: ['tracking', 'shop'] },
  // A parcel with a number is stored on its own, so its event changes the parcel and sends word of it.
  { actions: ['Query'], partitions: ['order'] },
  { actions: ['PutItem'], partitions: ['order', 'outbox'] },
];

const timeout = Duration.seconds(30);

/** What carriers report: from a queue that whoever collects it writes to, into the table. */
export class CarrierUpdates extends Construct {
  readonly queue: Queue;
  /** Updates that could not be recorded: of unknown numbers, or no updates at all. */
  readonly failures: Queue;
  readonly ingest: ServiceFunction;

  constructor(scope: Construct, id: string, { bundles, table }: CarrierUpdatesProps) {
    super(scope, id);
    this.failures = new ServiceQueue(this, 'Failures');
    this.queue = new ServiceQueue(this, 'Queue', {
      // Six timeouts, as AWS advises: a message must not come back while its batch is still being recorded.
      visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
      // A carrier may scan a parcel before its shop reports the number: five receives give the shop a quarter of an hour.
      deadLetterQueue: { queue: this.failures, maxReceiveCount: 5 },
    });
    this.ingest = new ServiceFunction(this, 'Ingest', { serviceName: ingest, bundle: join(bundles, ingest), timeout });
    this.ingest.useTable(table, grants);
    this.ingest.readQueue(this.queue, {
      // All of them may be events of one parcel, and one transaction takes 100 actions.
      batchSize: 25,
      maxBatchingWindow: Duration.seconds(1),
      // A burst waits in the queue instead of taking the API's share of the account's concurrency.
      maxConcurrency: 10,
    });
  }
}
