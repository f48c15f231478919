import { createHash } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '#platform/http/errors.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, transact, WriteConflict, write } from '#platform/table/writes.ts';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import { recordLimits, sizeText } from '#schemas/catalogues/limits.ts';
import type { Recorded, RecordKind, UniqueValue } from './record.ts';

/** How a record comes, changes and goes, together with its claims on what is unique. Building is pure. */

export function insertion<F>(kind: RecordKind<F>, record: Recorded<F>): WriteStep[] {
  return [put(kind, record, { ConditionExpression: 'attribute_not_exists(pk)' }), ...claims(kind, undefined, record)];
}

export function replacement<F>(kind: RecordKind<F>, before: Recorded<F>, after: Recorded<F>): WriteStep[] {
  return [put(kind, after, unchanged(before)), ...claims(kind, before, after)];
}

export function removal<F>(kind: RecordKind<F>, before: Recorded<F>): WriteStep[] {
  const Key = keyOf.record(kind.name, before.shop_slug, before.uuid);
  return [
    { action: { Delete: { TableName: tableName(), Key, ...unchanged(before) } } },
    ...claims(kind, before, undefined),
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
  new ApiError('payload_too_large', {
    message: `The record is too large. It can have up to ${sizeText(recordLimits.bytes)}, including all texts.`,
  });

const unchanged = ({ version }: { version: number }) => ({
  ConditionExpression: '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version },
});

function claims<F>(kind: RecordKind<F>, before: Recorded<F> | undefined, after: Recorded<F> | undefined): WriteStep[] {
  return (kind.unique ?? []).flatMap((unique) => {
    const [had, wants] = [claimed(unique, before), claimed(unique, after)];
    if (had === wants) return [];
    return [
      ...(had === null ? [] : [release(kind, unique, before!, had)]),
      ...(wants === null ? [] : [claim(kind, unique, after!, wants)]),
    ];
  });
}

const claimed = <F>({ of }: UniqueValue<F>, record: Recorded<F> | undefined) =>
  record === undefined ? null : of(record);

function claim<F>(kind: RecordKind<F>, { name, taken }: UniqueValue<F>, record: Recorded<F>, value: string): WriteStep {
  const Item = { ...keyOf.uniqueValue(kind.name, record.shop_slug, name, hashOf(value)), uuid: record.uuid };
  const Put = { TableName: tableName(), Item, ConditionExpression: 'attribute_not_exists(pk)' };
  return { action: { Put }, lost: taken };
}

/** The record itself is on condition, and so its claim is its own. */
function release<F>(kind: RecordKind<F>, { name }: UniqueValue<F>, record: Recorded<F>, value: string): WriteStep {
  const Key = keyOf.uniqueValue(kind.name, record.shop_slug, name, hashOf(value));
  return { action: { Delete: { TableName: tableName(), Key } } };
}

/** Values are texts of any length; keys are not. */
export const hashOf = (value: string) => createHash('sha256').update(value).digest('base64url');

/** One action of a transaction, and what its lost condition means. */
export interface WriteStep {
  action: Action;
  /** Without one a lost condition is a lost race: whoever reads again may win. */
  lost?: ErrorKey;
}

/** All steps or none. A lost race comes first: what else was lost may look different after reading again. */
export async function writeSteps(steps: readonly WriteStep[]): Promise<void> {
  try {
    await send(steps.map(({ action }) => action));
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    const meanings = error.positions.map((position) => steps[position]!.lost);
    const [key] = meanings;
    throw key === undefined || meanings.includes(undefined) ? error : new ApiError(key);
  }
}

/** In a transaction a write costs twice as much, so one that stands alone goes alone. */
function send(actions: Action[]): Promise<void> {
  const [{ Put, Delete }] = actions as [Action, ...Action[]];
  if (actions.length === 1 && Put) return write(() => table.send(new PutCommand(Put)));
  if (actions.length === 1 && Delete) return write(() => table.send(new DeleteCommand(Delete)));
  return transact(actions);
}
