import { createHash } from 'node:crypto';
import { ServiceError } from '#platform/errors.ts';
import { recordLimits, sizeText } from '#schemas/catalogues/limits.ts';
import { keyOf } from './keys.ts';
import type { Recorded, RecordKind, UniqueValue } from './record.ts';
import { type Action, insert, putVersion, remove } from './writes.ts';

/** Builds the writes that insert, replace or remove a record together with its unique values. */

export function insertion<F>(kind: RecordKind<F>, record: Recorded<F>): Action[] {
  return [insert(itemOf(kind, record)), ...uniqueValueActions(kind, undefined, record)];
}

export function replacement<F>(kind: RecordKind<F>, before: Recorded<F>, after: Recorded<F>): Action[] {
  return [putVersion(itemOf(kind, after)), ...uniqueValueActions(kind, before, after)];
}

export function removal<F>(kind: RecordKind<F>, before: Recorded<F>): Action[] {
  const key = keyOf.record(kind.name, before.shop_slug, before.uuid);
  return [
    remove(key, 'version = :before', { ':before': before.version }),
    ...uniqueValueActions(kind, before, undefined),
  ];
}

function itemOf<F>(kind: RecordKind<F>, record: Recorded<F>) {
  if (Buffer.byteLength(JSON.stringify(record)) > recordLimits.bytes) throw tooLarge();
  return { ...keyOf.record(kind.name, record.shop_slug, record.uuid), ...kind.place?.(record), ...record };
}

const tooLarge = () =>
  new ServiceError('payload_too_large', {
    message: `The record is too large. It can have up to ${sizeText(recordLimits.bytes)}, including all texts.`,
  });

function uniqueValueActions<F>(
  kind: RecordKind<F>,
  before: Recorded<F> | undefined,
  after: Recorded<F> | undefined,
): Action[] {
  return (kind.unique ?? []).flatMap((unique) => {
    const [oldValue, newValue] = [before, after].map((record) => (record ? unique.of(record) : null));
    if (oldValue === newValue) return [];
    return [
      // Needs no condition: the write of the record has one, so the value is still owned by the record.
      ...(oldValue == null ? [] : [remove(valueKey(kind, unique, before!, oldValue))]),
      ...(newValue == null ? [] : [claim(kind, unique, after!, newValue)]),
    ];
  });
}

const claim = <F>(kind: RecordKind<F>, unique: UniqueValue<F>, record: Recorded<F>, value: string): Action => ({
  ...insert({ ...valueKey(kind, unique, record, value), uuid: record.uuid }),
  refusal: unique.taken,
});

const valueKey = <F>(kind: RecordKind<F>, { name }: UniqueValue<F>, { shop_slug }: Recorded<F>, value: string) =>
  keyOf.uniqueValue(kind.name, shop_slug, name, hashOf(value));

/** Values can be longer than a key. */
export const hashOf = (value: string) => createHash('sha256').update(value).digest('base64url');
