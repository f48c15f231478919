import { v7 as uuidv7 } from 'uuid';
import type { ShopIdentity } from '#domain/orders/model.ts';
import { keyOf, privacyOf, privacyRequestPrefix } from '#platform/table/keys.ts';
import { newestIn } from '#platform/table/newest-first.ts';
import type { ListReader } from '#platform/table/paging.ts';
import { getItem } from '#platform/table/reads.ts';
import { type Action, commit, insert, isRefused, remove, retryOnConflict } from '#platform/table/writes.ts';
import { type Person, type PrivacyRequest, questionOf, type RequestKind, type RequestStep } from './request.ts';
import { dueAt } from './work.ts';

export interface Asked {
  kind: RequestKind;
  dry_run?: boolean;
  reference?: string | null;
  person: Person;
  /** The username of a key, `shop_system`, or `ledger`. */
  requested_by: string;
}

/** Starts a request. If the same one runs already, that one is answered. */
export async function startPrivacyRequest(
  { slug }: Pick<ShopIdentity, 'slug'>,
  asked: Asked,
  now: Date,
): Promise<PrivacyRequest> {
  const request = newRequest(slug, asked, now);
  const running = keyOf.runningPrivacyRequest(slug, request.question);
  return retryOnConflict(async () => {
    try {
      await commit([insert(request), insert({ ...running, uuid: request.uuid })]);
      return request;
    } catch (error) {
      if (!isRefused(error)) throw error;
      const other = await getItem<{ uuid: string }>(running);
      const same = other && (await getItem<PrivacyRequest>(keyOf.privacyRequest(slug, other.uuid)));
      if (same) return same;
      // It ended between the write and the reads.
      throw error;
    }
  });
}

/** @param step where it begins, if what comes before is done */
export function newRequest(
  slug: string,
  { kind, dry_run = false, reference = null, person, requested_by }: Asked,
  now: Date,
  step: RequestStep = 'find',
): PrivacyRequest & { question: string } {
  const uuid = uuidv7({ msecs: now.getTime() });
  const key = keyOf.privacyRequest(slug, uuid);
  return {
    ...key,
    ...dueAt(slug, key.sk, now),
    work: 'request',
    shop_slug: slug,
    version: 1,
    uuid,
    kind,
    status: 'running',
    dry_run,
    reference,
    requested_by,
    created_at: now.toISOString(),
    done_at: null,
    orders: 0,
    counts: {},
    step,
    person,
    question: questionOf({ kind, dry_run, person }),
  };
}

export const getPrivacyRequest = (slug: string, uuid: string): Promise<PrivacyRequest | undefined> =>
  getItem<PrivacyRequest>(keyOf.privacyRequest(slug, uuid.toLowerCase()));

/** The requests of a shop, newest first. */
export const requestReader = (slug: string): ListReader<PrivacyRequest> =>
  newestIn(privacyOf(slug), privacyRequestPrefix, { toEntry: (item) => item as unknown as PrivacyRequest });

/** Lets the same question be asked again. */
export const endOfQuestion = (request: PrivacyRequest): Action =>
  remove(
    keyOf.runningPrivacyRequest(request.shop_slug, request.question ?? questionOf(request)),
    'attribute_not_exists(pk) OR #uuid = :uuid',
    { ':uuid': request.uuid },
    { '#uuid': 'uuid' },
  );
