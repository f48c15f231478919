import { item, key, type Theme, things, values } from '#test/arbiter/comparison/theme.ts';

/** What is wrong with a request as a whole, and which of two faults is named. */
export const validation: Theme = {
  name: 'validation and its order',
  table: things,
  given: [item({ pk: 'a', sk: 1 })],
  cases: {
    'an operation that is not there': { MakeCoffee: {} },
    'a get without a table': { GetItem: { TableName: undefined, Key: key() } },
    'a get without a key': { GetItem: {} },
    'a get without anything': { GetItem: { TableName: undefined } },
    'a put without an item': { PutItem: {} },
    'a put without anything': { PutItem: { TableName: undefined } },
    'a query without a table': { Query: { TableName: undefined } },
    'a table name with a blank': { GetItem: { TableName: 'a b', Key: key() } },
    'a table name that is too short': { GetItem: { TableName: 'ab', Key: key() } },
    'an empty table name': { GetItem: { TableName: '', Key: key() } },
    'a table name that is too long': { GetItem: { TableName: 'x'.repeat(256), Key: key() } },
    'a table name that is a number': { GetItem: { TableName: 5, Key: key() } },
    'a table by its ARN': { GetItem: { TableName: 'arn:aws:dynamodb:ddblocal:000000000000:table/things', Key: key() } },
    'a key that is a text': { GetItem: { Key: 'a' } },
    'a key that is a list': { GetItem: { Key: [key()] } },
    'a key whose value is plain': { GetItem: { Key: { pk: 'a', sk: 1 } } },
    'a flag that is a text': { GetItem: { Key: key(), ConsistentRead: 'yes' } },
    'a limit that is a text': { Query: { KeyConditionExpression: 'pk = :a', Limit: 'ten' } },
    'a limit below 1': { Scan: { Limit: -1 } },
    'an unknown field is passed over': { GetItem: { Key: key(), Colour: 'blue' } },
    'an unknown ReturnConsumedCapacity': { GetItem: { Key: key(), ReturnConsumedCapacity: 'SOME' } },
    'an unknown ReturnItemCollectionMetrics': {
      PutItem: { Item: item({ pk: 'a', sk: 1 }), ReturnItemCollectionMetrics: 'SOME' },
    },
    'an unknown ReturnValues before a bad table name': {
      PutItem: { TableName: 'a b', Item: item({ pk: 'a', sk: 1 }), ReturnValues: 'SOME' },
    },
    'two unknown choices': {
      PutItem: { Item: item({ pk: 'a', sk: 1 }), ReturnValues: 'SOME', ReturnConsumedCapacity: 'SOME' },
    },
    'a bad expression before a table that is not there': {
      GetItem: { TableName: 'nothing', Key: key(), ProjectionExpression: 'a,,b' },
    },
    'a bad value before a table that is not there': {
      PutItem: { TableName: 'nothing', Item: { pk: { N: 'x' } } },
    },
    'a bad key with a table that is not there': { GetItem: { TableName: 'nothing', Key: item({ other: 1 }) } },
    'a bad expression before a bad key': { GetItem: { Key: item({ other: 1 }), ProjectionExpression: 'a,,b' } },
    'a bad expression before a bad value': {
      PutItem: { Item: { pk: { N: 'x' } }, ConditionExpression: 'pk =' },
    },
    'a value that is not defined before a bad key': {
      DeleteItem: { Key: item({ other: 1 }), ConditionExpression: 'pk = :v' },
    },
    'a value that is not used before a bad key': {
      DeleteItem: {
        Key: item({ other: 1 }),
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: values({ ':v': 1 }),
      },
    },
    'a bad update before a bad condition': {
      UpdateItem: { Key: key(), UpdateExpression: 'SET', ConditionExpression: 'pk =' },
    },
    'a bad filter before a bad key condition': {
      Query: { KeyConditionExpression: 'pk =', FilterExpression: 'pk =' },
    },
    'a bad projection before a bad filter': { Scan: { ProjectionExpression: 'a,,b', FilterExpression: 'pk =' } },
    'a limit of 0 before a bad expression': { Query: { KeyConditionExpression: 'pk =', Limit: 0 } },
    'expressions and legacy parameters at once': {
      Query: {
        KeyConditionExpression: 'pk = :a',
        KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [{ S: 'a' }] } },
        ExpressionAttributeValues: values({ ':a': 'a' }),
      },
    },
    'a condition that fails with ReturnValues that are wrong': {
      PutItem: {
        Item: item({ pk: 'a', sk: 1 }),
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValues: 'ALL_NEW',
      },
    },
    'an update with a size that is wrong of an item whose condition fails': {
      UpdateItem: {
        Key: key(),
        UpdateExpression: 'SET sum = missing + :v',
        ConditionExpression: 'attribute_not_exists(pk)',
        ExpressionAttributeValues: values({ ':v': 1 }),
      },
    },
    'a legacy condition': { PutItem: { Item: item({ pk: 'a', sk: 1 }), Expected: { pk: { Exists: false } } } },
    'a legacy update': {
      UpdateItem: { Key: key(), AttributeUpdates: { x: { Action: 'PUT', Value: { S: 'y' } } } },
    },
    'a legacy projection': { GetItem: { Key: key(), AttributesToGet: ['pk'] } },
    'a statement in PartiQL': { ExecuteStatement: { Statement: 'SELECT * FROM "things"' } },
  },
};
