import type { FamilyName } from '#schemas/index.ts';
import type { TableGrant } from './constructs/table-grant.ts';

export interface FamilyGrants {
  readonly table: readonly TableGrant[];
  /** Encrypt only: no API function reads a merchant's credential back. */
  readonly encryptsCredentials?: boolean;
}

/** The caller's keys and the shop of the path, in one read. */
const authentication: TableGrant = { actions: ['BatchGetItem'], partitions: ['keys', 'shop'] };

/** What each family may do, and no more. A family that is missing here does not compile. */
export const familyGrants: Record<FamilyName, FamilyGrants> = {
  meta: { table: [] },
  shops: {
    table: [
      authentication,
      { actions: ['PutItem', 'UpdateItem', 'DeleteItem', 'Query'], partitions: ['shop'] },
      { actions: ['PutItem', 'DeleteItem', 'Query'], partitions: ['keys'] },
      { actions: ['Query'], list: 'shops' },
    ],
    encryptsCredentials: true,
  },
};
