import type { PipelineName } from './pipeline.ts';
import { sortKeys } from './table.ts';

type Change = 'INSERT' | 'MODIFY' | 'REMOVE';

const isNew = ['INSERT'] as const;
const isStored = ['INSERT', 'MODIFY'] as const;
const always = ['INSERT', 'MODIFY', 'REMOVE'] as const;

/**
 * What of the table's stream is read, by whom, and how it is told from the rest. The filters of the stream and the
 * functions behind them are both made from this list, so that neither can miss what the other expects.
 *
 * An item that is written for a reader carries the name of its kind in the attribute `kind`, and is read when it is new.
 * A change of what is stored anyway is told by its sort key; one with `#` is what the sort key begins with.
 *
 * Lambda throws away what no filter matches, and functions and filters are not replaced at the same moment. So the filters
 * ask only whether an item has a `kind` and a region, or a sort key that begins with `markOfKinds`. A reader
 * waits with a kind that this list does not have, and passes over one that is of others. The sort keys without the mark
 * are older than this rule. Every kind of change that is added has the mark.
 *
 * What happens on a page (`page_visit`, `promotion_shown`, `promotion_clicked`) is read since later, from items that were
 * there before it, and their keys cannot change: pages look for them. While the deployment that adds such a kind replaces
 * functions and filters, either the old filter drops what happens on pages for a few minutes, which is then not counted, or
 * the old function waits with it, as with every kind that it does not know. A kind that must not miss anything cannot be added so,
 * unless there is nothing of it until the filters ask for it. That is so for `feed_entry`: a payload is one only while its
 * shop has a feed, and the function that switches feeds on is deployed after the filters (lib/service-stack.ts).
 */
const streamKinds = {
  /** Something happened that merchants' systems may want to know. */
  event: { readers: { 'fan-out': isNew } },
  /** A delivery that exists is to be queued, again or for the first time. */
  wake: { readers: { 'fan-out': isNew } },
  /** A run of an automation is to act at once. */
  run: { readers: { 'fan-out': isNew } },
  /** Parcels got their numbers. */
  tracking_request: { readers: { 'fan-out': isNew } },
  /** A shop switched updates on while parcels were under way. */
  tracking_backlog: { readers: { 'fan-out': isNew } },
  shipment_change: { sortKey: sortKeys.shipment, readers: { 'fan-out': isStored, counts: always } },
  /** Its drafts may change with it. */
  order_change: { sortKey: sortKeys.order, readers: { 'fan-out': isStored, counts: always } },
  triggers_change: { sortKey: sortKeys.internalTriggers, readers: { 'fan-out': isStored } },
  claim_change: { sortKey: sortKeys.claim, readers: { counts: always } },
  /** One that expires has been counted. */
  delivery_change: { sortKey: sortKeys.delivery, readers: { counts: isStored }, isRemovedWithSimulation: true },
  /** A run of an automation. It is also told to fan-out by its `kind`, if it is to act. */
  automation_run: { sortKey: sortKeys.automationRun, readers: { counts: isNew }, isRemovedWithSimulation: true },
  /** A discount, an announcement, … */
  record_change: { sortKey: sortKeys.record, readers: { counts: always } },
  simulation_change: { sortKey: sortKeys.simulation, readers: { counts: always } },
  shop_change: { sortKey: sortKeys.shop, readers: { counts: always } },
  /** Somebody looked at a tracking page. */
  page_visit: { sortKey: sortKeys.pageVisits, readers: { counts: isStored } },
  promotion_shown: { sortKey: sortKeys.promotionShown, readers: { counts: isNew } },
  promotion_clicked: { sortKey: sortKeys.promotionClicked, readers: { counts: isNew } },
  /** The payloads of an event, which took its place in the feed of its shop. Other payloads concern no reader. */
  feed_entry: { sortKey: sortKeys.payload, having: 'feed', readers: { counts: isStored } },
  /** Nobody does anything with it. That it is read shows that the stream is. */
  heartbeat: { sortKey: sortKeys.heartbeat, readers: { 'fan-out': isStored, counts: isStored } },
} as const satisfies Record<string, StreamKindDefinition>;

