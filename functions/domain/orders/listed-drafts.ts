import { indexKeyOf, timeIn } from '#platform/table/keys.ts';
import { type Draft, type Order, shipmentId } from './model.ts';

/** The attributes of an order's item that put its drafts into the lists of shipments, at the place of the newest draft. */
export interface ListedDrafts {
  activity_sk: string;
  drafts: string;
}

/**
 * The drafts are a short text, because an item costs by the kilobyte: their slots, with the time of creation only where it
 * is not that of the sort key.
 */
export function listedDrafts(slug: string, { uuid, drafts }: Order): ListedDrafts | undefined {
  const newest = drafts.at(-1);
  if (!newest) return undefined;
  const groups = [...Map.groupBy(drafts, ({ created_at }) => created_at)].map(([time, those]) => {
    const slots = those.map(({ slot }) => slot).join(',');
    return time === newest.created_at ? slots : `${slots}@${time}`;
  });
  return {
    ...indexKeyOf.drafts(slug, newest.created_at, shipmentId(uuid, newest.slot)),
    drafts: groups.join(' '),
  };
}

/** The drafts that an item of the table, or its entry in the index, lists. */
export function draftsIn({ activity_sk, drafts }: Partial<ListedDrafts>): Draft[] {
  if (activity_sk === undefined || drafts === undefined) return [];
  return drafts.split(' ').flatMap((group) => {
    const [slots, created_at = timeIn(activity_sk)] = group.split('@') as [string, string?];
    return slots.split(',').map((slot) => ({ slot: Number(slot), created_at }));
  });
}
