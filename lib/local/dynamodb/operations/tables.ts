import { randomUUID } from 'node:crypto';
import { indexByName, type StreamViewType, type TableDefinition } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { invalidParameter, resourceInUse, resourceNotFound, validation } from '../errors.ts';
import {
  assertTableName,
  constraint,
  flag,
  optionalInteger,
  optionalObject,
  optionalObjects,
  optionalText,
  type Request,
  requiredText,
} from '../request.ts';
import { describe } from './table-description.ts';
import {
  assertSchema,
  readBilling,
  readIndex,
  readKeySchema,
  readStreamSpecification,
  readTags,
  readTypes,
} from './table-schema.ts';

const MAX_LISTED = 100;
const REPLICATION = [
  'ReplicaUpdates',
  'MultiRegionConsistency',
  'GlobalTableWitnessUpdates',
  'GlobalTableSettingsReplicationMode',
];
const UPDATES = [
  'ProvisionedThroughput',
  'BillingMode',
  'StreamSpecification',
  'SSESpecification',
  'TableClass',
  'DeletionProtectionEnabled',
  'OnDemandThroughput',
  'WarmThroughput',
];

export function createTable(engine: Engine, request: Request) {
  const name = optionalText(request, 'TableName');
  if (name === undefined) {
    throw validation("The parameter 'TableName' is required but was not present in the request");
  }
  assertTableName(name);
  if (optionalObjects(request, 'LocalSecondaryIndexes').length > 0) throw unsupported('LocalSecondaryIndexes');
  for (const list of ['GlobalSecondaryIndexes', 'LocalSecondaryIndexes']) {
    if (Array.isArray(request[list]) && request[list].length === 0) throw invalidParameter(`List of ${list} is empty`);
  }
  const table = readTable(engine, name, request);
  assertSchema(table);
  const viewType = readStreamSpecification(request);
  if (engine.catalog.find(name)) throw resourceInUse(`Table already exists: ${name}`);
  return engine.changeDefinitions(() => {
    engine.storage.createItems(table);
    for (const index of table.indexes) engine.storage.createIndex(table, index);
    if (viewType) startStream(engine, table, viewType);
    engine.catalog.saveTable(table);
    return { TableDescription: describe(engine, table) };
  });
}

const unsupported = (parameter: string) => validation(`This engine does not support the parameter ${parameter}`);

function readTable(engine: Engine, name: string, request: Request): TableDefinition {
  const indexes = optionalObjects(request, 'GlobalSecondaryIndexes').map((index, id) => readIndex(index, id));
  const encryption = optionalObject(request, 'SSESpecification');
  const tableClass = optionalText(request, 'TableClass');
  return {
    id: engine.catalog.nextTableId(),
    name,
    arn: `arn:aws:dynamodb:${engine.region}:${engine.accountId}:table/${name}`,
    uuid: randomUUID(),
    created: engine.now(),
    key: readKeySchema(request),
    types: readTypes(request),
    indexes,
    nextIndexId: indexes.length,
    billing: readBilling(request),
    deletionProtection: flag(request, 'DeletionProtectionEnabled'),
    pointInTimeRecovery: false,
    tags: readTags(request),
    ...(encryption?.Enabled === true && { encryption }),
    ...(tableClass !== undefined && { tableClass }),
  };
}

function startStream(engine: Engine, table: TableDefinition, viewType: StreamViewType): void {
  const created = engine.now();
  const taken = new Set(engine.catalog.streams().map((stream) => stream.arn));
  const arnAt = (time: number) => `${table.arn}/stream/${labelAt(time)}`;
  let time = created;
  while (taken.has(arnAt(time))) time += 1;
  table.stream = {
    id: engine.catalog.nextStreamId(),
    arn: arnAt(time),
    label: labelAt(time),
    tableName: table.name,
    key: table.key,
    viewType,
    enabled: true,
    created,
  };
  engine.catalog.saveStream(table.stream);
}

const labelAt = (time: number) => new Date(time).toISOString().replace('Z', '');

function stopStream(engine: Engine, table: TableDefinition): void {
  if (!table.stream?.enabled) return;
  table.stream = { ...table.stream, enabled: false, stopped: engine.now() };
  engine.catalog.saveStream(table.stream);
}

const tableNamed = (engine: Engine, request: Request) => {
  const name = requiredText(request, 'TableName');
  return engine.catalog.table(name, `Requested resource not found: Table: ${name} not found`);
};

export const describeTable = (engine: Engine, request: Request) => ({
  Table: describe(engine, tableNamed(engine, request)),
});

