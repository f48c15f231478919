import { keyOf, suppressionListPrefix, suppressionsOf } from '#platform/table/keys.ts';
import { newestIn } from '#platform/table/newest-first.ts';
import type { ListReader } from '#platform/table/paging.ts';
import { getItem } from '#platform/table/reads.ts';
import { type Action, commit, put, remove, retryOnConflict } from '#platform/table/writes.ts';
import type { SuppressionReason } from '#schemas/catalogues/emails.ts';

/** An address that gets no e-mails of a shop. The address itself is not stored: its order has it, until it is erased. */
export interface Suppression {
  slug: string;
  /** The hash of the address. */
  id: string;
  reason: SuppressionReason;
  at: string;
  /** Where the address is read. Undefined if that order is gone. */
  order_id?: string | undefined;
}

export const readSuppression = (slug: string, id: string): Promise<Suppression | undefined> =>
  getItem<Suppression>(keyOf.suppression(slug, id));

/**
 * A bounce or a complaint stays what it is when the customer unsubscribes too: the customer could take that back. Nothing
 * else changes what there is, so that what comes twice is recorded once.
 */
const outweighs = (next: SuppressionReason, before: SuppressionReason | undefined): boolean =>
  before === undefined || (before === 'unsubscribed' && next !== 'unsubscribed');

/** @returns what holds from now on */
export function suppress(suppression: Suppression): Promise<Suppression> {
  const { slug, id, reason } = suppression;
  return retryOnConflict(async () => {
    const before = await readSuppression(slug, id);
    if (before && !outweighs(reason, before.reason)) return before;
    // One transaction cannot write an item twice.
    const moves = before !== undefined && before.at !== suppression.at;
    await commit([...writesOf(suppression, before), ...(moves ? [unlisted(before)] : [])]);
    return suppression;
  });
}

/** Two items: one that a mail asks for, and one in the list, which is in the order of time. */
function writesOf({ slug, id, reason, at, order_id }: Suppression, before: Suppression | undefined): Action[] {
  const fields = { slug, id, reason, at, ...(order_id !== undefined && { order_id }) };
  const guarded = { ...keyOf.suppression(slug, id), ...fields };
  return [
    before ? put(guarded, '#at = :before', { ':before': before.at }, atName) : put(guarded, 'attribute_not_exists(pk)'),
    put({ ...keyOf.listedSuppression(slug, at, id), ...fields }),
  ];
}

const unlisted = ({ slug, at, id }: Suppression): Action => remove(keyOf.listedSuppression(slug, at, id));

const atName = { '#at': 'at' };

/** Newest first. */
export const listSuppressions = (slug: string): ListReader<Suppression> =>
  newestIn(suppressionsOf(slug), suppressionListPrefix, {
    toEntry: (item) => item as unknown as Suppression,
  });

/**
 * The address gets e-mails again. False if it did not lack them.
 * @param only for one of these reasons: a customer can take back only what the customer asked for
 */
export function removeSuppression(slug: string, id: string, only?: SuppressionReason): Promise<boolean> {
  return retryOnConflict(async () => {
    const before = await readSuppression(slug, id);
    if (!before || (only !== undefined && before.reason !== only)) return false;
    const guarded = remove(keyOf.suppression(slug, id), '#at = :before', { ':before': before.at }, atName);
    await commit([guarded, unlisted(before)]);
    return true;
  });
}
