import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { payloadPrefix } from './deliveries.ts';
import { RetriedQueue } from './retried-queue.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';
import { readTableStream, StreamFailures } from './stream.ts';
import type { TableGrant } from './table-grant.ts';

export interface FanOutProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly deliveries: Queue;
  readonly automationRuns: Queue;
  readonly segments: Queue;
  /** Parcels to register with a tracking provider, and those that no provider takes. */
  readonly registrations: Queue;
  readonly trackingRequests: Queue;
  readonly payloads: Bucket;
  /** The address of the service, which payloads contain. */
  readonly publicUrl: string;
  /** JSON: where the events of each integration go. */
  readonly integrationTargets?: string | undefined;
}

const fanOut = 'fan-out' satisfies PipelineName;

const grants: readonly TableGrant[] = [
  // Reads the order if its event does not contain it, its claims, the shop with its endpoints and automations, and
  // the tracking providers.
  { actions: ['Query'], partitions: ['order', 'claims', 'shop', 'automations', 'trackingProviders'] },
  // The snapshot of the order may be in another event of the same write. A part reads its event and its payloads. Plans
  // of shipments are read before they change.
  { actions: ['BatchGetItem'], partitions: ['outbox', 'payloads', 'due', 'simulations'] },
  { actions: ['PutItem'], partitions: ['payloads', 'automationRuns', 'due'], beside: ['simulations'] },
  // Gives events their places in the feed of their shop.
  { actions: ['Query', 'PutItem', 'UpdateItem'], partitions: ['feed'] },
  // How far it has read the stream.
  { actions: ['PutItem'], partitions: ['heartbeats'] },
  { actions: ['DeleteItem'], partitions: ['due'] },
  // Nothing is made for a simulation that is removed, and its delayed automations wait for its clock.
  { actions: ['ConditionCheckItem'], partitions: ['simulations'], beside: ['payloads', 'automationRuns'] },
  { actions: ['UpdateItem'], partitions: ['simulations'], beside: ['automationRuns'] },
];

/**
 * How many batches of a shard run at once. The records of one item stay in their order, and nothing here needs more: ids
 * are derived, and a plan knows the version of its shipment.
 */
const parallelizationFactor = 4;

const timeout = Duration.seconds(60);

/** Outgoing events, from the table's stream to one delivery for each endpoint or integration that receives them. */
export class FanOut extends Construct {
  /** Records of the stream that could not be fanned out. */
  readonly failures: StreamFailures;
  /** Events with many parcels and receivers, in parts, so that the stream need not wait for them. */
  readonly parts: Queue;
  readonly deadParts: Queue;
  readonly fanOut: ServiceFunction;

  constructor(scope: Construct, id: string, props: FanOutProps) {
    super(scope, id);
    this.failures = new StreamFailures(this, 'Failures');
    this.deadParts = new ServiceQueue(this, 'DeadParts');
    const parts = new RetriedQueue(this, 'Parts', this.deadParts);
    this.parts = parts;
    this.fanOut = new ServiceFunction(this, 'FanOut', {
      serviceName: fanOut,
      bundle: join(props.bundles, fanOut),
      timeout,
      // It waits for the table and the queues, one after the other: of 40 ms at most a quarter is work.
      memory: 512,
    });
    this.fanOut.useTable(props.table, grants);
    this.fanOut.useBucket(props.payloads, 'PAYLOAD_BUCKET', ['GetObject', 'PutObject', 'DeleteObject'], payloadPrefix);
    this.fanOut.sendTo(props.deliveries, 'DELIVERY_QUEUE_URL');
    this.fanOut.sendTo(props.automationRuns, 'AUTOMATION_RUN_QUEUE_URL');
    this.fanOut.sendTo(props.segments, 'SEGMENTS_QUEUE_URL');
    this.fanOut.sendTo(props.registrations, 'REGISTRATION_QUEUE_URL');
    this.fanOut.sendTo(props.trackingRequests, 'TRACKING_REQUESTS_QUEUE_URL');
    this.fanOut.publicUrl(props.publicUrl);
    if (props.integrationTargets) {
      this.fanOut.lambda.addEnvironment('INTEGRATION_TARGETS', props.integrationTargets);
    }
    // Internal triggers are planned, and new orders and parcels are seen here too, because at most two functions should
    // read a stream, and counts is the other one.
    const { table, payloads: bucket } = props;
    readTableStream(this.fanOut, fanOut, { table, failures: this.failures, bucket }, { parallelizationFactor });
    // An event is split once.
    this.fanOut.sendBackTo(this.parts, 'PARTS_QUEUE_URL');
    // Few at a time: this is the work that may wait, and other shops use the same table.
    const variables = { queue: 'PARTS_QUEUE_URL', failures: 'DEAD_PARTS_QUEUE_URL' };
    this.fanOut.readRetriedQueue(parts, variables, { batchSize: 2, maxConcurrency: 2 }, 'PartsQueue');
  }
}
