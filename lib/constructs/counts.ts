import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { payloadPrefix } from './deliveries.ts';
import { ServiceFunction } from './service-function.ts';
import { readTableStream, StreamFailures } from './stream.ts';
import type { TableGrant } from './table-grant.ts';

export interface CountsProps {
  readonly bundles: string;
  readonly table: TableV2;
  /** Where Lambda keeps the records that it gives up, and the function large ones that it puts aside. */
  readonly payloads: Bucket;
}

const counts = 'counts' satisfies PipelineName;

/**
 * How long a batch waits for more records: what comes together is written once. Merchants are told that counts follow a
 * change within a minute, and the function itself takes some seconds.
 */
export const countsWindowSeconds = 50;

const grants: readonly TableGrant[] = [
  // Remembers what it has counted, in the transaction that counts it.
  { actions: ['BatchGetItem'], partitions: ['countedRecords'] },
  { actions: ['PutItem'], partitions: ['countedRecords'], beside: ['statistics', 'positions', 'feed'] },
  // The feed has a ledger.
  { actions: ['UpdateItem'], partitions: ['statistics', 'positions', 'feed'], beside: ['countedRecords'] },
  // What an order adds to A/B tests depends on them and on the other orders of its customer.
  { actions: ['Query'], partitions: ['abTests'] },
  { query: 'ordersByEmail' },
  { query: 'ordersByCustomerId' },
  { actions: ['BatchGetItem'], partitions: ['order'] },
  // What the counters say about arrivals, and what other shops know about them.
  { actions: ['BatchGetItem', 'Query'], partitions: ['statistics'] },
  { actions: ['Query', 'PutItem'], partitions: ['arrivals'] },
  // How far it has read the stream.
  { actions: ['PutItem'], partitions: ['heartbeats'] },
];

/** Counts what happens in each shop, from the table's stream, so that no request has to. */
export class Counts extends Construct {
  /** Records of the stream that could not be counted. */
  readonly failures: StreamFailures;
  readonly count: ServiceFunction;
  /** What it reads of the stream. */
  readonly mapping: EventSourceMapping;

  constructor(scope: Construct, id: string, { bundles, table, payloads }: CountsProps) {
    super(scope, id);
    this.count = new ServiceFunction(this, 'Count', {
      serviceName: counts,
      bundle: join(bundles, counts),
      timeout: Duration.seconds(60),
    });
    this.count.useTable(table, grants);
    this.count.useBucket(payloads, 'PAYLOAD_BUCKET', ['GetObject', 'PutObject'], payloadPrefix);
    this.failures = new StreamFailures(this, 'Failures');
    this.mapping = readTableStream(
      this.count,
      counts,
      { table, failures: this.failures, bucket: payloads },
      {
        // Many records at once share few writes.
        batchSize: 500,
        maxBatchingWindow: Duration.seconds(countsWindowSeconds),
        // One batch of a shard at a time, as is the default: the mark of what was counted says "up to this record", which
        // is true only if nobody else counts records of the shard in between.
        // The function puts aside what can never be read, and a batch that comes again must begin where it began.
        bisectBatchOnError: false,
      },
    );
  }
}