interface StreamKindDefinition {
  /** Absent where the attribute `kind` tells it. */
  sortKey?: string;
  /** A binary attribute that the item must have after the change. The filter asks for it: items without it cost nothing. */
  having?: string;
  /** Which records each function reads. */
  readers: Partial<Record<PipelineName, readonly Change[]>>;
  /** Whether its readers also read the removal of one that a simulation made. Others are removed only when they expire. */
  isRemovedWithSimulation?: boolean;
}

export type StreamKind = keyof typeof streamKinds;
type Kinds = typeof streamKinds;
/** Kinds that stand in the attribute `kind` of their items. */
export type ItemKind = Exclude<StreamKind, ChangeKind>;
/** Kinds that the sort key tells. */
export type ChangeKind = {
  [K in StreamKind]: Kinds[K] extends { sortKey: string } ? K : never;
}[StreamKind];
/** Of those, the ones that a function reads. */
export type ItemKindOf<R extends StreamReader> = {
  [K in ItemKind]: R extends keyof Kinds[K]['readers'] ? K : never;
}[ItemKind];
type KeysOfEach<T> = T extends unknown ? keyof T : never;
export type StreamReader = KeysOfEach<Kinds[StreamKind]['readers']>;

const names = Object.keys(streamKinds) as StreamKind[];

const isChange = (name: StreamKind): name is ChangeKind => 'sortKey' in streamKinds[name];

const changeKinds = names.filter(isChange);
const itemKinds = names.filter((name): name is ItemKind => !isChange(name));

const changesFor = (reader: StreamReader, name: StreamKind): readonly Change[] | undefined =>
  (streamKinds[name] as StreamKindDefinition).readers[reader];

const havingOf = (name: StreamKind): string | undefined => (streamKinds[name] as StreamKindDefinition).having;

/** With this begins the sort key of every kind of change that was added after the filters asked for it. */
export const markOfKinds = '~';

/** Kinds of which a function reads the same. */
export interface ReadChanges extends Pick<StreamKindDefinition, 'having'> {
  changes: readonly Change[];
  sortKeys: readonly string[];
}

/** What a function reads of the stream: whether any new items, and the sort keys of each group of changes. */
export function readOf(reader: StreamReader) {
  const isRead = (name: StreamKind) => changesFor(reader, name) !== undefined;
  const groups = Map.groupBy(changeKinds.filter(isRead), (name) =>
    JSON.stringify([changesFor(reader, name), havingOf(name)]),
  );
  return {
    readsItems: itemKinds.some(isRead),
    changes: [...groups.values()].map((kinds): ReadChanges => {
      const having = havingOf(kinds[0]!);
      return {
        changes: changesFor(reader, kinds[0]!)!,
        sortKeys: kinds.map((name) => streamKinds[name].sortKey),
        ...(having !== undefined && { having }),
      };
    }),
    removedWithSimulation: changeKinds
      .filter((name) => isRead(name) && (streamKinds[name] as StreamKindDefinition).isRemovedWithSimulation)
      .map((name) => streamKinds[name].sortKey),
  };
}

/** Which change it is for a function, by the sort key of the item; undefined where it is none that it knows. */
export const changeKindOf = (reader: StreamReader, sortKey: string): ChangeKind | undefined =>
  changeKinds.find((name) => {
    const { sortKey: told } = streamKinds[name];
    if (changesFor(reader, name) === undefined && !told.startsWith(markOfKinds)) return false;
    return isPrefix(told) ? sortKey.startsWith(told) : sortKey === told;
  });

export const isItemKind = (name: string | undefined): name is ItemKind => itemKinds.some((known) => known === name);

export const isPrefix = (sortKey: string): boolean => sortKey.endsWith('#');
