import { item, type Request, type Theme, things, values } from '#test/arbiter/comparison/theme.ts';

const query = (condition: string, given: object, more: object = {}): Request => ({
  Query: {
    KeyConditionExpression: condition,
    ExpressionAttributeValues: values(given as Record<string, unknown>),
    ...more,
  },
});
const a = { ':a': 'a' };
const down = { ScanIndexForward: false };
const pages = (...requests: Request[]) => ({ requests, everyPage: true });

const given = [
  ...[-20, -1, -0.5, 0, 0.5, 9, 10, 1000].map((sk, i) =>
    item({ pk: 'a', sk, shop: i % 2 ? 'blue' : 'red', at: i, name: `n${i}`, extra: { odd: i % 2 === 1, list: [i] } }),
  ),
  item({ pk: 'b', sk: 1, shop: 'blue', at: 3 }),
  item({ pk: 'b', sk: 2, shop: 'blue', at: 3 }),
  item({ pk: 'b', sk: 3, shop: 'blue' }),
  item({ pk: 'b', sk: 4, at: 3 }),
];

export const queries: Theme = {
  name: 'queries',
  table: things,
  given,
  cases: {
    'a whole partition': query('pk = :a', a),
    'a whole partition backwards': query('pk = :a', a, down),
    'a partition that is empty': query('pk = :a', { ':a': 'none' }),
    'the value may stand first': query(':a = pk', a),
    equal: query('pk = :a AND sk = :v', { ...a, ':v': 9 }),
    less: query('pk = :a AND sk < :v', { ...a, ':v': 0 }),
    'less or equal': query('pk = :a AND sk <= :v', { ...a, ':v': 0 }),
    greater: query('pk = :a AND sk > :v', { ...a, ':v': 0 }),
    'greater or equal': query('pk = :a AND sk >= :v', { ...a, ':v': 0 }),
    between: query('pk = :a AND sk BETWEEN :v AND :w', { ...a, ':v': -1, ':w': 9 }),
    'less, backwards': query('pk = :a AND sk < :v', { ...a, ':v': 0 }, down),
    'less or equal, backwards': query('pk = :a AND sk <= :v', { ...a, ':v': 0 }, down),
    'greater, backwards': query('pk = :a AND sk > :v', { ...a, ':v': 0 }, down),
    'greater or equal, backwards': query('pk = :a AND sk >= :v', { ...a, ':v': 0 }, down),
    'between, backwards': query('pk = :a AND sk BETWEEN :v AND :w', { ...a, ':v': -1, ':w': 9 }, down),
    'the conditions may be turned round': query('sk > :v AND pk = :a', { ...a, ':v': 9 }),
    'the conditions may stand in brackets': query('(pk = :a) AND (sk > :v)', { ...a, ':v': 9 }),
    'between with its ends in the wrong order is refused': query('pk = :a AND sk BETWEEN :v AND :w', {
      ...a,
      ':v': 9,
      ':w': 0,
    }),
    'begins_with of a number is refused': query('pk = :a AND begins_with(sk, :v)', { ...a, ':v': 1 }),
    'unequal is refused': query('pk = :a AND sk <> :v', { ...a, ':v': 1 }),
    'IN is refused': query('pk = :a AND sk IN (:v)', { ...a, ':v': 1 }),
    'OR is refused': query('pk = :a OR sk = :v', { ...a, ':v': 1 }),
    'NOT is refused': query('NOT pk = :a', a),
    'contains is refused': query('pk = :a AND contains(sk, :v)', { ...a, ':v': 1 }),
    'a partition key that is not equal is refused': query('pk > :a', a),
    'a missing partition key is refused': query('sk = :v', { ':v': 1 }),
    'an attribute that is no key is refused': query('pk = :a AND at = :v', { ...a, ':v': 1 }),
    'two conditions on the sort key are refused': query('pk = :a AND sk > :v AND sk < :w', { ...a, ':v': 1, ':w': 5 }),
    'two conditions on the partition key are refused': query('pk = :a AND pk = :v', { ...a, ':v': 'a' }),
    'more conditions than keys are refused': query('pk = :a AND sk > :v AND at = :v', { ...a, ':v': 1 }),
    'a condition on no attribute is refused': query(':a = :v', { ...a, ':v': 'a' }),
    'a condition on a size is refused': query('size(pk) = :v', { ':v': 1 }),
    'begins_with of another attribute is refused': { Query: { KeyConditionExpression: 'begins_with(pk, sk)' } },
    'a value of another type is refused': query('pk = :v', { ':v': 1 }),
    'a sort value of another type is refused': query('pk = :a AND sk = :v', { ...a, ':v': '1' }),
    'an empty partition key is refused': query('pk = :v', { ':v': '' }),
    'a nested path is refused': query('pk.x = :a', a),
    'comparing two attributes is refused': { Query: { KeyConditionExpression: 'pk = sk' } },
    'a missing condition is refused': { Query: {} },
    'an empty condition is refused': { Query: { KeyConditionExpression: '' } },
    'names stand for keys': query(
      '#p = :a AND #s > :v',
      { ...a, ':v': 9 },
      {
        ExpressionAttributeNames: { '#p': 'pk', '#s': 'sk' },
      },
    ),
    'only the count': query('pk = :a', a, { Select: 'COUNT' }),
    'specific attributes': query('pk = :a', a, { Select: 'SPECIFIC_ATTRIBUTES', ProjectionExpression: 'at' }),
    'specific attributes without a projection are refused': query('pk = :a', a, { Select: 'SPECIFIC_ATTRIBUTES' }),
    'a projection with all attributes is refused': query('pk = :a', a, {
      Select: 'ALL_ATTRIBUTES',
      ProjectionExpression: 'at',
    }),
    'a projection with the count is refused': query('pk = :a', a, { Select: 'COUNT', ProjectionExpression: 'at' }),
    'projected attributes of a table are refused': query('pk = :a', a, { Select: 'ALL_PROJECTED_ATTRIBUTES' }),
    'an unknown Select is refused': query('pk = :a', a, { Select: 'SOME' }),
    'a projection into maps and lists': query('pk = :a', a, {
      ProjectionExpression: 'extra.odd, extra.#l[0]',
      ExpressionAttributeNames: { '#l': 'list' },
    }),
    'a limit of 0 is refused': query('pk = :a', a, { Limit: 0 }),
    'a limit of 1': query('pk = :a', a, { Limit: 1 }),
    'a limit as large as the partition': query('pk = :a', a, { Limit: 8 }),
    'page by page': pages(query('pk = :a', a, { Limit: 3 })),
    'page by page backwards': pages(query('pk = :a', a, { Limit: 3, ...down })),
    'page by page with a range': pages(query('pk = :a AND sk >= :v', { ...a, ':v': 0 }, { Limit: 2 })),
    'page by page with a filter': pages(
      query('pk = :a AND sk >= :v', { ...a, ':v': -1, ':f': 3 }, { Limit: 2, FilterExpression: 'at > :f' }),
    ),
    'page by page of the count': pages(query('pk = :a', a, { Limit: 3, Select: 'COUNT' })),
    'a start key that is no item': query('pk = :a', a, { ExclusiveStartKey: item({ pk: 'a', sk: 1 }) }),
    'a start key backwards that is no item': query('pk = :a', a, {
      ...down,
      ExclusiveStartKey: item({ pk: 'a', sk: 1 }),
    }),
    'a start key of another partition is refused': query('pk = :a', a, { ExclusiveStartKey: item({ pk: 'b', sk: 1 }) }),
    'a start key without its sort key is refused': query('pk = :a', a, { ExclusiveStartKey: item({ pk: 'a' }) }),
    'a start key with more is refused': query('pk = :a', a, { ExclusiveStartKey: item({ pk: 'a', sk: 1, at: 1 }) }),
    'a start key of another type is refused': query('pk = :a', a, { ExclusiveStartKey: item({ pk: 'a', sk: '1' }) }),
    'a start key outside the range is refused': query(
      'pk = :a AND sk > :v',
      { ...a, ':v': 5 },
      { ExclusiveStartKey: item({ pk: 'a', sk: 1 }) },
    ),
    'a filter': query('pk = :a', { ...a, ':f': true }, { FilterExpression: 'extra.odd = :f' }),
    'a filter on a missing attribute': query('pk = :a', { ...a, ':f': 1 }, { FilterExpression: 'missing = :f' }),
    'a filter with a limit counts what it saw': query(
      'pk = :a',
      { ...a, ':f': 'red' },
      { Limit: 4, FilterExpression: 'shop = :f' },
    ),
    'a filter with a projection of something else': query(
      'pk = :a',
      { ...a, ':f': 'red' },
      { FilterExpression: 'shop = :f', ProjectionExpression: 'at' },
    ),
    'a filter on the sort key is refused': query('pk = :a', { ...a, ':f': 1 }, { FilterExpression: 'sk > :f' }),
    'a filter on the partition key is refused': query('pk = :a', a, { FilterExpression: 'pk = :a' }),
    'an empty filter is refused': query('pk = :a', a, { FilterExpression: '' }),
    'a filter with every function': query(
      'pk = :a',
      { ...a, ':n': 'n', ':one': 1, ':s': 'S' },
      {
        FilterExpression:
          'begins_with(#n, :n) AND size(extra.#l) = :one AND attribute_type(shop, :s) AND attribute_not_exists(missing) AND contains(extra.#l, :one)',
        ExpressionAttributeNames: { '#n': 'name', '#l': 'list' },
      },
    ),
    'a consistent read': query('pk = :a', a, { ConsistentRead: true }),
    'a table that is not there is refused': query('pk = :a', a, { TableName: 'nothing' }),
  },
};

