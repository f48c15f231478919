import { hash } from 'node:crypto';
import { CapacityReport, consumption, readUnits } from '../capacity.ts';
import type { Engine } from '../engine.ts';
import {
  type CancellationReason,
  DynamoDbError,
  EmptyKeyError,
  idempotentMismatch,
  isValidation,
  transactionCanceled,
  validation,
} from '../errors.ts';
import { project } from '../expressions/paths.ts';
import { References } from '../expressions/references.ts';
import { assertIndexKeys, keyOf } from '../keys.ts';
import {
  assertChoices,
  assertLength,
  assertTableName,
  constraint,
  lowerFirst,
  missing,
  optionalObject,
  optionalObjects,
  optionalText,
  type Request,
  requiredObject,
  requiredText,
} from '../request.ts';
import type { StoredItem } from '../storage.ts';
import { isObject, readMap } from '../values.ts';
import { keyText } from './batch.ts';
import { readProjection } from './items.ts';
import {
  checkCondition,
  type ParsedWrite,
  performWrite,
  readWrite,
  type WriteKind,
  type WriteRequest,
  withKey,
} from './write-request.ts';

const MAX_ACTIONS = 100;
const MAX_BYTES = 4 * 1024 * 1024;
const KINDS: WriteKind[] = ['Put', 'Update', 'Delete', 'ConditionCheck'];
const TRANSACTION_FACTOR = 2;
const tooLarge = () => validation('Transaction size cannot exceed 4 MB');
export const TOKEN_LIFETIME_MS = 10 * 60 * 1000;

export function transactWriteItems(engine: Engine, request: Request) {
  assertChoices(request);
  const actions = readActions(request);
  const token = optionalText(request, 'ClientRequestToken');
  if (token !== undefined) assertLength('clientRequestToken', token, 1, 36);
  const parsed = actions.map((action, index) => readAction(engine, action, index + 1));
  if (parsed.reduce((sum, write) => sum + write.payloadBytes(), 0) > MAX_BYTES) throw tooLarge();
  const attempts = parsed.map((write) => attempt(() => withKey(write)));
  const writes = attempts.flatMap(({ result }) => result ?? []);
  assertOnePerItem(writes);
  const requestPrint = token === undefined ? '' : fingerprint(request);
  return engine.database.transaction(() => {
    if (token !== undefined && isReplay(engine, token, requestPrint)) return replayed(engine, writes, request);
    const report = new CapacityReport(request, 'WriteCapacityUnits');
    for (const { write, old, next } of planAll(engine, attempts)) {
      report.add(write.table.name, performWrite(engine, write, old, next), TRANSACTION_FACTOR);
    }
    if (token !== undefined) remember(engine, token, requestPrint);
    return report.list();
  });
}

/** A repeated request writes nothing. AWS bills the reads that find this out. */
function replayed(engine: Engine, writes: WriteRequest[], request: Request) {
  const report = new CapacityReport(request, 'ReadCapacityUnits');
  for (const { table, key } of writes) {
    const size = engine.storage.get(table, key)?.size ?? 0;
    report.add(table.name, consumption(readUnits(size, true), key.hash), TRANSACTION_FACTOR);
  }
  return report.list();
}

function readActions(request: Request): Request[] {
  if (request.TransactItems === undefined || request.TransactItems === null) throw missing('TransactItems');
  const actions = optionalObjects(request, 'TransactItems');
  if (actions.length === 0) {
    throw constraint('TransactItems', '[]', 'Member must have length greater than or equal to 1');
  }
  if (actions.length > MAX_ACTIONS) {
    const text = `[${actions.length} actions]`;
    throw constraint('TransactItems', text, `Member must have length less than or equal to ${MAX_ACTIONS}`);
  }
  return actions;
}

const REQUIRED: Record<WriteKind, string[]> = {
  Put: ['Item', 'TableName'],
  Update: ['Key', 'UpdateExpression', 'TableName'],
  Delete: ['Key', 'TableName'],
  ConditionCheck: ['Key', 'TableName', 'ConditionExpression'],
};

function readAction(engine: Engine, action: Request, position: number): ParsedWrite {
  const kinds = KINDS.filter((kind) => optionalObject(action, kind) !== undefined);
  const kind = kinds[0];
  if (!kind) throw validation('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request');
  if (kinds.length > 1) throw validation('TransactItems can only contain one of Check, Put, Update or Delete');
  const content = requiredObject(action, kind);
  assertMembers(content, `transactItems.${position}.member.${lowerFirst(kind)}`, REQUIRED[kind]);
  assertChoices(content);
  return readWrite(engine, kind, content);
}

