import { item, key, type Request, type Theme, things, values } from '#test/arbiter/comparison/theme.ts';

const total = { ReturnConsumedCapacity: 'TOTAL' };
const byIndex = { ReturnConsumedCapacity: 'INDEXES' };
const asking = (operation: string, input: object, how: object = byIndex): Request => ({
  [operation]: { ...input, ...how },
});
const TableName = 'things';
const a = { KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: values({ ':a': 'a' }) };
const small = item({ pk: 'a', sk: 9 });
const indexed = item({ pk: 'a', sk: 9, shop: 'blue', at: 1 });
const large = item({ pk: 'a', sk: 9, filler: 'x'.repeat(5000) });

export const capacity: Theme = {
  name: 'capacity',
  table: things,
  given: [
    item({ pk: 'a', sk: 1, shop: 'blue', at: 1, filler: 'x'.repeat(3000) }),
    item({ pk: 'a', sk: 2, filler: 'x'.repeat(3000) }),
    item({ pk: 'a', sk: 3 }),
  ],
  cases: {
    'a get': asking('GetItem', { Key: key() }),
    'a get, in total': asking('GetItem', { Key: key() }, total),
    'a consistent get': asking('GetItem', { Key: key(), ConsistentRead: true }),
    'a get of nothing': asking('GetItem', { Key: key(9) }),
    'a put': asking('PutItem', { Item: small }),
    'a put, in total': asking('PutItem', { Item: small }, total),
    'a put with index keys': asking('PutItem', { Item: indexed }),
    'a large put': asking('PutItem', { Item: large }),
    'a put over a larger item': asking('PutItem', { Item: item({ pk: 'a', sk: 2 }) }),
    'an update': asking('UpdateItem', {
      Key: key(3),
      UpdateExpression: 'SET x = :v',
      ExpressionAttributeValues: values({ ':v': 1 }),
    }),
    'an update of an index key': asking('UpdateItem', {
      Key: key(1),
      UpdateExpression: 'SET at = :v',
      ExpressionAttributeValues: values({ ':v': 2 }),
    }),
    'a delete': asking('DeleteItem', { Key: key(1) }),
    'a delete of nothing': asking('DeleteItem', { Key: key(9) }),
    'a query': asking('Query', a),
    'a consistent query': asking('Query', { ...a, ConsistentRead: true }),
    'a query of an index': asking('Query', {
      IndexName: 'byShop',
      KeyConditionExpression: 'shop = :b',
      ExpressionAttributeValues: values({ ':b': 'blue' }),
    }),
    'a query of nothing': asking('Query', { ...a, ExpressionAttributeValues: values({ ':a': 'none' }) }),
    'a scan': asking('Scan', {}, total),
    'a batch of reads': asking('BatchGetItem', { RequestItems: { things: { Keys: [key(1), key(2), key(9)] } } }),
    'a batch of writes': asking('BatchWriteItem', {
      RequestItems: { things: [{ PutRequest: { Item: indexed } }, { DeleteRequest: { Key: key(2) } }] },
    }),
    'a transaction of writes': asking('TransactWriteItems', {
      TransactItems: [
        { Put: { TableName, Item: indexed } },
        { ConditionCheck: { TableName, Key: key(2), ConditionExpression: 'attribute_exists(pk)' } },
      ],
    }),
    'a transaction of reads': asking('TransactGetItems', {
      TransactItems: [{ Get: { TableName, Key: key(1) } }, { Get: { TableName, Key: key(9) } }],
    }),
    'none is answered unless asked': { GetItem: { Key: key(), ReturnConsumedCapacity: 'NONE' } },
  },
};
