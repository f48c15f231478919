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
  // Shipments whose triggers are planned anew.
  { query: 'shipmentsByUpdate' },
  // The order as it is, the shop and its triggers, and what is planned for a shipment.
  { actions: ['Query'], partitions: ['order', 'shop', 'due'] },
  { actions: ['BatchGetItem'], partitions: ['order', 'shop'] },
  // What fires leaves through the outbox, if its shipment has not changed in between.
  { actions: ['ConditionCheckItem'], partitions: ['order'] },
  { actions: ['PutItem'], partitions: ['outbox', 'due'] },
  // An item leaves the list, moves in it, or stays as a mark that it was done.
  { actions: ['DeleteItem', 'UpdateItem'], partitions: ['due'] },
];

/** What happens at a later time, internal triggers and automations with a delay: once a minute a function does what is due. */
export class Due extends Construct {
  readonly work: ServiceFunction;

  constructor(scope: Construct, id: string, { bundles, table, automationRuns }: DueProps) {
    super(scope, id);
    this.work = new ServiceFunction(this, 'Work', {
      serviceName: due,
      bundle: join(bundles, due),
      // Less than the interval: a round ends before the next one begins.
      timeout: Duration.seconds(50),
    });
    this.work.useTable(table, grants);
    this.work.sendTo(automationRuns, 'AUTOMATION_RUN_QUEUE_URL');
    this.work.runEvery(Duration.minutes(1));
  }
}
