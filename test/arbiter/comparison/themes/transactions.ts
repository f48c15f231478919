import { item, key, type Request, type Theme, things, values } from '#test/arbiter/comparison/theme.ts';

const TableName = 'things';
const write = (...TransactItems: object[]): Request => ({ TransactWriteItems: { TransactItems } });
const withToken = (ClientRequestToken: string, ...TransactItems: object[]): Request => ({
  TransactWriteItems: { ClientRequestToken, TransactItems },
});
const put = (sk: number, more: object = {}) => ({ Put: { TableName, Item: item({ pk: 'b', sk }), ...more } });
const putting = (Item: object) => ({ Put: { TableName, Item } });
const remove = (sk: number, more: object = {}) => ({ Delete: { TableName, Key: key(sk), ...more } });
const check = (sk: number, ConditionExpression: string, more: object = {}) => ({
  ConditionCheck: { TableName, Key: key(sk), ConditionExpression, ...more },
});
const update = (sk: number, UpdateExpression: string, given?: object, more: object = {}) => ({
  Update: {
    TableName,
    Key: key(sk),
    UpdateExpression,
    ...(given && { ExpressionAttributeValues: values(given as Record<string, unknown>) }),
    ...more,
  },
});
const read = (...gets: object[]): Request => ({
  TransactGetItems: { TransactItems: gets.map((Get) => ({ Get: { TableName, ...Get } })) },
});
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
const isThere = { ConditionExpression: 'attribute_exists(pk)' };
const answered = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };

