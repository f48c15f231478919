import type { PipelineName } from './pipeline.ts';
import { sortKeys } from './table.ts';

/**
 * What of the table's stream is read, by whom, and how it is told from the rest. The filters of the stream and the
 * functions behind them are both made from this list, so that neither can miss what the other expects.
 *
 * An item that is written for a reader carries the name of its kind in the attribute `kind`, and is read when it is new.
 * A change of what is stored anyway is told by its sort key; one with `#` is what the sort key begins with.
 */
const streamKinds = {
  /** Something happened that merchants' systems may want to know. */
  event: { reader: 'fan-out' },
  /** A delivery that exists is to be queued, again or for the first time. */
  wake: { reader: 'fan-out' },
  /** A run of an automation is to act at once. */
  run: { reader: 'fan-out' },
  /** Parcels got their numbers. */
  tracking_request: { reader: 'tracking-submission' },
  /** A shop switched updates on while parcels were under way. */
  tracking_backlog: { reader: 'tracking-submission' },
  shipment_change: { reader: 'fan-out', sortKey: sortKeys.shipment },
  /** Later changes of an order are not read. */
  order_created: { reader: 'fan-out', sortKey: sortKeys.order, isNew: true },
  drafts_change: { reader: 'fan-out', sortKey: sortKeys.drafts },
  triggers_change: { reader: 'fan-out', sortKey: sortKeys.internalTriggers },
} as const satisfies Record<string, StreamKindDefinition>;

interface StreamKindDefinition {
  reader: PipelineName;
  /** Absent where the attribute `kind` tells it. */
  sortKey?: string;
  /** Only the record of a new item is read. */
  isNew?: true;
}

export type StreamKind = keyof typeof streamKinds;
/** Kinds that stand in the attribute `kind` of their items. */
export type ItemKind = Exclude<StreamKind, ChangeKind>;
/** Kinds that the sort key tells. */
export type ChangeKind = {
  [K in StreamKind]: (typeof streamKinds)[K] extends { sortKey: string } ? K : never;
}[StreamKind];
/** Of those, the ones that a function reads. */
export type ItemKindOf<R extends StreamReader> = {
  [K in ItemKind]: (typeof streamKinds)[K] extends { reader: R } ? K : never;
}[ItemKind];
export type StreamReader = (typeof streamKinds)[StreamKind]['reader'];

const names = Object.keys(streamKinds) as StreamKind[];

const isChange = (name: StreamKind): name is ChangeKind => 'sortKey' in streamKinds[name];

const changeKinds = names.filter(isChange);
const itemKinds = names.filter((name): name is ItemKind => !isChange(name));

const isOnlyNew = (name: ChangeKind) => 'isNew' in streamKinds[name];

/** What a function reads of the stream: the kinds of its items, and the sort keys of new items and of all changes. */
export function readOf(reader: StreamReader) {
  const isRead = (name: StreamKind) => streamKinds[name].reader === reader;
  const changes = changeKinds.filter(isRead);
  const sortKeyOf = (name: ChangeKind) => streamKinds[name].sortKey;
  return {
    kinds: itemKinds.filter(isRead),
    newSortKeys: changes.filter(isOnlyNew).map(sortKeyOf),
    sortKeys: changes.filter((name) => !isOnlyNew(name)).map(sortKeyOf),
  };
}

/** Which change it is, by the sort key of the item; undefined where it is none. */
export const changeKindOf = (sortKey: string): ChangeKind | undefined =>
  changeKinds.find((name) => {
    const { sortKey: told } = streamKinds[name];
    return isPrefix(told) ? sortKey.startsWith(told) : sortKey === told;
  });

export const isPrefix = (sortKey: string): boolean => sortKey.endsWith('#');
