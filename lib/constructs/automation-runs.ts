import { join } from 'node:path';
import { Duration, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { payloadPrefix } from './deliveries.ts';
import { RetriedQueue } from './retried-queue.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';
import type { TableGrant } from './table-grant.ts';

export interface AutomationRunsProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly payloads: Bucket;
  /** The address of the service, which payloads contain. */
  readonly publicUrl: string;
  /** JSON: where the events of each integration go. */
  readonly integrationTargets?: string | undefined;
}

const automationRuns = 'automation-runs' satisfies PipelineName;

const grants: readonly TableGrant[] = [
  // Reads the run and its automation, the shop with the keys of its integrations, and the claim.
  {
    actions: ['BatchGetItem'],
    partitions: ['automationRuns', 'automations', 'shop', 'claims', 'claimReference', 'simulations'],
  },
  { actions: ['Query'], partitions: ['order', 'claims'] },
  // Writes a delivery with its payload and its wake item, an order with a new segment, or a claim with its history and event.
  {
    actions: ['PutItem'],
    partitions: ['deliveries', 'payloads', 'outbox', 'order', 'claims', 'trackingPages'],
    beside: ['simulations', 'automationRuns'],
  },
  // Nothing is made for a simulation that is removed.
  { actions: ['ConditionCheckItem'], partitions: ['simulations'], beside: ['deliveries', 'payloads', 'outbox'] },
  // Stores the result of an action, in the transaction of the action, and the result of the run.
  {
    actions: ['UpdateItem'],
    partitions: ['automationRuns'],
    beside: ['order', 'claims', 'trackingPages', 'outbox'],
  },
];

const timeout = Duration.seconds(30);
const visibilityTimeout = Duration.seconds(6 * timeout.toSeconds());

/**
 * Runs automations. Fan-out writes a run and sends it to this queue. A delayed run is sent by the due function. It is a
 * separate queue, so a run that fails repeatedly delays neither events nor deliveries.
 */
export class AutomationRuns extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  /** The messages of runs that were given up. An operator can send them again. */
  readonly givenUp: Queue;
  readonly act: ServiceFunction;

  constructor(scope: Construct, id: string, props: AutomationRunsProps) {
    super(scope, id);
    this.deadLetters = new ServiceQueue(this, 'DeadLetters', { visibilityTimeout });
    const queue = new RetriedQueue(this, 'Queue', this.deadLetters);
    this.queue = queue;
    this.act = new ServiceFunction(this, 'Act', {
      serviceName: automationRuns,
      bundle: join(props.bundles, automationRuns),
      timeout,
    });
    this.act.useTable(props.table, grants);
    this.act.useBucket(props.payloads, 'PAYLOAD_BUCKET', ['PutObject', 'DeleteObject'], payloadPrefix);
    this.act.publicUrl(props.publicUrl);
    if (props.integrationTargets) this.act.lambda.addEnvironment('INTEGRATION_TARGETS', props.integrationTargets);
    // Not reserved concurrency: a throttled batch would cost each of its runs a receive.
    this.act.readQueue(queue, { batchSize: 10, maxConcurrency: 20 });
    this.act.delayMessagesOf(queue, 'AUTOMATION_RUN_QUEUE_URL');
    // The function gives up runs that it can never perform, and those that the queue gave up. It recognises the latter by
    // the ARN of their queue.
    this.givenUp = new ServiceQueue(this, 'GivenUp');
    Validations.of(this.givenUp).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is itself where what was given up waits for an operator, who replays it.',
    });
    this.act.sendTo(this.givenUp, 'GIVEN_UP_RUNS_QUEUE_URL');
    this.act.lambda.addEnvironment('RUN_DEAD_LETTERS_ARN', this.deadLetters.queueArn);
    this.act.readQueue(this.deadLetters, { batchSize: 10, maxConcurrency: 2 }, 'DeadLetterQueue');
  }
}
