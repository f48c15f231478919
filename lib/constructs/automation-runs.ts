import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { payloadPrefix } from './deliveries.ts';
import { ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';
import type { TableGrant } from './table-grant.ts';

export interface AutomationRunsProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly payloads: Bucket;
  /** JSON: where the events of each integration go. */
  readonly integrationTargets?: string | undefined;
}

const automationRuns = 'automation-runs' satisfies PipelineName;

const grants: readonly TableGrant[] = [
  // The run and its automation, the shop with the keys of its integrations, the claim.
  {
    actions: ['BatchGetItem'],
    partitions: ['automationRuns', 'automations', 'shop', 'claims', 'claimReference'],
  },
  { actions: ['Query'], partitions: ['order', 'claims'] },
  // A delivery and the word that it is to be queued; an order with another segment; a claim with its history and event.
  { actions: ['PutItem'], partitions: ['deliveries', 'outbox', 'order', 'claims'] },
  // What became of an action, in the transaction that does it, and of the run.
  { actions: ['UpdateItem'], partitions: ['automationRuns'] },
];

const timeout = Duration.seconds(30);
const visibilityTimeout = Duration.seconds(6 * timeout.toSeconds());

/**
 * What automations do: fan-out records a run and puts it here, or the function of what is due does when its delay is over.
 * A queue of its own, so that a run that fails again and again holds up neither events nor deliveries.
 */
export class AutomationRuns extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly act: ServiceFunction;

  constructor(scope: Construct, id: string, props: AutomationRunsProps) {
    super(scope, id);
    this.deadLetters = new ServiceQueue(this, 'DeadLetters', { visibilityTimeout });
    this.queue = new ServiceQueue(this, 'Queue', {
      visibilityTimeout,
      // A quarter of an hour: what fails then is our fault, not a receiver's, whose deliveries are tried on their own.
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
    this.act = new ServiceFunction(this, 'Act', {
      serviceName: automationRuns,
      bundle: join(props.bundles, automationRuns),
      timeout,
    });
    this.act.useTable(props.table, grants);
    this.act.useBucket(props.payloads, 'PAYLOAD_BUCKET', ['PutObject'], payloadPrefix);
    if (props.integrationTargets) this.act.lambda.addEnvironment('INTEGRATION_TARGETS', props.integrationTargets);
    // Never by reserved concurrency: a throttled batch would cost each of its runs a receive.
    this.act.readQueue(this.queue, { batchSize: 10, maxConcurrency: 20 });
    // The same function records what was given up, and tells it by where it comes from.
    this.act.lambda.addEnvironment('RUN_DEAD_LETTERS_ARN', this.deadLetters.queueArn);
    this.act.readQueue(this.deadLetters, { batchSize: 10, maxConcurrency: 2 }, 'DeadLetterQueue');
  }
}
