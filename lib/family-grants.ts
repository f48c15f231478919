import type { FamilyName } from '#schemas/index.ts';
import type { TableGrant } from './constructs/table-grant.ts';

export interface FamilyGrants {
  readonly table: readonly TableGrant[];
  readonly encryptsCredentials?: boolean;
  /** Shows a merchant its webhook secrets; no API function reads the key of an integration back. */
  readonly decryptsCredentials?: boolean;
  /** Puts deliveries on their queue. */
  readonly sendsDeliveries?: boolean;
  /** Reads what was too big for the table. */
  readonly readsPayloads?: boolean;
}

/** The caller's keys and the shop of the path, in one read. */
const authentication: TableGrant = { actions: ['BatchGetItem'], partitions: ['keys', 'shop'] };

/** An order whole, or many by their keys, and who has a number. */
const readsOrders: readonly TableGrant[] = [
  { actions: ['BatchGetItem'], partitions: ['order', 'orderReference', 'tracking'] },
  { actions: ['Query'], partitions: ['order'] },
];

/** What each family may do, and no more. A family that is missing here does not compile. */
export const familyGrants: Record<FamilyName, FamilyGrants> = {
  meta: { table: [] },
  orders: {
    table: [
      authentication,
      ...readsOrders,
      { actions: ['BatchGetItem', 'PutItem'], partitions: ['pages'] },
      { actions: ['PutItem', 'DeleteItem'], partitions: ['order', 'orderReference', 'tracking'] },
      { actions: ['PutItem'], partitions: ['outbox'] },
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
      { actions: ['PutItem', 'DeleteItem'], partitions: ['order', 'tracking'] },
      { actions: ['PutItem'], partitions: ['outbox'] },
      { query: 'shipmentsByUpdate' },
      { query: 'shipmentsByCreation' },
      { query: 'ordersByName' },
    ],
  },
  events: {
    table: [
      authentication,
      ...readsOrders,
      { actions: ['PutItem', 'DeleteItem'], partitions: ['order'] },
      { actions: ['PutItem'], partitions: ['outbox'] },
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
  webhooks: {
    table: [
      authentication,
      { actions: ['PutItem', 'UpdateItem', 'DeleteItem', 'Query'], partitions: ['shop'] },
      { actions: ['BatchGetItem', 'PutItem', 'UpdateItem', 'Query'], partitions: ['deliveries'] },
      { actions: ['BatchGetItem', 'PutItem'], partitions: ['pages'] },
    ],
    encryptsCredentials: true,
    decryptsCredentials: true,
    sendsDeliveries: true,
    readsPayloads: true,
  },
};
