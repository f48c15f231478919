import {
  automationRunPrefix,
  automationRunsOf,
  deliveriesOf,
  deliveryPrefix,
  partitionOf,
  recordPrefix,
  recordsIn,
  simulationPrefix,
  simulationsOf,
} from '#platform/table/keys.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { automationLimits, deliveryLimits } from '#schemas/catalogues/limits.ts';
import { attributes, type IndexName, indexes, type RecordKindName } from '#schemas/catalogues/table.ts';
import { idKeys, type KeyForm, shipmentKeys, timeKeys } from './position-keys.ts';

/** A list whose positions are counted. */
export interface PositionList {
  /** Empty if the list is of all shops. */
  slug: string;
  /** Unique within the shop. */
  name: string;
  form: KeyForm;
  /** Where its entries are: an index, or partitions of the table. */
  source: ListSource;
  /** Entries expire this many days after the time in their keys, at the latest. Absent if they do not expire. */
  days?: number;
}

interface ListSource {
  IndexName?: IndexName;
  partition: string;
  sort: string;
  partitions: readonly string[];
  /** What the sort keys begin with, before the key of the list. */
  prefix: string;
}

const inIndex = (IndexName: 'timeline' | 'activity' | 'lists', partition: string): ListSource => ({
  IndexName,
  ...indexes[IndexName],
  partitions: [partition],
  prefix: '',
});

const inTable = (partitions: readonly string[], prefix: string): ListSource => ({
  partition: attributes.partition,
  sort: attributes.sort,
  partitions,
  prefix,
});

/** Expired items are deleted some days late. */
const lateDays = 7;

export const positionLists = {
  orders: (slug: string): PositionList => ({
    slug,
    name: 'orders',
    form: timeKeys,
    source: inIndex('timeline', partitionOf.orders(slug)),
  }),
  shipmentsByCreation: (slug: string): PositionList => ({
    slug,
    name: 'shipments#created',
    form: shipmentKeys,
    source: inIndex('timeline', partitionOf.shipmentsByCreation(slug)),
  }),
  shipmentsByUpdate: (slug: string): PositionList => ({
    slug,
    name: 'shipments#updated',
    form: shipmentKeys,
    source: inIndex('activity', partitionOf.shipmentsByUpdate(slug)),
  }),
  claimsByCreation: (slug: string): PositionList => ({
    slug,
    name: 'claims#created',
    form: timeKeys,
    source: inIndex('timeline', partitionOf.claimsByCreation(slug)),
  }),
  claimsByUpdate: (slug: string): PositionList => ({
    slug,
    name: 'claims#updated',
    form: timeKeys,
    source: inIndex('activity', partitionOf.claimsByUpdate(slug)),
  }),
  deliveries: (slug: string, target: string): PositionList => ({
    slug,
    name: `deliveries#${target}`,
    form: idKeys,
    source: inTable(
      shardsOf('deliveries').map((shard) => deliveriesOf(slug, target, shard)),
      deliveryPrefix,
    ),
    days: deliveryLimits.days + lateDays,
  }),
  automationRuns: (slug: string, automationId: string): PositionList => ({
    slug,
    name: `runs#${automationId}`,
    form: idKeys,
    source: inTable([automationRunsOf(slug, automationId)], automationRunPrefix),
    days: automationLimits.runDays + automationLimits.delayDays + lateDays,
  }),
  records: (slug: string, kind: CountedRecords): PositionList => ({
    slug,
    name: kind,
    form: idKeys,
    source: inTable([recordsIn(kind, slug)], recordPrefix),
  }),
  simulations: (slug: string): PositionList => ({
    slug,
    name: 'simulations',
    form: idKeys,
    source: inTable([simulationsOf(slug)], simulationPrefix),
  }),
  shops: (): PositionList => ({ slug: '', name: 'shops', form: idKeys, source: inIndex('lists', partitionOf.shops()) }),
  dealsOfAllShops: (): PositionList => ({
    slug: '',
    name: 'deals',
    form: idKeys,
    source: inIndex('lists', partitionOf.deals()),
  }),
};

/** The kinds of records of which a shop may have any number. */
export const countedRecords = [
  'discounts',
  'announcements',
  'campaigns',
  'abTests',
] as const satisfies RecordKindName[];
export type CountedRecords = (typeof countedRecords)[number];
