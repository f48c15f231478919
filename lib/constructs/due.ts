import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PipelineName } from '#schemas/catalogues/pipeline.ts';
import { ServiceFunction } from './service-function.ts';
import type { TableGrant } from './table-grant.ts';

export interface DueProps {
  readonly bundles: string;
  readonly table: TableV2;
  readonly automationRuns: Queue;
}

const due = 'due' satisfies PipelineName;

const grants: readonly TableGrant[] = [
  { query: 'due' },
  // Reads shipments to plan their triggers again.
  { query: 'shipmentsByUpdate' },
  { query: 'drafts' },
  // Reads the order, the shop and its triggers, and the plans of shipments.
  { actions: ['Query'], partitions: ['order', 'shop'] },
  { actions: ['BatchGetItem'], partitions: ['order', 'shop', 'due'] },
  // A trigger writes its event to the outbox, on condition that its shipment has not changed.
  { actions: ['ConditionCheckItem'], partitions: ['order'], beside: ['due', 'outbox'] },
  { actions: ['PutItem'], partitions: ['outbox', 'due'], beside: ['order'] },
  // Keeps the stream from being silent.
  { actions: ['PutItem'], partitions: ['heartbeats'] },
  // Removes an item from the list, moves it, or gives it up.
  { actions: ['DeleteItem', 'UpdateItem'], partitions: ['due'] },
];

/** Delayed work: internal triggers and automations with a delay. Once a minute a function does what is due. */
export class Due extends Construct {
  readonly work: ServiceFunction;

  constructor(scope: Construct, id: string, { bundles, table, automationRuns }: DueProps) {
    super(scope, id);
    this.work = new ServiceFunction(this, 'Work', {
      serviceName: due,
      bundle: join(bundles, due),
      // Less than the interval, so a round ends before the next one begins.
      timeout: Duration.seconds(50),
    });
    this.work.useTable(table, grants);
    this.work.sendTo(automationRuns, 'AUTOMATION_RUN_QUEUE_URL');
    this.work.runEvery(Duration.minutes(1));
  }
}
