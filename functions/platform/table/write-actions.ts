import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { tableName } from './client.ts';

/** The actions that a transaction is made of. */
export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export function put(Item: object, ConditionExpression?: string, values?: Record<string, unknown>): Action {
  return {
    Put: {
      TableName: tableName(),
      Item,
      ...(ConditionExpression && { ConditionExpression, ExpressionAttributeValues: values }),
    },
  };
}

/** Only where there is no such item yet. */
export const insert = (item: object): Action => {
  const action = put(item);
  return { Put: { ...action.Put!, ConditionExpression: 'attribute_not_exists(pk)' } };
};

export function remove(Key: object, ConditionExpression?: string, values?: Record<string, unknown>): Action {
  return {
    Delete: {
      TableName: tableName(),
      Key,
      ...(ConditionExpression && { ConditionExpression, ExpressionAttributeValues: values }),
    },
  };
}