const blue = { ':b': 'blue' };
const onIndex = (IndexName: string, more: object = {}) => ({ IndexName, ...more });

export const indexes: Theme = {
  name: 'indexes',
  table: things,
  given,
  cases: {
    'a whole partition of an index': query('shop = :b', { ':b': 'red' }, onIndex('byShop')),
    'a whole partition of an index backwards': query('shop = :b', { ':b': 'red' }, onIndex('byShop', down)),
    'an index of keys': query('shop = :b AND pk = :a', { ...blue, ...a }, onIndex('keysByShop')),
    'an index with one more attribute': query('shop = :b', { ':b': 'red' }, onIndex('namesByShop')),
    'a range of an index': query('shop = :b AND at > :v', { ...blue, ':v': 3 }, onIndex('byShop')),
    'an equal key of an index': query('shop = :b AND at = :v', { ...blue, ':v': 1 }, onIndex('byShop')),
    'between on an index': query(
      'shop = :b AND at BETWEEN :v AND :w',
      { ':b': 'red', ':v': 1, ':w': 5 },
      onIndex('byShop'),
    ),
    'only the count of an index': query('shop = :b', blue, onIndex('byShop', { Select: 'COUNT' })),
    'an index by its projected attributes': query(
      'shop = :b',
      { ':b': 'red' },
      onIndex('namesByShop', { Select: 'ALL_PROJECTED_ATTRIBUTES' }),
    ),
    'all attributes of an index that has them': query(
      'shop = :b',
      { ':b': 'red' },
      onIndex('byShop', { Select: 'ALL_ATTRIBUTES' }),
    ),
    'all attributes of an index that has them not are refused': query(
      'shop = :b',
      blue,
      onIndex('namesByShop', { Select: 'ALL_ATTRIBUTES' }),
    ),
    'a projection of what the index has': query(
      'shop = :b',
      { ':b': 'red' },
      onIndex('namesByShop', { ProjectionExpression: '#n', ExpressionAttributeNames: { '#n': 'name' } }),
    ),
    'a projection of what the index has not is refused': query(
      'shop = :b',
      blue,
      onIndex('namesByShop', { ProjectionExpression: 'extra' }),
    ),
    'a filter on what the index has not is refused': query(
      'shop = :b',
      { ':b': 'red', ':f': 1 },
      onIndex('namesByShop', { FilterExpression: 'extra = :f' }),
    ),
    'a filter on the index key is refused': query(
      'shop = :b',
      { ...blue, ':f': 1 },
      onIndex('byShop', { FilterExpression: 'at = :f' }),
    ),
    'a filter on the key of the table': query(
      'shop = :b',
      { ':b': 'red', ':f': 0 },
      onIndex('byShop', { FilterExpression: 'sk > :f' }),
    ),
    'a consistent read of an index is refused': query('shop = :b', blue, onIndex('byShop', { ConsistentRead: true })),
    'an index that is not there is refused': query('shop = :b', blue, onIndex('byNothing')),
    'an index name that is too short is refused': query('shop = :b', blue, onIndex('x')),
    'the key of the table on an index is refused': query('pk = :a', a, onIndex('byShop')),
    'page by page': pages(query('shop = :b', { ':b': 'red' }, onIndex('byShop', { Limit: 2 }))),
    'page by page backwards': pages(query('shop = :b', { ':b': 'red' }, onIndex('byShop', { Limit: 2, ...down }))),
    'a start key without the key of the table is refused': query(
      'shop = :b',
      blue,
      onIndex('byShop', { ExclusiveStartKey: item({ shop: 'blue', at: 1 }) }),
    ),
    'a start key without the key of the index is refused': query(
      'shop = :b',
      blue,
      onIndex('byShop', { ExclusiveStartKey: item({ pk: 'a', sk: 1 }) }),
    ),
    'a start key of another partition of the index is refused': query(
      'shop = :b',
      blue,
      onIndex('byShop', { ExclusiveStartKey: item({ pk: 'a', sk: 1, shop: 'red', at: 1 }) }),
    ),
    'an item leaves the index when it loses its key': [
      { UpdateItem: { Key: item({ pk: 'a', sk: 9 }), UpdateExpression: 'REMOVE at' } },
      query('shop = :b', { ':b': 'blue' }, onIndex('byShop', { Select: 'COUNT' })),
    ],
    'an item moves within the index': [
      {
        UpdateItem: {
          Key: item({ pk: 'a', sk: 9 }),
          UpdateExpression: 'SET at = :v',
          ExpressionAttributeValues: values({ ':v': 100 }),
        },
      },
      query('shop = :b AND at > :v', { ':b': 'blue', ':v': 5 }, onIndex('byShop')),
    ],
    'an item that is deleted leaves the index': [
      { DeleteItem: { Key: item({ pk: 'a', sk: 9 }) } },
      query('shop = :b AND at >= :v', { ':b': 'blue', ':v': 5 }, onIndex('namesByShop')),
    ],
  },
};

