import { Duration, Validations } from 'aws-cdk-lib';
import { type EventSourceMappingOptions, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { isPrefix, readOf, type StreamReader } from '#schemas/catalogues/stream-kinds.ts';
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

type StreamOptions = Omit<EventSourceMappingOptions, 'eventSourceArn'>;
type Filter = NonNullable<EventSourceMappingOptions['filters']>[number];

/** How a function reads its part of the table's stream: all of it, and no record blocks its shard. */
export function streamOf(reader: StreamReader, failures: StreamFailures): StreamOptions {
  return {
    filters: filtersOf(reader),
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

function filtersOf(reader: StreamReader): Filter[] {
  const { kinds, sortKeys } = readOf(reader);
  const newItems = FilterCriteria.filter({
    eventName: FilterRule.isEqual('INSERT'),
    dynamodb: { NewImage: { kind: { S: FilterRule.or(...kinds) } } },
  });
  const changes = FilterCriteria.filter({
    eventName: FilterRule.or('INSERT', 'MODIFY'),
    dynamodb: { Keys: { sk: { S: sortKeys.flatMap(ruleOf) } } },
  });
  return sortKeys.length > 0 ? [newItems, changes] : [newItems];
}

const ruleOf = (sortKey: string) => (isPrefix(sortKey) ? FilterRule.beginsWith(sortKey) : FilterRule.isEqual(sortKey));
