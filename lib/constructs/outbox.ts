import { Duration, Validations } from 'aws-cdk-lib';
import { type EventSourceMappingOptions, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { sortKeys } from '#schemas/catalogues/table.ts';
import { ServiceQueue } from './service-queue.ts';

/** Where in the stream the items stand that a function gave up. */
export class StreamFailures extends ServiceQueue {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is itself where a stream mapping leaves what it gave up; an operator reads it.',
    });
  }
}

type StreamOptions = Omit<EventSourceMappingOptions, 'eventSourceArn'> & { filters: Filter[] };
type Filter = NonNullable<EventSourceMappingOptions['filters']>[number];

/** Changes by which internal triggers are planned: of shipments, of the drafts of orders, of the triggers themselves. */
export const plannedBy: Filter = FilterCriteria.filter({
  eventName: FilterRule.or('INSERT', 'MODIFY'),
  dynamodb: {
    Keys: {
      sk: {
        S: [
          ...FilterRule.beginsWith(sortKeys.shipment),
          ...FilterRule.isEqual(sortKeys.drafts),
          ...FilterRule.beginsWith(sortKeys.internalTriggers),
        ],
      },
    },
  },
});

/** How a function reads new items of these kinds from the table's stream: all of them, and none blocks its shard. */
export function outboxItems(kinds: readonly string[], failures: StreamFailures): StreamOptions {
  return {
    filters: [
      FilterCriteria.filter({
        eventName: FilterRule.isEqual('INSERT'),
        dynamodb: { NewImage: { kind: { S: FilterRule.or(...kinds) } } },
      }),
    ],
    // What was written while the mapping did not exist yet counts too.
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 50,
    bisectBatchOnError: true,
    retryAttempts: 10,
    // A record that fails is given up long before the stream drops it, so that it can still be read by its place.
    maxRecordAge: Duration.hours(6),
    onFailure: new SqsDlq(failures),
  };
}
