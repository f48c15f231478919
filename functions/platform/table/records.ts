import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import { laterThan } from '#platform/time.ts';
import { table, tableName } from './client.ts';
import { countedLists, countedRecords } from './counted-lists.ts';
import { type Counter, countNew, countRemoved } from './counter.ts';
import { keyOf, recordPrefix, recordsIn } from './keys.ts';
import { positionsOf } from './list-counters.ts';
import { newestIn } from './newest-first.ts';
import { type ListReader, type PageRequest, type Positions, readPage } from './paging.ts';
import { batchGet, getItem, itemsIn, queryAllWithin } from './reads.ts';
import type { Recorded, RecordKind } from './record.ts';
import { insertion, removal, replacement } from './record-writes.ts';
import { type Action, commit, retryOnConflict } from './writes.ts';

/** The new fields of a record, and extra writes in the same transaction. */
export interface Change<F> {
  fields: F;
  also?: readonly Action[];
}

/** What a change needs of its request, which may say on which state of the record it is based. */
interface ChangeRequest {
  refuseIfChanged: (etag: string) => void;
  now: Date;
}

interface ListRequest extends PageRequest {
  shop: { slug: string };
  query: PageRequest['query'] & { uuid?: string };
}

/**
 * The operations on every kind of record. Rules stay with the family: they decide what a record becomes. This writes it
 * in one transaction with its unique values, and reads and decides again after a write conflict.
 */
export function records<F extends object>(kind: RecordKind<F>) {
  const counter = counterOf(kind);
  const shown = (slug: string): Action[] => (kind.alsoOnChange ? [kind.alsoOnChange(slug)] : []);

  async function find(slug: string, uuid: string): Promise<Recorded<F> | undefined> {
    const item = await getItem(keyOf.record(kind.name, slug, uuid.toLowerCase()));
    return item && toRecord<F>(item);
  }

  async function get(slug: string, uuid: string): Promise<Recorded<F>> {
    const record = await find(slug, uuid);
    if (!record) throw new ServiceError(kind.notFound);
    return record;
  }

  /** Several records, by uuid. Deleted ones are missing. */
  async function byUuid(slug: string, uuids: Iterable<string>): Promise<Map<string, Recorded<F>>> {
    const keys = [...new Set(uuids)].map((uuid) => keyOf.record(kind.name, slug, uuid));
    const items = await batchGet(keys);
    const found = items.flatMap((item) => (item ? [toRecord<F>(item)] : []));
    return new Map(found.map((record) => [record.uuid, record]));
  }

  /** `make` gets the uuid of the new record, and is called again after a write conflict. */
  async function create(
    slug: string,
    now: Date,
    make: (uuid: string) => Change<F> | Promise<Change<F>>,
  ): Promise<Recorded<F>> {
    const at = now.toISOString();
    const identity = { uuid: uuidv7({ msecs: now.getTime() }), shop_slug: slug, created_at: at };
    return retryOnConflict(async () => {
      const counted = counter ? [await countNew(counter(slug))] : [];
      const { fields, also = [] } = await make(identity.uuid);
      const record = { ...fields, ...identity, updated_at: at, version: 1 };
      await commit([...insertion(kind, record), ...counted, ...also, ...shown(slug)]);
      return record;
    });
  }

  /** `decide` is called again after a write conflict. If it returns undefined, the record stays as it is. */
  async function change(
    slug: string,
    uuid: string,
    { refuseIfChanged, now }: ChangeRequest,
    decide: (before: Recorded<F>) => Change<F> | undefined | Promise<Change<F> | undefined>,
  ): Promise<Recorded<F>> {
    return retryOnConflict(async () => {
      const before = await get(slug, uuid);
      refuseIfChanged(before.updated_at);
      const change = await decide(before);
      if (!change) return before;
      const { fields, also = [] } = change;
      const after = {
        ...before,
        ...fields,
        updated_at: laterThan(before.updated_at, now),
        version: before.version + 1,
      };
      await commit([...replacement(kind, before, after), ...also, ...shown(slug)]);
      return after;
    });
  }

  /** `also` returns extra writes for the same transaction. */
  async function remove(
    slug: string,
    uuid: string,
    { refuseIfChanged }: Pick<ChangeRequest, 'refuseIfChanged'>,
    also: (before: Recorded<F>) => readonly Action[] | Promise<readonly Action[]> = () => [],
  ): Promise<void> {
    await retryOnConflict(async () => {
      const before = await get(slug, uuid);
      refuseIfChanged(before.updated_at);
      const counted = counter ? [await countRemoved(counter(slug))] : [];
      await commit([...removal(kind, before), ...counted, ...(await also(before)), ...shown(slug)]);
    });
  }

  /** A page of the shop's records, newest first. With a `uuid` in the query the record is read by its key. */
  async function page(request: ListRequest, matches?: (record: Recorded<F>) => boolean): Promise<Recorded<F>[]> {
    const { shop, query } = request;
    if (query.uuid === undefined) {
      const positions = matches ? undefined : positionsFor(kind, shop.slug);
      return readPage(request, `${kind.name}#${shop.slug}`, recordReader(kind, shop.slug, matches), positions);
    }
    const record = query.page === 1 ? await find(shop.slug, query.uuid) : undefined;
    return record && (!matches || matches(record)) ? [record] : [];
  }

  return { find, get, byUuid, create, change, remove, page, all: (slug: string) => allRecords(kind, slug) };
}

