import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type ListName, listPartitions, lists, type PartitionName, partitions } from '#schemas/table.ts';

/** The item-level actions whose requests carry partition keys, so that a grant can name the keys. */
export type TableAction =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** What a function may do with the items under some partition prefixes, or with one list of the index. */
export type TableGrant =
  | { readonly actions: readonly TableAction[]; readonly partitions: readonly PartitionName[] }
  | { readonly actions: readonly 'Query'[]; readonly list: ListName };

export function tableStatement(table: TableV2, grant: TableGrant): PolicyStatement {
  const actions = grant.actions.map((action) => `dynamodb:${action}`);
  if ('list' in grant) {
    return new PolicyStatement({
      actions,
      resources: [`${table.tableArn}/index/${lists.name}`],
      conditions: onlyLeadingKeys('StringEquals', [listPartitions[grant.list]]),
    });
  }
  return new PolicyStatement({
    actions,
    resources: [table.tableArn],
    conditions: onlyLeadingKeys(
      'StringLike',
      grant.partitions.map((name) => `${partitions[name]}*`),
    ),
  });
}

/** `ForAllValues` is true of an empty set, so without `Null` a request that names no key at all would be allowed. */
function onlyLeadingKeys(operator: 'StringEquals' | 'StringLike', keys: readonly string[]) {
  return {
    [`ForAllValues:${operator}`]: { 'dynamodb:LeadingKeys': keys },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  };
}
