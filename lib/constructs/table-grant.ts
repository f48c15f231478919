import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IndexPartitionName, indexPartitions, type PartitionName, partitions } from '#schemas/catalogues/table.ts';

/** The item-level actions whose requests carry partition keys, so that a grant can name the keys. */
type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** What a function may do with the items under some partition prefixes, or read of one partition of an index. */
export type TableGrant =
  | { readonly actions: readonly TableAction[]; readonly partitions: readonly PartitionName[] }
  | { readonly query: IndexPartitionName };

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
    conditions: onlyLeadingKeys(grant.partitions.map((name) => `${partitions[name]}*`)),
  });
}

/** `ForAllValues` is true of an empty set, so without `Null` a request that names no key at all would be allowed. */
function onlyLeadingKeys(keys: readonly string[]) {
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}
