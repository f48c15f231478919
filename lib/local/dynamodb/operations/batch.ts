import { CapacityReport, consumption, readUnits } from '../capacity.ts';
import { keyNames, type TableDefinition } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { validation } from '../errors.ts';
import { project } from '../expressions/paths.ts';
import { References } from '../expressions/references.ts';
import type { Path } from '../expressions/syntax.ts';
import { assertIndexKeys, type ItemKey, keyOf, readKey } from '../keys.ts';
import {
  assertChoices,
  constraint,
  flag,
  optionalObject,
  optionalObjects,
  type Request,
  refuseLegacy,
  requiredObject,
} from '../request.ts';
import type { StoredItem } from '../storage.ts';
import { type AttributeMap, attributeOf, emptyMap, isObject } from '../values.ts';
import { readProjection } from './items.ts';
import { readItem } from './write-request.ts';

const MAX_READS = 100;
const MAX_WRITES = 25;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

interface TableReads {
  table: TableDefinition;
  name: string;
  keys: ItemKey[];
  paths: Path[] | undefined;
  consistent: boolean;
  request: Request;
}

export function batchGetItem(engine: Engine, request: Request) {
  assertChoices(request);
  const report = new CapacityReport(request);
  const reads = readsOf(request).map(([name, reads]) => readTableReads(engine, name, reads));
  if (reads.reduce((sum, { keys }) => sum + keys.length, 0) > MAX_READS) {
    throw validation('Too many items requested for the BatchGetItem call');
  }
  const responses: Record<string, AttributeMap[]> = {};
  const unprocessed: Record<string, unknown> = {};
  let bytes = 0;
  for (const read of reads) {
    const items: AttributeMap[] = [];
    responses[read.name] = items;
    for (const [index, key] of read.keys.entries()) {
      const found = engine.storage.get(read.table, key);
      bytes += found?.size ?? 0;
      if (bytes > MAX_RESPONSE_BYTES) {
        unprocessed[read.name] = { ...read.request, Keys: read.keys.slice(index).map((rest) => rest.attributes) };
        break;
      }
      report.add(read.table.name, consumption(readUnits(found?.size ?? 0, read.consistent), key.hash));
      if (found) items.push(read.paths ? project(found.item, read.paths) : found.item);
    }
  }
  return { Responses: responses, UnprocessedKeys: unprocessed, ...report.list() };
}

function readTableReads(engine: Engine, name: string, request: Request): TableReads {
  refuseLegacy(request);
  const references = new References(request.ExpressionAttributeNames, undefined);
  const paths = readProjection(request, references);
  references.assertAllUsed(paths !== undefined);
  if (Array.isArray(request.Keys) && request.Keys.length > MAX_READS) {
    throw keysLength(name, `less than or equal to ${MAX_READS}`);
  }
  const table = engine.catalog.table(name);
  const keys = optionalObjects(request, 'Keys').map((key) => readKey(table, key));
  if (keys.length === 0) throw keysLength(name, 'greater than or equal to 1');
  assertDistinct(keys);
  return { table, name, keys, paths, consistent: flag(request, 'ConsistentRead'), request };
}

const keysLength = (table: string, bound: string) =>
  validation(
    `1 validation error detected: Value at 'RequestItems.${table}.member.Keys' failed to satisfy constraint: Member must have length ${bound}`,
  );

function tablesOf(request: Request, operation: string): [string, unknown][] {
  const tables = Object.entries(optionalObject(request, 'RequestItems') ?? {});
  if (tables.length === 0) throw validation(`The requestItems parameter is required for ${operation}`);
  return tables;
}

function readsOf(request: Request): [string, Request][] {
  const tables = tablesOf(request, 'BatchGetItem');
  return tables.map(([name, content]) => [name, isObject(content) ? content : {}]);
}

function assertDistinct(keys: ItemKey[]): void {
  if (new Set(keys.map(keyText)).size < keys.length) {
    throw validation('Provided list of item keys contains duplicates');
  }
}

export const keyText = (key: ItemKey) => `${key.hash.toString('base64')}/${key.range.toString('base64')}`;

interface BatchedWrite {
  table: TableDefinition;
  key: ItemKey;
  next: StoredItem | undefined;
}

export function batchWriteItem(engine: Engine, request: Request) {
  assertChoices(request);
  const report = new CapacityReport(request);
  const tables = tablesOf(request, 'BatchWriteItem');
  const writes = tables.flatMap(([name]) => readTableWrites(engine, name, request));
  if (writes.length > MAX_WRITES) throw validation('Too many items requested for the BatchWriteItem call');
  engine.database.transaction(() => {
    for (const { table, key, next } of writes) {
      report.add(table.name, engine.write(table, key, engine.storage.get(table, key), next));
    }
  });
  return { UnprocessedItems: {}, ...report.list() };
}

function readTableWrites(engine: Engine, name: string, request: Request): BatchedWrite[] {
  const requests = optionalObjects(requiredObject(request, 'RequestItems'), name);
  if (requests.length === 0 || requests.length > MAX_WRITES) {
    throw constraint(
      'RequestItems',
      `{${name}=${requests.length === 0 ? '[]' : `[${requests.length} requests]`}}`,
      `Map value must satisfy constraint: [Member must have length less than or equal to ${MAX_WRITES}, Member must have length greater than or equal to 1]`,
    );
  }
  const table = engine.catalog.table(name);
  const writes = requests.map((entry) => readBatchedWrite(table, entry));
  assertDistinct(writes.map((write) => write.key));
  return writes;
}

function readBatchedWrite(table: TableDefinition, entry: Request): BatchedWrite {
  const put = optionalObject(entry, 'PutRequest');
  const remove = optionalObject(entry, 'DeleteRequest');
  if ((put === undefined) === (remove === undefined)) {
    throw validation(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  if (remove) return { table, key: readKey(table, requiredObject(remove, 'Key')), next: undefined };
  const next = readItem(put!);
  const { item } = next;
  const key = keyOf(table, keyPart(table, item));
  assertIndexKeys(table, item);
  return { table, key, next };
}

/** A batch says of an item's key what it says of a lookup's, not what PutItem says of it. */
function keyPart(table: TableDefinition, item: AttributeMap): AttributeMap {
  const part = emptyMap();
  for (const name of keyNames(table.key)) {
    const value = attributeOf(item, name);
    if (value) part[name] = value;
  }
  return part;
}
