import { item, key, type Request, type Theme, things } from '#test/arbiter/comparison/theme.ts';

const write = (...requests: object[]): Request => ({ BatchWriteItem: { RequestItems: { things: requests } } });
const put = (sk: number, more: object = {}) => ({ PutRequest: { Item: item({ pk: 'b', sk, ...more }) } });
const remove = (sk: number, pk = 'a') => ({ DeleteRequest: { Key: key(sk, pk) } });
const read = (Keys: object[], more: object = {}): Request => ({
  BatchGetItem: { RequestItems: { things: { Keys, ...more } } },
});
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

export const batches: Theme = {
  name: 'batches',
  table: things,
  given: upTo(3).map((sk) => item({ pk: 'a', sk, name: `n${sk}`, extra: { leaf: sk } })),
  cases: {
    'puts and deletes': write(put(1), put(2), remove(1)),
    'a delete of what is not there': write(remove(9)),
    '25 writes are taken': write(...upTo(25).map((sk) => put(sk))),
    '26 writes are refused': write(...upTo(26).map((sk) => put(sk))),
    'no writes are refused': write(),
    'no tables are refused': { BatchWriteItem: { RequestItems: {} } },
    'no RequestItems are refused': { BatchWriteItem: {} },
    'two writes of one item are refused': write(put(1), put(1)),
    'a put and a delete of one item are refused': write(put(1), remove(1, 'b')),
    'one item in two forms of its number is refused': write(put(1), {
      PutRequest: { Item: { pk: { S: 'b' }, sk: { N: '1.0' } } },
    }),
    'a write of both kinds at once is refused': write({ ...put(1), ...remove(1) }),
    'a write of no kind is refused': write({}),
    'a put without its key is refused': write({ PutRequest: { Item: item({ pk: 'b' }) } }),
    'a put with a key of another type is refused': write({ PutRequest: { Item: item({ pk: 'b', sk: 'x' }) } }),
    'a put with an empty key is refused': write({ PutRequest: { Item: item({ pk: '', sk: 1 }) } }),
    'a put with an index key of another type is refused': write(put(1, { shop: 7 })),
    'a put with an empty set is refused': write({ PutRequest: { Item: { ...key(1, 'b'), tags: { SS: [] } } } }),
    'a delete with more than its key is refused': write({
      DeleteRequest: { Key: item({ pk: 'a', sk: 1, name: 'x' }) },
    }),
    'one bad write refuses the whole batch': write(put(1), { PutRequest: { Item: item({ pk: 'b' }) } }),
    'a write to a table that is not there is refused': {
      BatchWriteItem: { RequestItems: { nothing: [put(1)] } },
    },
    'reads of what is and is not there': read([key(1), key(3), key(9)]),
    'reads with a projection': read([key(1), key(2)], { ProjectionExpression: 'extra.leaf' }),
    'reads with names': read([key(1)], { ProjectionExpression: '#n', ExpressionAttributeNames: { '#n': 'name' } }),
    'reads of nothing that is there': read([key(9)]),
    '100 reads are taken': read(upTo(100).map((sk) => key(sk))),
    '101 reads are refused': read(upTo(101).map((sk) => key(sk))),
    'no keys are refused': read([]),
    'no tables to read are refused': { BatchGetItem: { RequestItems: {} } },
    'a key twice is refused': read([key(1), key(1)]),
    'a key twice in two forms is refused': read([key(1), { pk: { S: 'a' }, sk: { N: '1.0' } }]),
    'a key with more is refused': read([item({ pk: 'a', sk: 1, name: 'x' })]),
    'a key without its sort key is refused': read([item({ pk: 'a' })]),
    'a key of another type is refused': read([item({ pk: 'a', sk: '1' })]),
    'a read of a table that is not there is refused': {
      BatchGetItem: { RequestItems: { nothing: { Keys: [key()] } } },
    },
    'a name that is not used is refused': read([key(1)], {
      ProjectionExpression: 'extra',
      ExpressionAttributeNames: { '#n': 'name' },
    }),
    'names without a projection are refused': read([key(1)], { ExpressionAttributeNames: { '#n': 'name' } }),
  },
};

export const largeBatches: Theme = {
  name: 'large batches',
  table: things,
  given: upTo(45).map((sk) => item({ pk: 'a', sk, filler: 'x'.repeat(390 * 1024) })),
  cases: {
    '15 MB are answered': read(
      upTo(35).map((sk) => key(sk)),
      { ProjectionExpression: 'sk' },
    ),
    'what is beyond 16 MB is left over': read(
      upTo(45).map((sk) => key(sk)),
      { ProjectionExpression: 'sk' },
    ),
  },
};
