import type { TableDefinition } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { accessDenied, resourceNotFound, validation } from '../errors.ts';
import { assertLength, flag, type Request, requiredObject, requiredText } from '../request.ts';
import { readTags } from './table-schema.ts';

const tableNamed = (engine: Engine, name: string) =>
  engine.catalog.table(name, `Requested resource not found: Table: ${name} not found`);

const save = (engine: Engine, table: TableDefinition) =>
  engine.changeDefinitions(() => engine.catalog.saveTable(table));

export function updateTimeToLive(engine: Engine, request: Request) {
  const table = tableNamed(engine, requiredText(request, 'TableName'));
  const specification = requiredObject(request, 'TimeToLiveSpecification');
  const attribute = requiredText(specification, 'AttributeName');
  assertLength('timeToLiveSpecification.attributeName', attribute, 1, 255);
  const enabled = flag(specification, 'Enabled');
  if (enabled && table.ttlAttribute !== undefined) throw validation('TimeToLive is already enabled');
  if (!enabled && table.ttlAttribute === undefined) throw validation('TimeToLive is already disabled');
  engine.changeDefinitions(() => {
    if (enabled) table.ttlAttribute = attribute;
    else delete table.ttlAttribute;
    engine.storage.resetExpiry(table);
    engine.catalog.saveTable(table);
  });
  return { TimeToLiveSpecification: { AttributeName: attribute, Enabled: enabled } };
}

export function describeTimeToLive(engine: Engine, request: Request) {
  const { ttlAttribute } = tableNamed(engine, requiredText(request, 'TableName'));
  return {
    TimeToLiveDescription:
      ttlAttribute === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName: ttlAttribute },
  };
}

/** The setting is stored and returned, but this engine has no recovery. */
export function updateContinuousBackups(engine: Engine, request: Request) {
  const table = tableNamed(engine, requiredText(request, 'TableName'));
  const specification = requiredObject(request, 'PointInTimeRecoverySpecification');
  table.pointInTimeRecovery = flag(specification, 'PointInTimeRecoveryEnabled');
  save(engine, table);
  return describeContinuousBackups(engine, request);
}

export function describeContinuousBackups(engine: Engine, request: Request) {
  const table = tableNamed(engine, requiredText(request, 'TableName'));
  const status = table.pointInTimeRecovery ? 'ENABLED' : 'DISABLED';
  return {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: status },
    },
  };
}

const TABLE_ARN = /^arn:aws[\w-]*:dynamodb:[^:]*:(\d+):table\/[^/]{3,}$/;

function taggedTable(engine: Engine, request: Request, operation: string): TableDefinition {
  const arn = requiredText(request, 'ResourceArn');
  const account = TABLE_ARN.exec(arn)?.[1];
  if (account === undefined) throw validation(`Invalid TableArn: Invalid ResourceArn provided as input ${arn}`);
  if (account !== engine.accountId) {
    throw accessDenied(`User is not authorized to perform: dynamodb:${operation} on resource: ${arn}`);
  }
  const table = engine.catalog.find(arn);
  if (!table) throw resourceNotFound(`Requested resource not found: ResourcArn: ${arn} not found`);
  return table;
}

export function tagResource(engine: Engine, request: Request) {
  const table = taggedTable(engine, request, 'TagResource');
  table.tags = { ...table.tags, ...readTags(request) };
  save(engine, table);
  return {};
}

export function untagResource(engine: Engine, request: Request) {
  const table = taggedTable(engine, request, 'UntagResource');
  const removed = new Set(Array.isArray(request.TagKeys) ? request.TagKeys : []);
  table.tags = Object.fromEntries(Object.entries(table.tags).filter(([key]) => !removed.has(key)));
  save(engine, table);
  return {};
}

export function listTagsOfResource(engine: Engine, request: Request) {
  const { tags } = taggedTable(engine, request, 'ListTagsOfResource');
  return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) };
}