export function deleteTable(engine: Engine, request: Request) {
  const table = tableNamed(engine, request);
  if (table.deletionProtection) {
    throw validation(
      `Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.`,
    );
  }
  return engine.changeDefinitions(() => {
    const description = describe(engine, table, 'DELETING');
    stopStream(engine, table);
    engine.catalog.removeTable(table);
    return { TableDescription: description };
  });
}

export function listTables(engine: Engine, request: Request) {
  const limit = optionalInteger(request, 'Limit', 1) ?? MAX_LISTED;
  if (limit > MAX_LISTED) {
    throw constraint('limit', String(limit), `Member must have value less than or equal to ${MAX_LISTED}`);
  }
  const start = optionalText(request, 'ExclusiveStartTableName') ?? '';
  if (start !== '') assertTableName(start, 3, 'exclusiveStartTableName');
  const names = engine.catalog
    .tables()
    .map((table) => table.name)
    .filter((name) => name > start)
    .sort();
  const page = names.slice(0, limit);
  return { TableNames: page, ...(page.length < names.length && { LastEvaluatedTableName: page.at(-1) }) };
}

export function updateTable(engine: Engine, request: Request) {
  const table = tableNamed(engine, request);
  assertSomethingToUpdate(request);
  return engine.changeDefinitions(() => {
    const types = readTypes(request);
    if (Object.keys(types).length > 0) table.types = { ...table.types, ...types };
    if (request.BillingMode || request.ProvisionedThroughput) updateBilling(table, request);
    updateStorage(table, request);
    if (typeof request.DeletionProtectionEnabled === 'boolean') {
      table.deletionProtection = request.DeletionProtectionEnabled;
    }
    for (const update of optionalObjects(request, 'GlobalSecondaryIndexUpdates')) updateIndex(engine, table, update);
    dropUnusedTypes(table);
    assertSchema(table);
    updateStream(engine, table, readStreamSpecification(request));
    engine.catalog.saveTable(table);
    return { TableDescription: describe(engine, table) };
  });
}

function assertSomethingToUpdate(request: Request): void {
  const replication = REPLICATION.find((name) => request[name] !== undefined && request[name] !== null);
  if (replication) throw unsupported(replication);
  const updates = UPDATES.some((name) => request[name] !== undefined && request[name] !== null);
  if (updates || optionalObjects(request, 'GlobalSecondaryIndexUpdates').length > 0) return;
  throw validation(
    'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
  );
}

function updateBilling(table: TableDefinition, request: Request): void {
  const { mode, read, write } = readBilling(request);
  const current = table.billing;
  if (mode === 'PROVISIONED' && current.mode === mode && current.read === read && current.write === write) {
    throw validation(
      `The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: ${read}. Requested ReadCapacityUnits: ${read}. Current WriteCapacityUnits provisioned for the table: ${write}. Requested WriteCapacityUnits: ${write}. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.`,
    );
  }
  table.billing = { mode, read, write };
}

function updateStorage(table: TableDefinition, request: Request): void {
  const encryption = optionalObject(request, 'SSESpecification');
  if (encryption?.Enabled === true) table.encryption = encryption;
  else if (encryption) delete table.encryption;
  const tableClass = optionalText(request, 'TableClass');
  if (tableClass !== undefined) table.tableClass = tableClass;
}

function updateStream(engine: Engine, table: TableDefinition, viewType: StreamViewType | null | undefined): void {
  if (viewType === undefined) return;
  if (viewType === null) {
    if (!table.stream?.enabled) throw validation('Table is not configured to have a stream');
    stopStream(engine, table);
    return;
  }
  if (table.stream?.enabled) {
    throw validation(`Table already has an enabled stream: TableName: ${table.name}`);
  }
  startStream(engine, table, viewType);
}

function updateIndex(engine: Engine, table: TableDefinition, update: Request): void {
  const creation = optionalObject(update, 'Create');
  const deletion = optionalObject(update, 'Delete');
  if (creation) {
    const index = readIndex(creation, table.nextIndexId);
    if (indexByName(table, index.name)) throw invalidParameter(`Duplicate index name: ${index.name}`);
    table.nextIndexId += 1;
    table.indexes = [...table.indexes, index];
    assertSchema(table);
    engine.storage.createIndex(table, index);
    engine.storage.backfill(table, index);
  } else if (deletion) {
    const name = requiredText(deletion, 'IndexName');
    const index = indexByName(table, name);
    if (!index) throw resourceNotFound(`Requested resource not found: Index: ${name} not found`);
    table.indexes = table.indexes.filter((other) => other !== index);
    engine.storage.dropIndex(table, index);
  }
}

function dropUnusedTypes(table: TableDefinition): void {
  const used = new Set([table.key, ...table.indexes.map((index) => index.key)].flatMap((key) => [key.hash, key.range]));
  table.types = Object.fromEntries(Object.entries(table.types).filter(([name]) => used.has(name)));
}