/** What the model of AWS wants of one action, named by where it stands in the request. */
function assertMembers(content: Request, at: string, required: string[]): void {
  for (const name of required) {
    if (content[name] === undefined || content[name] === null) throw missing(`${at}.${lowerFirst(name)}`);
  }
  const table = requiredText(content, 'TableName');
  if (!table.startsWith('arn:')) assertTableName(table, 1, `${at}.tableName`);
}

function assertOnePerItem(actions: Pick<WriteRequest, 'table' | 'key'>[]): void {
  const items = actions.map(({ table, key }) => `${table.id}/${keyText(key)}`);
  if (new Set(items).size < items.length) {
    throw validation('Transaction request cannot include multiple operations on one item');
  }
}

interface Attempt<Result> {
  result?: Result;
  reason: CancellationReason;
}

/** A validation error of one action cancels the whole transaction, with a reason at the position of the action. */
function attempt<Result>(work: () => Result): Attempt<Result> {
  try {
    return { result: work(), reason: { Code: 'None' } };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

function resultsOf<Result>(attempts: Attempt<Result>[]): Result[] {
  if (attempts.some(({ reason }) => reason.Code !== 'None')) {
    throw transactionCanceled(attempts.map(({ reason }) => reason));
  }
  return attempts.map(({ result }) => result as Result);
}

interface PlannedWrite {
  write: WriteRequest;
  old: StoredItem | undefined;
  next: StoredItem | undefined;
}

/** All actions are checked before any is performed, so the error has a reason for each position. */
const planAll = (engine: Engine, writes: Attempt<WriteRequest>[]): PlannedWrite[] =>
  resultsOf(writes.map(({ result, reason }) => (result ? attempt(() => plan(engine, result)) : { reason })));

function plan(engine: Engine, write: WriteRequest): PlannedWrite {
  const old = engine.storage.get(write.table, write.key);
  checkCondition(write, old);
  const next = write.next(old);
  if (next) assertIndexKeys(write.table, next.item);
  return { write, old, next };
}

function reasonOf(error: unknown): CancellationReason {
  if (error instanceof EmptyKeyError) throw error;
  if (isValidation(error)) return { Code: 'ValidationError', Message: error.message };
  if (!(error instanceof DynamoDbError)) throw error;
  return { Code: 'ConditionalCheckFailed', Message: error.message, ...error.details };
}

const fingerprint = (request: Request) => hash('sha256', canonicalText(request.TransactItems), 'base64');

/**
 * The same text for the same content, independent of the order of object keys. Each text has its length as a prefix.
 */
function canonicalText(value: unknown): string {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return String(value);
  const names = Object.keys(value);
  if (names.length > 1) names.sort();
  let text = '{';
  for (const name of names) text += `${name.length}:${name}=${canonicalText(value[name])},`;
  return `${text}}`;
}

function isReplay(engine: Engine, token: string, print: string): boolean {
  const row = engine.database
    .prepare('SELECT fingerprint FROM request_tokens WHERE token = ? AND created > ?')
    .get(token, engine.now() - TOKEN_LIFETIME_MS);
  if (!row) return false;
  if (row.fingerprint !== print) throw idempotentMismatch();
  return true;
}

function remember(engine: Engine, token: string, print: string): void {
  engine.database
    .prepare('INSERT OR REPLACE INTO request_tokens (token, fingerprint, created) VALUES (?, ?, ?)')
    .run(token, print, engine.now());
}

export function transactGetItems(engine: Engine, request: Request) {
  assertChoices(request);
  const report = new CapacityReport(request, 'ReadCapacityUnits');
  const reads = readActions(request).map((action, index) => readGet(engine, requiredObject(action, 'Get'), index + 1));
  const gets = resultsOf(reads.map((read) => attempt(() => ({ ...read, key: keyOf(read.table, read.keyAttributes) }))));
  assertOnePerItem(gets);
  const found = gets.map((get) => ({ ...get, stored: engine.storage.get(get.table, get.key) }));
  if (found.reduce((sum, { stored }) => sum + (stored?.size ?? 0), 0) > MAX_BYTES) throw tooLarge();
  const responses = found.map(({ table, key, paths, stored }) => {
    report.add(table.name, consumption(readUnits(stored?.size ?? 0, true), key.hash), TRANSACTION_FACTOR);
    return stored ? { Item: paths ? project(stored.item, paths) : stored.item } : {};
  });
  return { Responses: responses, ...report.list() };
}

function readGet(engine: Engine, get: Request, position: number) {
  assertMembers(get, `transactItems.${position}.member.get`, ['Key', 'TableName']);
  const table = engine.catalog.table(requiredText(get, 'TableName'));
  const references = new References(get.ExpressionAttributeNames, undefined);
  const paths = readProjection(get, references);
  references.assertAllUsed(paths !== undefined);
  return { table, keyAttributes: readMap(requiredObject(get, 'Key')), paths };
}