export const scans: Theme = {
  name: 'scans',
  table: things,
  given,
  cases: {
    'a whole table': { Scan: {} },
    'a whole index': { Scan: { IndexName: 'byShop' } },
    'an index of keys': { Scan: { IndexName: 'keysByShop' } },
    'only the count': { Scan: { Select: 'COUNT' } },
    'a filter': { Scan: { FilterExpression: 'shop = :b', ExpressionAttributeValues: values(blue) } },
    'a filter on the key': { Scan: { FilterExpression: 'pk = :b', ExpressionAttributeValues: values({ ':b': 'b' }) } },
    'a projection': { Scan: { ProjectionExpression: 'at' } },
    'a limit of 0 is refused': { Scan: { Limit: 0 } },
    'a consistent read of an index is refused': { Scan: { IndexName: 'byShop', ConsistentRead: true } },
    'an index that is not there is refused': { Scan: { IndexName: 'byNothing' } },
    'a segment without their number is refused': { Scan: { Segment: 0 } },
    'a number of segments without one is refused': { Scan: { TotalSegments: 2 } },
    'a segment beyond their number is refused': { Scan: { Segment: 2, TotalSegments: 2 } },
    'the only segment is the table': { Scan: { Segment: 0, TotalSegments: 1 } },
    'a start key of another type is refused': { Scan: { ExclusiveStartKey: item({ pk: 'a', sk: '1' }) } },
    'a start key without its sort key is refused': { Scan: { ExclusiveStartKey: item({ pk: 'a' }) } },
    'specific attributes without a projection are refused': { Scan: { Select: 'SPECIFIC_ATTRIBUTES' } },
  },
};

const large = { name: 'x'.repeat(300 * 1024) };

export const largePages: Theme = {
  name: 'pages of 1 MB',
  table: things,
  given: [1, 2, 3, 4, 5, 6, 7].map((sk) => item({ pk: 'a', sk, shop: 'blue', at: sk, ...large })),
  cases: {
    'a page ends at 1 MB': pages(query('pk = :a', a, { ProjectionExpression: 'sk' })),
    'a page of an index ends at 1 MB': pages(
      query('shop = :b', blue, onIndex('byShop', { ProjectionExpression: 'sk' })),
    ),
    'what the filter leaves out counts': pages(
      query('pk = :a', { ...a, ':f': 1 }, { FilterExpression: 'missing = :f' }),
    ),
    'a page of the count ends at 1 MB': pages(query('pk = :a', a, { Select: 'COUNT' })),
    'an index without the large attribute is one page': pages(
      query('shop = :b', blue, onIndex('keysByShop', { Select: 'COUNT' })),
    ),
  },
};
