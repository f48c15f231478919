import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '#platform/access/caller.ts';
import { chunks } from '#platform/chunks.ts';
import { ApiError } from '#platform/http/api-error.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import { pageOf } from '#platform/table/list-page.ts';
import { retryLostRaces } from '#platform/table/retrying.ts';
import type { Recorded, RecordKind } from './record.ts';
import { allRecords, recordReader, toRecord } from './record-list.ts';
import { insertion, removal, replacement } from './record-steps.ts';
import { carryOut, type WriteStep } from './write-steps.ts';

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
    const items = (await Promise.all(chunks(keys, 100).map(batchGet))).flat();
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
    return retryLostRaces(async () => {
      const { fields, also = [] } = await make(identity.uuid);
      const record = { ...fields, ...identity, updated_at: at, version: 1 };
      await carryOut([...insertion(kind, record), ...also]);
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
    return retryLostRaces(async () => {
      const before = await get(slug, uuid);
      const change = await decide(before);
      if (!change) return before;
      const { fields, also = [] } = change;
      const after = { ...before, ...fields, updated_at: now.toISOString(), version: before.version + 1 };
      await carryOut([...replacement(kind, before, after), ...also]);
      return after;
    });
  }

  /** `also` says what else goes with the record. */
  async function remove(
    slug: string,
    uuid: string,
    also: (before: Recorded<F>) => readonly WriteStep[] | Promise<readonly WriteStep[]> = () => [],
  ): Promise<void> {
    await retryLostRaces(async () => {
      const before = await get(slug, uuid);
      await carryOut([...removal(kind, before), ...(await also(before))]);
    });
  }

  /** A page of the shop's records, newest first; one that is asked for by its uuid is read by its key. */
  async function page(request: ListRequest, matches?: (record: Recorded<F>) => boolean): Promise<Recorded<F>[]> {
    const { shop, query } = request;
    if (query.uuid === undefined) {
      return pageOf(request, `${kind.name}#${shop.slug}`, recordReader(kind, shop.slug, matches));
    }
    const record = query.page === 1 ? await find(shop.slug, query.uuid) : undefined;
    return record && (!matches || matches(record)) ? [record] : [];
  }

  return { find, get, byUuid, create, change, remove, page, all: (slug: string) => allRecords(kind, slug) };
}
