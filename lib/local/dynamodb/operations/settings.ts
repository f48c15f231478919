import type { TableDefinition } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { validation } from '../errors.ts';
import { flag, type Request, requiredObject, requiredText } from '../request.ts';
import { readTags } from './table-schema.ts';

const tableNamed = (engine: Engine, name: string) =>
  engine.catalog.table(name, `Requested resource not found: Table: ${name} not found`);

const save = (engine: Engine, table: TableDefinition) =>
  engine.changeDefinitions(() => engine.catalog.saveTable(table));

export function updateTimeToLive(engine: Engine, request: Request) {
  const table = tableNamed(engine, requiredText(request, 'TableName'));
  const specification = requiredObject(request, 'TimeToLiveSpecification');
  const attribute = requiredText(specification, 'AttributeName');
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

/** The setting is remembered and described; nothing is recovered here. */
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

export function tagResource(engine: Engine, request: Request) {
  const table = tableNamed(engine, requiredText(request, 'ResourceArn'));
  table.tags = { ...table.tags, ...readTags(request) };
  save(engine, table);
  return {};
}

export function untagResource(engine: Engine, request: Request) {
  const table = tableNamed(engine, requiredText(request, 'ResourceArn'));
  const gone = new Set(Array.isArray(request.TagKeys) ? request.TagKeys : []);
  table.tags = Object.fromEntries(Object.entries(table.tags).filter(([key]) => !gone.has(key)));
  save(engine, table);
  return {};
}

export function listTagsOfResource(engine: Engine, request: Request) {
  const { tags } = tableNamed(engine, requiredText(request, 'ResourceArn'));
  return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) };
}
