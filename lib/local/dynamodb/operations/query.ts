import { createHash } from 'node:crypto';
import { addIndexUnits, CapacityReport, consumption, readUnits } from '../capacity.ts';
import { indexByName, keyNames } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { invalidParameter, validation } from '../errors.ts';
import { parseCondition } from '../expressions/conditions.ts';
import { projectionOf } from '../expressions/paths.ts';
import { References } from '../expressions/references.ts';
import type { Condition, Operand, Path } from '../expressions/syntax.ts';
import type { KeyBytes } from '../keys.ts';
import {
  assertChoices,
  chosen,
  constraint,
  flag,
  optionalInteger,
  optionalText,
  type Request,
  refuseLegacy,
  requiredText,
} from '../request.ts';
import { projectedNames } from '../storage.ts';
import { readProjection } from './items.ts';
import { isWithin, type KeyRange, keyRangeOf } from './key-conditions.ts';
import { type PageRequest, positionNames, readPage, readStart, type Source } from './page.ts';

export function query(engine: Engine, request: Request) {
  if (request.Limit === 0) {
    throw validation(
      "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    );
  }
  const limit = optionalInteger(request, 'Limit', 1);
  const source = sourceOf(engine, request);
  const references = new References(request.ExpressionAttributeNames, request.ExpressionAttributeValues);
  const expression = optionalText(request, 'KeyConditionExpression');
  if (expression === undefined) {
    throw validation('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.');
  }
  const key = source.index?.key ?? source.table.key;
  const filter = readFilter(request, references);
  const paths = readProjection(request, references);
  const condition = parseCondition(expression, 'KeyConditionExpression', references);
  references.assertAllUsed(true);
  const range = keyRangeOf(condition, source.table, key);
  if (filter) assertFilter(filter, source, keyNames(key));
  const start = readStart(source, request.ExclusiveStartKey);
  if (start) assertStartWithin(range, start.place);
  const forward = request.ScanIndexForward === undefined || request.ScanIndexForward === null;
  return answer(engine, source, request, paths, {
    range,
    filter,
    forward: forward || flag(request, 'ScanIndexForward'),
    start: start?.position,
    limit,
  });
}

export function scan(engine: Engine, request: Request) {
  const limit = optionalInteger(request, 'Limit', 1);
  const source = sourceOf(engine, request);
  const references = new References(request.ExpressionAttributeNames, request.ExpressionAttributeValues);
  const filter = readFilter(request, references);
  const paths = readProjection(request, references);
  references.assertAllUsed(filter !== undefined || paths !== undefined, 'FilterExpression is null');
  const accepts = segmentOf(request);
  return answer(engine, source, request, paths, {
    filter,
    forward: true,
    start: readStart(source, request.ExclusiveStartKey)?.position,
    limit,
    ...(accepts && { accepts }),
  });
}

function sourceOf(engine: Engine, request: Request): Source {
  refuseLegacy(request);
  assertChoices(request);
  const table = engine.catalog.table(requiredText(request, 'TableName'));
  const name = optionalText(request, 'IndexName');
  if (name === undefined) return { table, index: undefined };
  const index = indexByName(table, name);
  if (!index) throw validation(`The table does not have the specified index: ${name}`);
  if (flag(request, 'ConsistentRead')) {
    throw validation('Consistent reads are not supported on global secondary indexes');
  }
  return { table, index };
}

function readFilter(request: Request, references: References): Condition | undefined {
  const expression = optionalText(request, 'FilterExpression');
  return expression === undefined ? undefined : parseCondition(expression, 'FilterExpression', references);
}

function answer(engine: Engine, source: Source, request: Request, paths: Path[] | undefined, page: PageRequest) {
  const select = readSelect(source, request, paths);
  const report = new CapacityReport(request);
  const names = paths && !page.filter ? namesIn(paths, source) : undefined;
  const found = readPage(engine, source, { ...page, names, onlyCounts: select === 'COUNT' });
  const units = readUnits(found.bytes, flag(request, 'ConsistentRead'));
  const hash = page.range?.hash;
  const consumed = source.index ? consumption() : consumption(units, hash);
  if (source.index) addIndexUnits(consumed, source.index.name, units, hash);
  report.add(source.table.name, consumed);
  const items = paths && !names ? found.items.map(projectionOf(paths)) : found.items;
  return {
    ...(select !== 'COUNT' && { Items: items }),
    Count: found.matched,
    ScannedCount: found.scanned,
    ...(found.lastKey && { LastEvaluatedKey: found.lastKey }),
    ...report.one(),
  };
}

/** Undefined if a part of an attribute is asked for, or not all of the key: then items are read whole, and projected. */
function namesIn(paths: readonly Path[], source: Source): ReadonlySet<string> | undefined {
  const names = new Set(paths.map(([name]) => String(name)));
  const isPlain = paths.every(({ length }) => length === 1);
  return isPlain && [...positionNames(source)].every((name) => names.has(name)) ? names : undefined;
}

function readSelect({ table, index }: Source, request: Request, paths: Path[] | undefined) {
  const select = chosen(request, 'Select');
  if (paths && select !== undefined && select !== 'SPECIFIC_ATTRIBUTES') {
    throw validation(`Cannot specify the ProjectionExpression when choosing to get ${select}`);
  }
  if (!paths && select === 'SPECIFIC_ATTRIBUTES') {
    throw validation(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  }
  if (!index) {
    if (select === 'ALL_PROJECTED_ATTRIBUTES') {
      throw invalidParameter('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
    }
    return select;
  }
  if (index.projection === 'ALL') return select;
  if (select === 'ALL_ATTRIBUTES') {
    throw invalidParameter(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  }
  const projected = projectedNames(table, index);
  const absent = (paths ?? []).map((path) => String(path[0])).filter((name) => !projected.has(name));
  if (absent.length > 0) {
    throw invalidParameter(`Global secondary index ${index.name} does not project [${absent.join(', ')}]`);
  }
  return select;
}

/** Of a query only: a scan takes any filter. */
function assertFilter(condition: Condition, { table, index }: Source, keys: string[]): void {
  const names = [...new Set(pathsOf(condition).map((path) => String(path[0])))];
  const ofKey = names.find((name) => keys.includes(name));
  if (ofKey !== undefined) {
    throw validation(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${ofKey}`);
  }
  if (!index || index.projection === 'ALL') return;
  const projected = projectedNames(table, index);
  const absent = names.filter((name) => !projected.has(name));
  if (absent.length > 0) {
    throw invalidParameter(
      `Secondary index ${index.name} does not project one or more filter attributes: [${absent.join(', ')}]`,
    );
  }
}

function assertStartWithin(range: KeyRange, place: KeyBytes): void {
  if (isWithin(range, place.hash, place.range)) return;
  throw validation(
    range.hash.equals(place.hash)
      ? 'The provided starting key does not match the range key predicate'
      : 'The provided starting key is outside query boundaries based on provided conditions',
  );
}

function pathsOf(condition: Condition): Path[] {
  const of = (...operands: Operand[]) =>
    operands.flatMap((operand) => (operand.kind === 'value' ? [] : [operand.path]));
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [...pathsOf(condition.left), ...pathsOf(condition.right)];
    case 'not':
      return pathsOf(condition.condition);
    case 'compare':
      return of(condition.left, condition.right);
    case 'between':
      return of(condition.operand, condition.low, condition.high);
    case 'in':
      return of(condition.operand, ...condition.candidates);
    case 'begins_with':
    case 'contains':
      return of(condition.path, condition.operand);
    default:
      return [condition.path];
  }
}

function segmentOf(request: Request): ((hash: Uint8Array) => boolean) | undefined {
  const total = optionalInteger(request, 'TotalSegments', 1);
  const segment = optionalInteger(request, 'Segment', 0);
  if (total === undefined && segment === undefined) return undefined;
  if (total === undefined) throw segmentWithout('TotalSegments', 'Segment parameter');
  if (segment === undefined) throw segmentWithout('Segment', 'parameter TotalSegments');
  if (total > 1_000_000) {
    throw constraint('TotalSegments', String(total), 'Member must have value less than or equal to 1000000');
  }
  if (segment >= total) {
    throw validation(
      `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${segment} is not less than TotalSegments: ${total}`,
    );
  }
  return (hash) => createHash('md5').update(hash).digest().readUInt32BE() % total === segment;
}

const segmentWithout = (absent: string, present: string) =>
  validation(`The ${absent} parameter is required but was not present in the request when ${present} is present`);
