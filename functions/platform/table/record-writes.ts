import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ServiceError } from '#platform/errors.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, transact, WriteConflict, write } from '#platform/table/writes.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import { recordLimits, sizeText } from '#schemas/catalogues/limits.ts';
import type { Recorded, RecordKind, UniqueValue } from './record.ts';

/** Builds the writes that insert, replace or remove a record together with its unique values. */

export function insertion<F>(kind: RecordKind<F>, record: Recorded<F>): WriteStep[] {
  return [
    put(kind, record, { ConditionExpression: 'attribute_not_exists(pk)' }),
    ...uniqueValueSteps(kind, undefined, record),
  ];
}

export function replacement<F>(kind: RecordKind<F>, before: Recorded<F>, after: Recorded<F>): WriteStep[] {
  return [put(kind, after, unchanged(before)), ...uniqueValueSteps(kind, before, after)];
}

export function removal<F>(kind: RecordKind<F>, before: Recorded<F>): WriteStep[] {
  const Key = keyOf.record(kind.name, before.shop_slug, before.uuid);
  return [
    { action: { Delete: { TableName: tableName(), Key, ...unchanged(before) } } },
    ...uniqueValueSteps(kind, before, undefined),
  ];
}

function put<F>(kind: RecordKind<F>, record: Recorded<F>, condition: object): WriteStep {
  const Item = {
    ...keyOf.record(kind.name, record.shop_slug, record.uuid),
    ...kind.place?.(record),
    ...record,
  };
  if (Buffer.byteLength(JSON.stringify(record)) > recordLimits.bytes) throw tooLarge();
  return { action: { Put: { TableName: tableName(), Item, ...condition } } };
}

const tooLarge = () =>
  new ServiceError('payload_too_large', {
    message: `The record is too large. It can have up to ${sizeText(recordLimits.bytes)}, including all texts.`,
  });

const unchanged = ({ version }: { version: number }) => ({
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

function uniqueValueSteps<F>(
  kind: RecordKind<F>,
  before: Recorded<F> | undefined,
  after: Recorded<F> | undefined,
): WriteStep[] {
  return (kind.unique ?? []).flatMap((unique) => {
    const [oldValue, newValue] = [uniqueValueOf(unique, before), uniqueValueOf(unique, after)];
    if (oldValue === newValue) return [];
    return [
      ...(oldValue === null ? [] : [releaseValue(kind, unique, before!, oldValue)]),
      ...(newValue === null ? [] : [claimValue(kind, unique, after!, newValue)]),
    ];
  });
}

const uniqueValueOf = <F>({ of }: UniqueValue<F>, record: Recorded<F> | undefined) =>
  record === undefined ? null : of(record);

function claimValue<F>(
  kind: RecordKind<F>,
  { name, taken }: UniqueValue<F>,
  record: Recorded<F>,
  value: string,
): WriteStep {
  const Item = { ...keyOf.uniqueValue(kind.name, record.shop_slug, name, hashOf(value)), uuid: record.uuid };
  const Put = { TableName: tableName(), Item, ConditionExpression: 'attribute_not_exists(pk)' };
  return { action: { Put }, lost: taken };
}

/** Needs no condition: the write of the record has one, so the value is still owned by the record. */
function releaseValue<F>(kind: RecordKind<F>, { name }: UniqueValue<F>, record: Recorded<F>, value: string): WriteStep {
  const Key = keyOf.uniqueValue(kind.name, record.shop_slug, name, hashOf(value));
  return { action: { Delete: { TableName: tableName(), Key } } };
}

/** Values can be longer than a key. */
export const hashOf = (value: string) => createHash('sha256').update(value).digest('base64url');

/** One action of a transaction, and the error if its condition fails. */
export interface WriteStep {
  action: Action;
  /** Absent if a failed condition is a write conflict, which a retry may resolve. */
  lost?: ErrorKey;
}

/**
 * Writes all steps or none. A write conflict is reported before other errors, because they may disappear after a new
 * read.
 */
export async function writeSteps(steps: readonly WriteStep[]): Promise<void> {
  try {
    await send(steps.map(({ action }) => action));
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    const meanings = error.positions.map((position) => steps[position]!.lost);
    const [key] = meanings;
    throw key === undefined || meanings.includes(undefined) ? error : new ServiceError(key);
  }
}

/** A write in a transaction costs twice as much, so a single write is sent alone. */
function send(actions: Action[]): Promise<void> {
  const [{ Put, Delete }] = actions as [Action, ...Action[]];
  if (actions.length === 1 && Put) return write(() => table.send(new PutCommand(Put)));
  if (actions.length === 1 && Delete) return write(() => table.send(new DeleteCommand(Delete)));
  return transact(actions);
}
