import type { Engine } from '../engine.ts';
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

export const operationFor = (target: string) => OPERATIONS.get(target);
