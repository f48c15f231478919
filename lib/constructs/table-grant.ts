import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IndexPartitionName, indexPartitions, type PartitionName, partitions } from '#schemas/catalogues/table.ts';

/** The item actions whose requests contain partition keys, so a grant can be limited to keys. */
type TableAction =
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** What a function may do with the items under some partition prefixes, or which partition of an index it may query. */
export type TableGrant = ItemGrant | { readonly query: IndexPartitionName };

interface ItemGrant {
  readonly actions: readonly TableAction[];
  readonly partitions: readonly PartitionName[];
  /**
   * What other actions of the same transactions work on. AWS does not say whether it holds an action of a transaction against
   * the key of its own item or against all keys of the request, so one statement names all of them, and is right under both
   * readings. The price: the actions are allowed there, too.
   */
  readonly beside?: readonly PartitionName[];
}

export function tableStatement(table: TableV2, grant: TableGrant): PolicyStatement {
  if ('query' in grant) {
    const { index, prefix } = indexPartitions[grant.query];
    return new PolicyStatement({
      actions: ['dynamodb:Query'],
      resources: [`${table.tableArn}/index/${index}`],
      conditions: onlyLeadingKeys([prefix.endsWith('#') ? `${prefix}*` : prefix]),
    });
  }
  return new PolicyStatement({
    actions: grant.actions.map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
    conditions: onlyLeadingKeys(prefixesOf(grant)),
  });
}

/** In one order, because the CDK makes one statement of those that have the same conditions. */
const prefixesOf = ({ partitions: own, beside = [] }: ItemGrant): string[] =>
  [...new Set([...own, ...beside])].map((name) => `${partitions[name]}*`).toSorted();

/** `ForAllValues` is true for an empty set. Without `Null` a request that names no key would be allowed. */
function onlyLeadingKeys(keys: readonly string[]) {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}
