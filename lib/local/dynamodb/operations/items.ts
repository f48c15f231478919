import { CapacityReport, consumption, readUnits } from '../capacity.ts';
import type { Engine } from '../engine.ts';
import { validation } from '../errors.ts';
import { parseProjection, project } from '../expressions/paths.ts';
import { References } from '../expressions/references.ts';
import type { Path } from '../expressions/syntax.ts';
import { assertIndexKeys, readKey } from '../keys.ts';
import {
  assertChoices,
  chosen,
  flag,
  optionalText,
  type Request,
  refuseLegacy,
  requiredObject,
  requiredText,
} from '../request.ts';
import type { AttributeMap } from '../values.ts';
import { checkCondition, performWrite, readWrite, type WriteRequest, withKey } from './write-request.ts';

type ReturnValues = 'ALL_NEW' | 'UPDATED_OLD' | 'ALL_OLD' | 'NONE' | 'UPDATED_NEW';

export function readProjection(request: Request, references: References): Path[] | undefined {
  const expression = optionalText(request, 'ProjectionExpression');
  return expression === undefined ? undefined : parseProjection(expression, references);
}

export function getItem(engine: Engine, request: Request) {
  refuseLegacy(request);
  assertChoices(request);
  const table = engine.catalog.table(requiredText(request, 'TableName'));
  const references = new References(request.ExpressionAttributeNames, undefined);
  const paths = readProjection(request, references);
  references.assertAllUsed(paths !== undefined);
  const report = new CapacityReport(request);
  const key = readKey(table, requiredObject(request, 'Key'));
  const found = engine.storage.get(table, key);
  report.add(table.name, consumption(readUnits(found?.size ?? 0, flag(request, 'ConsistentRead')), key.hash));
  const item = found && (paths ? project(found.item, paths) : found.item);
  return { ...(item && { Item: item }), ...report.one() };
}

export function putItem(engine: Engine, request: Request) {
  const write = readOne(engine, 'Put', request);
  assertIndexKeys(write.table, write.attributes);
  return writeOne(engine, write, request);
}

export const deleteItem = (engine: Engine, request: Request) =>
  writeOne(engine, readOne(engine, 'Delete', request), request);

export const updateItem = (engine: Engine, request: Request) =>
  writeOne(engine, readOne(engine, 'Update', request), request);

function readOne(engine: Engine, kind: 'Put' | 'Update' | 'Delete', request: Request): WriteRequest {
  assertChoices(request);
  const returned = chosen(request, 'ReturnValues') ?? 'NONE';
  if (kind !== 'Update' && returned !== 'NONE' && returned !== 'ALL_OLD') {
    throw validation('ReturnValues can only be ALL_OLD or NONE');
  }
  return withKey(readWrite(engine, kind, request));
}

function writeOne(engine: Engine, write: WriteRequest, request: Request) {
  const returned = chosen(request, 'ReturnValues') ?? 'NONE';
  const report = new CapacityReport(request);
  const attributes = engine.database.transaction(() => {
    const old = engine.storage.get(write.table, write.key);
    checkCondition(write, old);
    const next = write.next(old);
    report.add(write.table.name, performWrite(engine, write, old, next));
    return returnedAttributes(returned, write, old?.item, next?.item);
  });
  return { ...(attributes && { Attributes: attributes }), ...report.one() };
}

function returnedAttributes(
  returned: ReturnValues,
  write: WriteRequest,
  old: AttributeMap | undefined,
  next: AttributeMap | undefined,
): AttributeMap | undefined {
  if (returned === 'ALL_OLD') return old;
  if (returned === 'ALL_NEW') return next;
  if (returned === 'UPDATED_OLD') return old && orNothing(project(old, updatedPaths(write)));
  if (returned === 'UPDATED_NEW') return next && orNothing(project(next, updatedPaths(write)));
  return undefined;
}

const updatedPaths = (write: WriteRequest) => write.actions.map((action) => action.path);

const orNothing = (map: AttributeMap) => (Object.keys(map).length > 0 ? map : undefined);
