import { type Access, firstDenied } from '../../iam/evaluate.ts';
import type { StackResource, StackTemplate } from '../../template/template.ts';
import type { FunctionPool } from '../function-pool.ts';
import { createFilter } from './filter.ts';

/** An AWS::Lambda::EventSourceMapping with AWS's defaults filled in. */
export interface Mapping {
  logicalId: string;
  pool: FunctionPool;
  sourceArn: string;
  batchSize: number;
  batchingWindowSeconds: number;
  accepts(record: unknown): boolean;
  reportsItemFailures: boolean;
  maximumConcurrency: number;
  startingPosition: string;
  bisects: boolean;
  /** -1 means as often as the age of the record allows. */
  maximumRetries: number;
  /** -1 means until the stream drops the record, after 24 hours. */
  maximumAgeSeconds: number;
  /** How many batches of a shard of a stream are processed at the same time. */
  parallelizationFactor: number;
  /** A queue, which gets the position of the records, or a bucket, which gets the records. */
  failureArn: string | undefined;
}

interface MappingProperties {
  FunctionName: string;
  EventSourceArn: string;
  Enabled?: boolean;
  BatchSize?: number;
  MaximumBatchingWindowInSeconds?: number;
  FilterCriteria?: unknown;
  FunctionResponseTypes?: string[];
  ScalingConfig?: { MaximumConcurrency?: number };
  StartingPosition?: string;
  BisectBatchOnFunctionError?: boolean;
  MaximumRetryAttempts?: number;
  MaximumRecordAgeInSeconds?: number;
  ParallelizationFactor?: number;
  DestinationConfig?: { OnFailure?: { Destination?: string } };
}

export function readMappings(stack: StackTemplate, pools: ReadonlyMap<string, FunctionPool>): Mapping[] {
  return stack
    .resources('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.Enabled !== false)
    .map((resource) => toMapping(resource, pools));
}

function toMapping({ logicalId, properties }: StackResource, pools: ReadonlyMap<string, FunctionPool>): Mapping {
  const config = properties as unknown as MappingProperties;
  const pool = [...pools.values()].find(({ definition }) =>
    [definition.arn, definition.name].includes(config.FunctionName),
  );
  if (!pool)
    throw new Error(`${logicalId} names a function that the template does not contain: ${config.FunctionName}.`);
  const mapping: Mapping = {
    logicalId,
    pool,
    sourceArn: config.EventSourceArn,
    batchSize: config.BatchSize ?? (isQueue(config.EventSourceArn) ? 10 : 100),
    batchingWindowSeconds: config.MaximumBatchingWindowInSeconds ?? 0,
    accepts: createFilter(config.FilterCriteria),
    reportsItemFailures: config.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
    maximumConcurrency: config.ScalingConfig?.MaximumConcurrency ?? pool.definition.maximumConcurrency,
    startingPosition: config.StartingPosition ?? 'LATEST',
    bisects: config.BisectBatchOnFunctionError ?? false,
    maximumRetries: config.MaximumRetryAttempts ?? -1,
    maximumAgeSeconds: config.MaximumRecordAgeInSeconds ?? -1,
    parallelizationFactor: config.ParallelizationFactor ?? 1,
    failureArn: config.DestinationConfig?.OnFailure?.Destination,
  };
  requirePermissions(mapping);
  pool.widen(mapping.maximumConcurrency);
  return mapping;
}

export function isQueue(sourceArn: string): boolean {
  return sourceArn.startsWith('arn:aws:sqs:');
}

const queueActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const streamActions = ['dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:DescribeStream'];

/** AWS reads the source with the role of the function, and refuses a mapping if the role does not allow that. */
function requirePermissions({ logicalId, pool, sourceArn, failureArn }: Mapping): void {
  const actions = isQueue(sourceArn) ? queueActions : streamActions;
  const needed: Access[] = actions.map((action) => ({ action, resource: sourceArn, context: {} }));
  if (failureArn) needed.push(...toKeepFailures(failureArn));
  const denied = firstDenied(pool.definition.statements, needed);
  if (!denied) return;
  throw new Error(
    `${logicalId}: the role of ${pool.definition.logicalId} does not allow ${denied.action} on ${denied.resource}.`,
  );
}

function toKeepFailures(arn: string): Access[] {
  if (isQueue(arn)) return [{ action: 'sqs:SendMessage', resource: arn, context: {} }];
  return [
    { action: 's3:ListBucket', resource: arn, context: {} },
    { action: 's3:PutObject', resource: `${arn}/aws/lambda/record`, context: {} },
  ];
}