export const transactions: Theme = {
  name: 'transactions',
  table: things,
  given: upTo(3).map((sk) => item({ pk: 'a', sk, label: `n${sk}`, amount: sk, flags: [sk] })),
  cases: {
    'all four at once': write(
      put(1),
      remove(1),
      check(2, 'attribute_exists(pk)'),
      update(3, 'SET amount = :v', { ':v': 9 }),
    ),
    'one condition that fails cancels all': write(
      put(1),
      remove(1, { ConditionExpression: 'attribute_not_exists(pk)' }),
    ),
    'every condition that fails has its reason': write(
      { Put: { TableName, Item: item({ pk: 'a', sk: 1 }), ...isNew } },
      put(1),
      remove(9, isThere),
      check(2, 'attribute_not_exists(pk)'),
      update(3, 'SET amount = :v', { ':v': 9, ':w': 0 }, { ConditionExpression: 'amount = :w' }),
    ),
    'a reason holds the item if asked': write(
      { Put: { TableName, Item: item({ pk: 'a', sk: 1 }), ...isNew, ...answered } },
      remove(2, { ...isNew, ...answered }),
      check(3, 'attribute_not_exists(pk)', answered),
      update(9, 'SET amount = :v', { ':v': 9 }, { ...isThere, ...answered }),
    ),
    'a reason about nothing holds no item': write(check(9, 'attribute_exists(pk)', answered)),
    'a check that holds changes nothing': write(check(1, 'attribute_exists(pk)')),
    'an update makes what is not there': write(update(9, 'SET amount = :v', { ':v': 9 })),
    'an update that adds to a text is cancelled': write(put(1), update(1, 'SET label = label + :v', { ':v': 1 })),
    'an update that adds to what is missing is cancelled': write(update(1, 'SET amount = missing + :v', { ':v': 1 })),
    'an update with ADD to a text is cancelled': write(update(1, 'ADD label :v', { ':v': 1 })),
    'an update below what is missing is cancelled': write(put(1), update(1, 'SET missing.leaf = :v', { ':v': 1 })),
    'an update that appends to a text is cancelled': write(
      update(1, 'SET label = list_append(label, :v)', { ':v': [1] }),
    ),
    'an update of a key is cancelled': write(update(1, 'SET pk = :v', { ':v': 'b' })),
    'an update of an index key to another type is cancelled': write(update(1, 'SET shop = :v', { ':v': 7 })),
    'a put with an index key of another type is cancelled': write(putting(item({ pk: 'b', sk: 1, shop: 7 })), put(2)),
    'a put with an empty index key is refused': write(putting(item({ pk: 'b', sk: 1, shop: '' }))),
    'a put without its key is cancelled': write(putting(item({ pk: 'b' })), put(2)),
    'a put with a key of another type is cancelled': write(putting(item({ pk: 'b', sk: 'x' }))),
    'a put with an empty key is refused': write(putting(item({ pk: '', sk: 1 }))),
    'an update to an empty index key is refused': write(update(1, 'SET shop = :v', { ':v': '' })),
    'an update with an empty key is refused': write(
      put(1),
      update(1, 'SET amount = :v', { ':v': 1 }, { Key: item({ pk: '', sk: 1 }) }),
    ),
    'a delete with an empty key is refused': write({ Delete: { TableName, Key: item({ pk: '', sk: 1 }) } }),
    'a check with an empty key is refused': write(check(1, 'attribute_exists(pk)', { Key: item({ pk: '', sk: 1 }) })),
    'a read with an empty key is refused': read({ Key: item({ pk: '', sk: 1 }) }),
    'a delete without a table is refused': write(put(1), { Delete: { Key: key() } }),
    'a delete with more than its key is cancelled': write({
      Delete: { TableName, Key: item({ pk: 'a', sk: 1, x: 1 }) },
    }),
    'a check with a key of another type is cancelled': write({
      ConditionCheck: { TableName, Key: item({ pk: 'a', sk: 'x' }), ConditionExpression: 'attribute_exists(pk)' },
    }),
    'a failed condition beside a bad key': write(remove(1, isNew), putting(item({ pk: 'b' }))),
    'a put with an empty set is refused': write(putting({ ...key(1, 'b'), tags: { SS: [] } })),
    'a put of what is no number is refused': write(putting({ ...key(1, 'b'), amount: { N: 'x' } })),
    'two writes of one item are refused': write(put(1), put(1)),
    'a check and a write of one item are refused': write(check(1, 'attribute_exists(pk)'), remove(1)),
    'one item in two forms of its number is refused': write(put(1), putting({ pk: { S: 'b' }, sk: { N: '1.0' } })),
    '100 writes are taken': write(...upTo(100).map((sk) => put(sk))),
    '101 writes are refused': write(...upTo(101).map((sk) => put(sk))),
    'no writes are refused': write(),
    'no TransactItems are refused': { TransactWriteItems: {} },
    'a write of two kinds at once is refused': write({ ...put(1), ...remove(1) }),
    'a write of no kind is refused': write({}),
    'a write to a table that is not there is refused': write({
      Put: { TableName: 'nothing', Item: item({ pk: 'b', sk: 1 }) },
    }),
    'a check without a condition is refused': write({ ConditionCheck: { TableName, Key: key() } }),
    'an update without an expression is refused': write({ Update: { TableName, Key: key() } }),
    'a condition with a syntax error is refused': write(put(1, { ConditionExpression: 'pk =' })),
    'an update with a syntax error is refused': write(update(1, 'SET')),
    'a value that is not used is refused': write(update(1, 'SET amount = :v', { ':v': 1, ':w': 2 })),
    'a name that is not defined is refused': write(put(1, { ConditionExpression: 'attribute_exists(#x)' })),
    'an unknown ReturnValuesOnConditionCheckFailure is refused': write(
      put(1, { ReturnValuesOnConditionCheckFailure: 'SOME' }),
    ),
    'a token makes the second time nothing': [
      withToken('token-1', update(1, 'ADD amount :v', { ':v': 1 })),
      withToken('token-1', update(1, 'ADD amount :v', { ':v': 1 })),
    ],
    'a token knows the same request with its names in another order': [
      withToken('token-4', update(1, 'ADD amount :v', { ':v': 1 }), putting(item({ pk: 'b', sk: 1, x: 1 }))),
      withToken('token-4', update(1, 'ADD amount :v', { ':v': 1 }), putting(item({ x: 1, sk: 1, pk: 'b' }))),
    ],
    'a token with another request is refused': [withToken('token-2', put(1)), withToken('token-2', put(2))],
    'a token of a cancelled transaction is free': [
      withToken('token-3', remove(1, isNew)),
      withToken('token-3', remove(1, isNew)),
      withToken('token-3', remove(1)),
    ],
    'a token of 36 characters is taken': withToken('t'.repeat(36), put(1)),
    'a token of 37 characters is refused': withToken('t'.repeat(37), put(1)),
    'an empty token is refused': withToken('', put(1)),
    'reads of what is and is not there': read({ Key: key(1) }, { Key: key(9) }, { Key: key(2) }),
    'reads with projections': read(
      { Key: key(1), ProjectionExpression: 'amount' },
      { Key: key(2), ProjectionExpression: 'missing' },
    ),
    'reads with names': read({ Key: key(1), ProjectionExpression: '#l', ExpressionAttributeNames: { '#l': 'label' } }),
    'a read of one item twice': read({ Key: key(1) }, { Key: key(1) }),
    'a read with a key of another type is cancelled': read({ Key: item({ pk: 'a', sk: 'x' }) }),
    'a read with more than its key is cancelled': read({ Key: item({ pk: 'a', sk: 1, x: 1 }) }, { Key: key(1) }),
    'a read of a table that is not there is refused': read({ Key: key(1), TableName: 'nothing' }),
    '100 reads are taken': read(...upTo(100).map((sk) => ({ Key: key(sk) }))),
    '101 reads are refused': read(...upTo(101).map((sk) => ({ Key: key(sk) }))),
    'no reads are refused': read(),
    'a read of no kind is refused': { TransactGetItems: { TransactItems: [{}] } },
    'a read with a syntax error is refused': read({ Key: key(1), ProjectionExpression: 'a,' }),
  },
};

export const largeTransactions: Theme = {
  name: 'large transactions',
  table: things,
  given: upTo(12).map((sk) => item({ pk: 'a', sk, filler: 'x'.repeat(390 * 1024) })),
  cases: {
    'twelve items of 390 KB are deleted': write(...upTo(12).map((sk) => remove(sk))),
    'twelve items of 390 KB are read': read(...upTo(12).map((sk) => ({ Key: key(sk) }))),
  },
};
