import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { RetriedQueue } from './retried-queue.ts';
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
  // Reads which shop owns the number, and whether that shop takes updates.
  { actions: ['BatchGetItem'], partitions: ['tracking', 'shop'] },
  // A parcel with a tracking number has its own item, so an event changes only the parcel and writes to the outbox.
  { actions: ['Query'], partitions: ['order'] },
  { actions: ['PutItem'], partitions: ['order', 'outbox'] },
  // When the parcels of a carrier arrive.
  { actions: ['BatchGetItem'], partitions: ['statistics'] },
];

const timeout = Duration.seconds(30);

/** Carrier updates, from a queue that an external collector fills, into the table. */
export class CarrierUpdates extends Construct {
  readonly queue: Queue;
  /** Updates that could not be recorded: the number is unknown, or the message is not an update. */
  readonly failures: Queue;
  readonly ingest: ServiceFunction;

  constructor(scope: Construct, id: string, { bundles, table }: CarrierUpdatesProps) {
    super(scope, id);
    this.failures = new ServiceQueue(this, 'Failures');
    const queue = new RetriedQueue(this, 'Queue', this.failures);
    this.queue = queue;
    this.ingest = new ServiceFunction(this, 'Ingest', { serviceName: ingest, bundle: join(bundles, ingest), timeout });
    this.ingest.useTable(table, grants);
    const variables = { queue: 'CARRIER_UPDATES_QUEUE_URL', failures: 'CARRIER_UPDATES_FAILURES_QUEUE_URL' };
    this.ingest.readRetriedQueue(queue, variables, {
      // All messages may be events of one parcel, and a transaction has at most 100 actions.
      batchSize: 25,
      // A batch that is larger than ten must wait, and what shares it shares an invocation and the reads of its shop.
      maxBatchingWindow: Duration.seconds(2),
      // A burst waits in the queue and does not use up the concurrency that the API needs: lib/capacity.md has the arithmetic.
      maxConcurrency: 50,
    });
  }
}
