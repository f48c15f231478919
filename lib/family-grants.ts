import type { FamilyName } from '#schemas/index.ts';
import type { PartitionName, RecordKindName } from '#schemas/table.ts';
import type { TableGrant } from './constructs/table-grant.ts';

export interface FamilyGrants {
  readonly table: readonly TableGrant[];
  readonly encryptsCredentials?: boolean;
  /** Shows a merchant its webhook secrets; no API function reads the key of an integration back. */
  readonly decryptsCredentials?: boolean;
  /** Reads what was too big for the table. */
  readonly readsPayloads?: boolean;
}

/** The caller's keys and the shop of the path, in one read. */
const authentication: TableGrant = { actions: ['BatchGetItem'], partitions: ['keys', 'shop'] };

/** An order whole, and who has a number. */
const findsOrders: readonly TableGrant[] = [
  { actions: ['Query'], partitions: ['order'] },
  { actions: ['BatchGetItem'], partitions: ['orderReference', 'tracking'] },
];

/** Many orders, by their keys. */
const readsOrders: readonly TableGrant[] = [...findsOrders, { actions: ['BatchGetItem'], partitions: ['order'] }];

/** A family with a list of records of its own; `reads` are records of others that it shows with them. */
function recordGrants(kind: RecordKindName, reads: readonly PartitionName[] = []): TableGrant[] {
  return [
    authentication,
    { actions: ['BatchGetItem'], partitions: [kind, 'pages', ...reads] },
    { actions: ['Query', 'DeleteItem'], partitions: [kind] },
    { actions: ['PutItem'], partitions: [kind, 'pages'] },
  ];
}

/**
 * What each family may do, and no more. A family that is missing here does not compile. An action of one transaction
 * stands in one grant with all its prefixes: AWS may hold every key of the request against each statement.
 */
export const familyGrants: Record<FamilyName, FamilyGrants> = {
  meta: { table: [] },
  orders: {
    table: [
      authentication,
      ...readsOrders,
      { actions: ['BatchGetItem'], partitions: ['pages'] },
      { actions: ['PutItem'], partitions: ['order', 'orderReference', 'tracking', 'outbox', 'pages'] },
      { actions: ['DeleteItem'], partitions: ['order', 'orderReference'] },
      { query: 'orders' },
      { query: 'shipmentsByUpdate' },
      { query: 'ordersByEmail' },
      { query: 'ordersByZipCode' },
      { query: 'ordersByName' },
    ],
  },
  shipments: {
    table: [
      authentication,
      ...readsOrders,
      { actions: ['PutItem'], partitions: ['order', 'tracking', 'outbox'] },
      { actions: ['DeleteItem'], partitions: ['order', 'tracking'] },
      { query: 'shipmentsByUpdate' },
      { query: 'shipmentsByCreation' },
      { query: 'ordersByName' },
    ],
  },
  events: {
    table: [
      authentication,
      ...findsOrders,
      { actions: ['PutItem'], partitions: ['order', 'outbox'] },
      { actions: ['DeleteItem'], partitions: ['order'] },
      { query: 'shipmentsByExternalId' },
    ],
  },
  shops: {
    table: [
      authentication,
      { actions: ['PutItem', 'UpdateItem', 'DeleteItem', 'Query'], partitions: ['shop'] },
      { actions: ['PutItem', 'DeleteItem', 'Query'], partitions: ['keys'] },
      { query: 'shops' },
    ],
    encryptsCredentials: true,
  },
  discounts: { table: recordGrants('discounts') },
  announcements: { table: recordGrants('announcements') },
  deals: {
    table: [
      ...recordGrants('deals', ['discounts']),
      { actions: ['ConditionCheckItem'], partitions: ['discounts'] },
      { query: 'deals' },
    ],
  },
  webhooks: {
    table: [
      authentication,
      { actions: ['UpdateItem', 'DeleteItem', 'Query'], partitions: ['shop'] },
      { actions: ['BatchGetItem', 'UpdateItem', 'Query'], partitions: ['deliveries'] },
      { actions: ['BatchGetItem'], partitions: ['pages'] },
      { actions: ['PutItem'], partitions: ['shop', 'deliveries', 'outbox', 'pages'] },
    ],
    encryptsCredentials: true,
    decryptsCredentials: true,
    readsPayloads: true,
  },
};
