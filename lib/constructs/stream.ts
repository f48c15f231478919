import { Aws, Duration, Validations } from 'aws-cdk-lib';
import { type EventSourceMappingOptions, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { isPrefix, readOf, type StreamReader } from '#schemas/catalogues/stream-kinds.ts';
import { ServiceQueue } from './service-queue.ts';

/** The positions in the stream of records that a function could not process. */
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

/** How a function reads its part of the table's stream. It gets every record, and no record blocks its shard. */
export function streamOf(reader: StreamReader, failures: StreamFailures): StreamOptions {
  return {
    filters: filtersOf(reader),
    // Includes records that were written before the mapping existed.
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 50,
    bisectBatchOnError: true,
    retryAttempts: 10,
    // A failing record goes to the failure queue long before the stream drops it, so it can still be read from the
    // stream.
    maxRecordAge: Duration.hours(6),
    onFailure: new SqsDlq(failures),
  };
}

function filtersOf(reader: StreamReader): Filter[] {
  const { kinds, changes } = readOf(reader);
  return [
    ...(kinds.length > 0 ? [newItems(kinds)] : []),
    ...changes.map(({ changes, sortKeys }) =>
      FilterCriteria.filter({
        eventName: FilterRule.or(...changes),
        dynamodb: { Keys: { sk: { S: sortKeys.flatMap(ruleOf) } } },
      }),
    ),
  ];
}

const newItems = (kinds: readonly string[]): Filter =>
  FilterCriteria.filter({
    eventName: FilterRule.isEqual('INSERT'),
    dynamodb: { NewImage: { kind: { S: FilterRule.or(...kinds) }, region: { S: FilterRule.isEqual(Aws.REGION) } } },
  });

const ruleOf = (sortKey: string) => (isPrefix(sortKey) ? FilterRule.beginsWith(sortKey) : FilterRule.isEqual(sortKey));