/** Undefined if a shop may have any number of these records. */
function counterOf<F>(kind: RecordKind<F>): ((slug: string) => Counter) | undefined {
  if (!kind.limit) return undefined;
  const { max, noun } = kind.limit;
  const msg = `cannot be added, because the shop already has ${max} ${noun}`;
  return (slug) => ({
    key: keyOf.recordCount(kind.name, slug),
    max,
    count: async () => (await allRecords(kind, slug)).length,
    full: () => invalidValue(['body'], msg),
  });
}

function positionsFor({ name }: RecordKind<never>, slug: string): Positions | undefined {
  const counted = countedRecords.find((kind) => kind === name);
  return counted && positionsOf(countedLists.records(slug, counted));
}

type Matches<F> = (record: Recorded<F>) => boolean;

/** The records of a shop, newest first. Their ids begin with their time. */
export const recordReader = <F>(kind: RecordKind<F>, slug: string, matches?: Matches<F>): ListReader<Recorded<F>> =>
  newestIn(recordsIn(kind.name, slug), recordPrefix, {
    toEntry: (item) => {
      const record = toRecord<F>(item);
      return !matches || matches(record) ? record : undefined;
    },
    filtered: matches !== undefined,
  });

/** Every record of the shop, oldest first. Only for kinds of which a shop has few. */
export async function allRecords<F>(kind: RecordKind<F>, slug: string): Promise<Recorded<F>[]> {
  const query = { ...recordQuery(kind, slug), ConsistentRead: true };
  const items = await queryAllWithin<Record<string, unknown>>(query, () => tooLarge(kind.name));
  return items.map(toRecord<F>);
}

/** The newest records of the shop, newest first, as the last write left them. */
export async function newestRecords<F>(kind: RecordKind<F>, slug: string, count: number): Promise<Recorded<F>[]> {
  const query = { ...recordQuery(kind, slug), ScanIndexForward: false, ConsistentRead: true };
  const { Items = [] } = await table.send(new QueryCommand({ ...query, TableName: tableName(), Limit: count }));
  return Items.map(toRecord<F>);
}

const tooLarge = (name: string) =>
  new ServiceError('payload_too_large', {
    message: `The ${name} of the shop have too much text together. Shorten or delete some of them.`,
  });

const recordQuery = (kind: RecordKind<never>, slug: string) =>
  itemsIn(recordsIn(kind.name, slug), { from: recordPrefix, to: `${recordPrefix}~` });

/** The record without the keys of the table. */
export function toRecord<F>(item: Record<string, unknown>): Recorded<F> {
  const { pk: _pk, sk: _sk, list_pk: _listPk, list_sk: _listSk, ...record } = item;
  return record as Recorded<F>;
}
