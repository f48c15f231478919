import {
  type IndexDefinition,
  indexTable,
  itemsTable,
  type KeySchema,
  type StreamDefinition,
  type TableDefinition,
} from '../definitions.ts';
import type { Engine } from '../engine.ts';

export function describe(engine: Engine, table: TableDefinition, status = 'ACTIVE') {
  const { count, bytes } = engine.storage.totals(itemsTable(table));
  const indexes = table.indexes.map((index) => describeIndex(engine, table, index, status));
  return {
    AttributeDefinitions: Object.entries(table.types).map(([name, type]) => ({
      AttributeName: name,
      AttributeType: type,
    })),
    TableName: table.name,
    KeySchema: describeKey(table.key),
    TableStatus: status,
    CreationDateTime: table.created / 1000,
    ProvisionedThroughput: describeThroughput(table),
    TableSizeBytes: bytes,
    ItemCount: count,
    TableArn: table.arn,
    TableId: table.uuid,
    ...(table.billing.mode === 'PAY_PER_REQUEST' && {
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: table.created / 1000 },
    }),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    ...(table.stream && describeTableStream(table.stream)),
    ...(table.encryption && { SSEDescription: { Status: 'ENABLED', SSEType: 'KMS' } }),
    ...(table.tableClass && { TableClassSummary: { TableClass: table.tableClass } }),
    DeletionProtectionEnabled: table.deletionProtection,
  };
}

export const describeKey = (key: KeySchema) => [
  { AttributeName: key.hash, KeyType: 'HASH' },
  ...(key.range === undefined ? [] : [{ AttributeName: key.range, KeyType: 'RANGE' }]),
];

const describeThroughput = (table: TableDefinition) => ({
  NumberOfDecreasesToday: 0,
  ReadCapacityUnits: table.billing.read,
  WriteCapacityUnits: table.billing.write,
});

function describeIndex(engine: Engine, table: TableDefinition, index: IndexDefinition, status: string) {
  const { count, bytes } = engine.storage.totals(indexTable(table, index));
  return {
    IndexName: index.name,
    KeySchema: describeKey(index.key),
    Projection: {
      ProjectionType: index.projection,
      ...(index.projection === 'INCLUDE' && { NonKeyAttributes: index.included }),
    },
    IndexStatus: status,
    ProvisionedThroughput: describeThroughput(table),
    IndexSizeBytes: bytes,
    ItemCount: count,
    IndexArn: `${table.arn}/index/${index.name}`,
  };
}

/** A stopped stream can be read for a day, so its ARN stays in the description. */
const describeTableStream = (stream: StreamDefinition) => ({
  ...(stream.enabled && { StreamSpecification: { StreamEnabled: true, StreamViewType: stream.viewType } }),
  LatestStreamLabel: stream.label,
  LatestStreamArn: stream.arn,
});
