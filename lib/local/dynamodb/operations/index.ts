import type { Engine } from '../engine.ts';
import { unknownOperation } from '../errors.ts';
import type { Request } from '../request.ts';
import * as batch from './batch.ts';
import * as items from './items.ts';
import * as queries from './query.ts';
import * as settings from './settings.ts';
import * as streams from './streams.ts';
import * as tables from './tables.ts';
import * as transactions from './transactions.ts';

export type Operation = (engine: Engine, request: Request) => object;

const DYNAMODB: Record<string, Operation> = {
  CreateTable: tables.createTable,
  DescribeTable: tables.describeTable,
  UpdateTable: tables.updateTable,
  DeleteTable: tables.deleteTable,
  ListTables: tables.listTables,
  UpdateTimeToLive: settings.updateTimeToLive,
  DescribeTimeToLive: settings.describeTimeToLive,
  UpdateContinuousBackups: settings.updateContinuousBackups,
  DescribeContinuousBackups: settings.describeContinuousBackups,
  TagResource: settings.tagResource,
  UntagResource: settings.untagResource,
  ListTagsOfResource: settings.listTagsOfResource,
  GetItem: items.getItem,
  PutItem: items.putItem,
  UpdateItem: items.updateItem,
  DeleteItem: items.deleteItem,
  BatchGetItem: batch.batchGetItem,
  BatchWriteItem: batch.batchWriteItem,
  Query: queries.query,
  Scan: queries.scan,
  TransactWriteItems: transactions.transactWriteItems,
  TransactGetItems: transactions.transactGetItems,
};

const STREAMS: Record<string, Operation> = {
  ListStreams: streams.listStreams,
  DescribeStream: streams.describeStream,
  GetShardIterator: streams.getShardIterator,
  GetRecords: streams.getRecords,
};

const OPERATIONS = new Map<string, Operation>([
  ...Object.entries(DYNAMODB).map(([name, operation]) => [`DynamoDB_20120810.${name}`, operation] as const),
  ...Object.entries(STREAMS).map(([name, operation]) => [`DynamoDBStreams_20120810.${name}`, operation] as const),
]);

const UNSUPPORTED = new Set(
  `
  ExecuteStatement BatchExecuteStatement ExecuteTransaction
  CreateBackup DeleteBackup DescribeBackup ListBackups RestoreTableFromBackup RestoreTableToPointInTime
  CreateGlobalTable DescribeGlobalTable DescribeGlobalTableSettings ListGlobalTables UpdateGlobalTable
  UpdateGlobalTableSettings DescribeTableReplicaAutoScaling UpdateTableReplicaAutoScaling
  DescribeContributorInsights ListContributorInsights UpdateContributorInsights
  DescribeExport ExportTableToPointInTime ListExports DescribeImport ImportTable ListImports
  DescribeKinesisStreamingDestination DisableKinesisStreamingDestination EnableKinesisStreamingDestination
  UpdateKinesisStreamingDestination DeleteResourcePolicy GetResourcePolicy PutResourcePolicy
  DescribeEndpoints DescribeLimits
  `
    .trim()
    .split(/\s+/),
);

export function operationFor(target: string): Operation {
  const operation = OPERATIONS.get(target);
  if (operation) return operation;
  const name = target.slice(target.indexOf('.') + 1);
  throw unknownOperation(UNSUPPORTED.has(name) ? `This engine does not support the operation ${name}` : '');
}
