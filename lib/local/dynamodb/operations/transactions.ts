import { createHash } from 'node:crypto';
import { CapacityReport, consumption, readUnits } from '../capacity.ts';
import type { Engine } from '../engine.ts';
import {
  type CancellationReason,
  DynamoDbError,
  idempotentMismatch,
  isValidation,
  transactionCanceled,
  validation,
} from '../errors.ts';
import { project } from '../expressions/paths.ts';
import { References } from '../expressions/references.ts';
import { itemSize } from '../item-size.ts';
import { assertIndexKeys, readKey } from '../keys.ts';
import {
  constraint,
  optionalObject,
  optionalObjects,
  optionalText,
  type Request,
  requiredObject,
  requiredText,
} from '../request.ts';
import type { StoredItem } from '../storage.ts';
import type { AttributeMap } from '../values.ts';
import { keyText } from './batch.ts';
import { readProjection } from './items.ts';
import { checkCondition, performWrite, readWrite, type WriteKind, type WriteRequest } from './write-request.ts';

const MAX_ACTIONS = 100;
const MAX_BYTES = 4 * 1024 * 1024;
const KINDS: WriteKind[] = ['Put', 'Update', 'Delete', 'ConditionCheck'];
const TRANSACTION_FACTOR = 2;
const tooLarge = () => validation('Transaction size cannot exceed 4 MB');
export const TOKEN_LIFETIME_MS = 10 * 60 * 1000;

export function transactWriteItems(engine: Engine, request: Request) {
  const actions = readActions(request);
  const token = optionalText(request, 'ClientRequestToken');
  if (token !== undefined && (token.length < 1 || token.length > 36)) {
    throw constraint('ClientRequestToken', token, 'Member must have length less than or equal to 36');
  }
  const writes = actions.map((action) => readAction(engine, action));
  assertOnePerItem(writes);
  return engine.database.transaction(() => {
    if (token !== undefined && isReplay(engine, token, request)) return replayed(engine, writes, request);
    const report = new CapacityReport(request.ReturnConsumedCapacity, 'WriteCapacityUnits');
    for (const { write, old, next } of planAll(engine, writes)) {
      report.add(write.table.name, performWrite(engine, write, old, next), TRANSACTION_FACTOR);
    }
    if (token !== undefined) remember(engine, token, request);
    return report.list();
  });
}

/** A repeated request writes nothing; AWS bills the reads that it takes to know that. */
function replayed(engine: Engine, writes: WriteRequest[], request: Request) {
  const report = new CapacityReport(request.ReturnConsumedCapacity, 'ReadCapacityUnits');
  for (const { table, key } of writes) {
    const size = engine.storage.get(table, key)?.size ?? 0;
    report.add(table.name, consumption(readUnits(size, true)), TRANSACTION_FACTOR);
  }
  return report.list();
}

function readActions(request: Request): Request[] {
  const actions = optionalObjects(request, 'TransactItems');
  if (actions.length === 0 || actions.length > MAX_ACTIONS) {
    const bound = actions.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${MAX_ACTIONS}`;
    throw constraint('TransactItems', `[${actions.length} actions]`, `Member must have length ${bound}`);
  }
  return actions;
}

function readAction(engine: Engine, action: Request): WriteRequest {
  const kinds = KINDS.filter((kind) => optionalObject(action, kind) !== undefined);
  if (kinds.length !== 1) {
    throw validation('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  return readWrite(engine, kinds[0]!, requiredObject(action, kinds[0]!));
}

function assertOnePerItem(actions: Pick<WriteRequest, 'table' | 'key'>[]): void {
  const items = actions.map(({ table, key }) => `${table.id}/${keyText(key)}`);
  if (new Set(items).size < items.length) {
    throw validation('Transaction request cannot include multiple operations on one item');
  }
}

interface PlannedWrite {
  write: WriteRequest;
  old: StoredItem | undefined;
  next: AttributeMap | undefined;
}

/** Every action is judged before any is performed, so that each one's reason is known by its position. */
function planAll(engine: Engine, writes: WriteRequest[]): PlannedWrite[] {
  const reasons: CancellationReason[] = [];
  const planned = writes.map((write) => {
    const old = engine.storage.get(write.table, write.key);
    const outcome = attempt(() => {
      checkCondition(write, old);
      const next = write.next(old?.item);
      if (next) assertIndexKeys(write.table, next);
      return next;
    });
    reasons.push(outcome.reason);
    return { write, old, next: outcome.next };
  });
  if (reasons.some((reason) => reason.Code !== 'None')) throw transactionCanceled(reasons);
  const bytes = planned.reduce((sum, { old, next }) => sum + Math.max(old?.size ?? 0, next ? itemSize(next) : 0), 0);
  if (bytes > MAX_BYTES) throw tooLarge();
  return planned;
}

function attempt(work: () => AttributeMap | undefined): { reason: CancellationReason; next: AttributeMap | undefined } {
  try {
    return { next: work(), reason: { Code: 'None' } };
  } catch (error) {
    return { next: undefined, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): CancellationReason {
  if (isValidation(error)) return { Code: 'ValidationError', Message: error.message };
  if (!(error instanceof DynamoDbError)) throw error;
  return { Code: 'ConditionalCheckFailed', Message: error.message, ...error.details };
}

const fingerprint = (request: Request) =>
  createHash('sha256').update(JSON.stringify(request.TransactItems)).digest('base64');

function isReplay(engine: Engine, token: string, request: Request): boolean {
  const row = engine.database
    .prepare('SELECT fingerprint FROM request_tokens WHERE token = ? AND created > ?')
    .get(token, engine.now() - TOKEN_LIFETIME_MS);
  if (!row) return false;
  if (row.fingerprint !== fingerprint(request)) throw idempotentMismatch();
  return true;
}

function remember(engine: Engine, token: string, request: Request): void {
  engine.database
    .prepare('INSERT OR REPLACE INTO request_tokens (token, fingerprint, created) VALUES (?, ?, ?)')
    .run(token, fingerprint(request), engine.now());
}

export function transactGetItems(engine: Engine, request: Request) {
  const report = new CapacityReport(request.ReturnConsumedCapacity, 'ReadCapacityUnits');
  const gets = readActions(request).map((action) => readGet(engine, requiredObject(action, 'Get')));
  assertOnePerItem(gets);
  const found = gets.map(({ table, key, paths }) => ({ table, paths, stored: engine.storage.get(table, key) }));
  if (found.reduce((sum, { stored }) => sum + (stored?.size ?? 0), 0) > MAX_BYTES) throw tooLarge();
  const responses = found.map(({ table, paths, stored }) => {
    report.add(table.name, consumption(readUnits(stored?.size ?? 0, true)), TRANSACTION_FACTOR);
    return stored ? { Item: paths ? project(stored.item, paths) : stored.item } : {};
  });
  return { Responses: responses, ...report.list() };
}

function readGet(engine: Engine, get: Request) {
  const table = engine.catalog.table(requiredText(get, 'TableName'));
  const references = new References(get.ExpressionAttributeNames, undefined);
  const paths = readProjection(get, references);
  references.assertAllUsed(paths !== undefined);
  return { table, key: readKey(table, requiredObject(get, 'Key')), paths };
}
