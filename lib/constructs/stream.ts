import { Aws, Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  type EventSourceMapping,
  type EventSourceMappingOptions,
  FilterCriteria,
  FilterRule,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import {
  isPrefix,
  markOfKinds,
  type ReadChanges,
  readOf,
  type StreamReader,
} from '#schemas/catalogues/stream-kinds.ts';
import { indexPartitions } from '#schemas/catalogues/table.ts';
import { RetriedQueue } from './retried-queue.ts';
import type { MappingOptions, ServiceFunction } from './service-function.ts';
import { ServiceQueue } from './service-queue.ts';

/** The records that a function put aside, whole, and the queue by which an operator sends them to it again. */
export class StreamFailures extends Construct {
  readonly queue: Queue;
  readonly replays: RetriedQueue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queue = new ServiceQueue(this, 'Queue');
    // What fails again is put aside again.
    this.replays = new RetriedQueue(this, 'Replays', this.queue);
  }
}

/** Under this prefix Lambda keeps what it gives up. */
const givenUpPrefix = 'aws/lambda/';

interface StreamProps {
  table: TableV2;
  failures: StreamFailures;
  bucket: Bucket;
}

/**
 * Runs the function for its part of the table's stream. The stream waits as long as the function fails, and the function
 * puts aside what it can never handle. What even that could not save, because the function did not run for most of a day,
 * Lambda keeps whole in the bucket, an hour before the stream drops it.
 */
export function readTableStream(
  reader: ServiceFunction,
  name: StreamReader,
  { table, failures, bucket }: StreamProps,
  more: Partial<MappingOptions> = {},
): EventSourceMapping {
  reader.keepGivenUpIn(bucket, givenUpPrefix);
  const onFailure = { bind: () => ({ destination: bucket.bucketArn }) };
  const mapping = reader.readStream(table, { ...streamOf(name), onFailure, ...more });
  const variables = { queue: 'STREAM_REPLAYS_QUEUE_URL', failures: 'STREAM_FAILURES_QUEUE_URL' };
  reader.readRetriedQueue(failures.replays, variables, { batchSize: 1, maxConcurrency: 2 }, 'Replays');
  // It recognises what is replayed by the ARN of the queue.
  reader.lambda.addEnvironment('STREAM_REPLAYS_ARN', failures.replays.queueArn);
  return mapping;
}

type StreamOptions = Omit<EventSourceMappingOptions, 'eventSourceArn'>;
type Filter = NonNullable<EventSourceMappingOptions['filters']>[number];

function streamOf(reader: StreamReader): StreamOptions {
  return {
    filters: filtersOf(reader),
    // Includes records that were written before the mapping existed.
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 50,
    // Of a batch that takes too long.
    bisectBatchOnError: true,
    // Without a limit of retries: an outage is not the fault of a record.
    maxRecordAge: Duration.hours(23),
  };
}

function filtersOf(reader: StreamReader): Filter[] {
  const { readsItems, changes, removedWithSimulation } = readOf(reader);
  const isAlways = (group: ReadChanges) => group.changes.length === everyChange;
  return [
    ...(readsItems ? [newItems] : []),
    ...changes.filter((group) => !isAlways(group)).map(someChanges),
    ...(removedWithSimulation.length > 0 ? [removalsOfSimulations(removedWithSimulation)] : []),
    everyChangeOf(changes.filter(isAlways).flatMap(({ sortKeys }) => sortKeys)),
  ];
}

/** Items are inserted, modified and removed. */
const everyChange = 3;

const someChanges = ({ changes, sortKeys, having }: ReadChanges): Filter =>
  FilterCriteria.filter({
    eventName: FilterRule.or(...changes),
    dynamodb: {
      Keys: { sk: { S: sortKeys.flatMap(ruleOf) } },
      ...(having !== undefined && { NewImage: { [having]: { B: FilterRule.exists() } } }),
    },
  });

/** Together with what has the mark, because Lambda takes five filters. */
const everyChangeOf = (sortKeys: readonly string[]): Filter =>
  FilterCriteria.filter({
    dynamodb: { Keys: { sk: { S: [...sortKeys.flatMap(ruleOf), ...FilterRule.beginsWith(markOfKinds)] } } },
  });

const removalsOfSimulations = (sortKeys: readonly string[]): Filter =>
  FilterCriteria.filter({
    eventName: FilterRule.isEqual('REMOVE'),
    dynamodb: {
      Keys: { sk: { S: sortKeys.flatMap(ruleOf) } },
      OldImage: { timeline_pk: { S: FilterRule.beginsWith(indexPartitions.madeBySimulation.prefix) } },
    },
  });

/** Of whatever kind. */
const newItems: Filter = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { NewImage: { kind: { S: FilterRule.exists() }, region: { S: FilterRule.isEqual(Aws.REGION) } } },
});

const ruleOf = (sortKey: string) => (isPrefix(sortKey) ? FilterRule.beginsWith(sortKey) : FilterRule.isEqual(sortKey));
