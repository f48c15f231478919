import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '#platform/access/caller.ts';
import { ApiError } from '#platform/http/errors.ts';
import { keyOf, recordPrefix, recordsIn } from '#platform/table/keys.ts';
import { type ListReader, queryListPart, readPage } from '#platform/table/paging.ts';
import { batchGet, queryAll } from '#platform/table/reads.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import type { Recorded, RecordKind } from './record.ts';
import { insertion, removal, replacement, type WriteStep, writeSteps } from './record-writes.ts';

/** The fields that a record is to have, and what else is to be written with it. */
export interface Change<F> {
  fields: F;
  also?: readonly WriteStep[];
}

interface ListRequest {
  shop: { slug: string };
  caller: Caller;
  query: { page: number; per_page: number; uuid?: string };
  now: Date;
}

/**
 * What can be done with every kind of record. Rules stay with the family: they say what a record is to be, and this
 * writes it in one transaction with its claims, reading and deciding again where somebody else was faster.
 */
export function records<F extends object>(kind: RecordKind<F>) {
  async function find(slug: string, uuid: string): Promise<Recorded<F> | undefined> {
    const [item] = await batchGet([keyOf.record(kind.name, slug, uuid.toLowerCase())]);
    return item && toRecord<F>(item);
  }

  async function get(slug: string, uuid: string): Promise<Recorded<F>> {
    const record = await find(slug, uuid);
    if (!record) throw new ApiError(kind.notFound);
    return record;
  }

  /** Several, by their uuid; those that are gone are missing. */
  async function byUuid(slug: string, uuids: Iterable<string>): Promise<Map<string, Recorded<F>>> {
    const keys = [...new Set(uuids)].map((uuid) => keyOf.record(kind.name, slug, uuid));
    const items = await batchGet(keys);
    const found = items.flatMap((item) => (item ? [toRecord<F>(item)] : []));
    return new Map(found.map((record) => [record.uuid, record]));
  }

  /** `make` is told the uuid that the record will have, and asked again where a race is lost. */
  async function create(
    slug: string,
    now: Date,
    make: (uuid: string) => Change<F> | Promise<Change<F>>,
  ): Promise<Recorded<F>> {
    const at = now.toISOString();
    const identity = { uuid: uuidv7({ msecs: now.getTime() }), shop_slug: slug, created_at: at };
    return retryOnConflict(async () => {
      const { fields, also = [] } = await make(identity.uuid);
      const record = { ...fields, ...identity, updated_at: at, version: 1 };
      await writeSteps([...insertion(kind, record), ...also]);
      return record;
    });
  }

  /** `decide` is asked again where a race is lost; where it answers nothing, the record stays as it is. */
  async function change(
    slug: string,
    uuid: string,
    now: Date,
    decide: (before: Recorded<F>) => Change<F> | undefined | Promise<Change<F> | undefined>,
  ): Promise<Recorded<F>> {
    return retryOnConflict(async () => {
      const before = await get(slug, uuid);
      const change = await decide(before);
      if (!change) return before;
      const { fields, also = [] } = change;
      const after = { ...before, ...fields, updated_at: now.toISOString(), version: before.version + 1 };
      await writeSteps([...replacement(kind, before, after), ...also]);
      return after;
    });
  }

  /** `also` says what else goes with the record. */
  async function remove(
    slug: string,
    uuid: string,
    also: (before: Recorded<F>) => readonly WriteStep[] | Promise<readonly WriteStep[]> = () => [],
  ): Promise<void> {
    await retryOnConflict(async () => {
      const before = await get(slug, uuid);
      await writeSteps([...removal(kind, before), ...(await also(before))]);
    });
  }

  /** A page of the shop's records, newest first; one that is asked for by its uuid is read by its key. */
  async function page(request: ListRequest, matches?: (record: Recorded<F>) => boolean): Promise<Recorded<F>[]> {
    const { shop, query } = request;
    if (query.uuid === undefined) {
      return readPage(request, `${kind.name}#${shop.slug}`, recordReader(kind, shop.slug, matches));
    }
    const record = query.page === 1 ? await find(shop.slug, query.uuid) : undefined;
    return record && (!matches || matches(record)) ? [record] : [];
  }

  return { find, get, byUuid, create, change, remove, page, all: (slug: string) => allRecords(kind, slug) };
}

type Matches<F> = (record: Recorded<F>) => boolean;

/** The records of a shop, newest first: their ids begin with their time. */
export function recordReader<F>(kind: RecordKind<F>, slug: string, matches?: Matches<F>): ListReader<Recorded<F>> {
  return async (limit, after) => {
    const { entries, next } = await queryListPart({
      query: { ...recordQuery(kind, slug), ScanIndexForward: false },
      limit,
      start: after === undefined ? undefined : keyOf.record(kind.name, slug, after),
      toEntry: (item) => {
        const record = toRecord<F>(item);
        return !matches || matches(record) ? record : undefined;
      },
      filtered: matches !== undefined,
    });
    return { entries, next: next?.slice(recordPrefix.length) };
  };
}

/** Every record of the shop, oldest first: for kinds of which a shop has few. */
export async function allRecords<F>(kind: RecordKind<F>, slug: string): Promise<Recorded<F>[]> {
  const items = await queryAll<Record<string, unknown>>({ ...recordQuery(kind, slug), ConsistentRead: true });
  return items.map(toRecord<F>);
}

const recordQuery = (kind: RecordKind<never>, slug: string) => ({
  KeyConditionExpression: 'pk = :records AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':records': recordsIn(kind.name, slug), ':prefix': recordPrefix },
});

/** Without what only the table needs. */
export function toRecord<F>(item: Record<string, unknown>): Recorded<F> {
  const { pk: _pk, sk: _sk, list_pk: _listPk, list_sk: _listSk, ...record } = item;
  return record as Recorded<F>;
}
