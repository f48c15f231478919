import { CapacityReport, consumption, readUnits } from '../capacity.ts';
import type { Engine } from '../engine.ts';
import { invalidParameter } from '../errors.ts';
import { parseProjection, project } from '../expressions/paths.ts';
import { References } from '../expressions/references.ts';
import type { Path } from '../expressions/syntax.ts';
import { assertIndexKeys, readKey } from '../keys.ts';
import { choice, flag, optionalText, type Request, refuseLegacy, requiredObject, requiredText } from '../request.ts';
import type { AttributeMap } from '../values.ts';
import { checkCondition, performWrite, readWrite, type WriteRequest } from './write-request.ts';

const RETURN_VALUES = ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'] as const;
type ReturnValues = (typeof RETURN_VALUES)[number];

export function readProjection(request: Request, references: References): Path[] | undefined {
  const expression = optionalText(request, 'ProjectionExpression');
  return expression === undefined ? undefined : parseProjection(expression, references);
}

export function getItem(engine: Engine, request: Request) {
  refuseLegacy(request);
  const table = engine.catalog.table(requiredText(request, 'TableName'));
  const references = new References(request.ExpressionAttributeNames, undefined);
  const paths = readProjection(request, references);
  references.assertAllUsed(paths !== undefined);
  const report = new CapacityReport(request.ReturnConsumedCapacity);
  const key = readKey(table, requiredObject(request, 'Key'));
  const found = engine.storage.get(table, key);
  report.add(table.name, consumption(readUnits(found?.size ?? 0, flag(request, 'ConsistentRead'))));
  const item = found && (paths ? project(found.item, paths) : found.item);
  return { ...(item && { Item: item }), ...report.one() };
}

export function putItem(engine: Engine, request: Request) {
  const write = readWrite(engine, 'Put', request);
  assertIndexKeys(write.table, write.next(undefined)!);
  return writeOne(engine, write, request, ['NONE', 'ALL_OLD']);
}

export const deleteItem = (engine: Engine, request: Request) =>
  writeOne(engine, readWrite(engine, 'Delete', request), request, ['NONE', 'ALL_OLD']);

export const updateItem = (engine: Engine, request: Request) =>
  writeOne(engine, readWrite(engine, 'Update', request), request, RETURN_VALUES);

function writeOne(engine: Engine, write: WriteRequest, request: Request, allowed: readonly ReturnValues[]) {
  const returned = choice(request, 'ReturnValues', RETURN_VALUES) ?? 'NONE';
  if (!allowed.includes(returned)) throw invalidParameter('Return values set to invalid value');
  const report = new CapacityReport(request.ReturnConsumedCapacity);
  const attributes = engine.database.transaction(() => {
    const old = engine.storage.get(write.table, write.key);
    checkCondition(write, old);
    const next = write.next(old?.item);
    report.add(write.table.name, performWrite(engine, write, old, next));
    return returnedAttributes(returned, write, old?.item, next);
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
  if (returned === 'UPDATED_OLD') return old && orNothing(project(old, write.updatedPaths));
  if (returned === 'UPDATED_NEW') return next && orNothing(project(next, write.updatedPaths));
  return undefined;
}

const orNothing = (map: AttributeMap) => (Object.keys(map).length > 0 ? map : undefined);
