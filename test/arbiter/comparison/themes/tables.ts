import {
  attributes,
  item,
  keySchema,
  otherTable,
  plainThings,
  type Request,
  type Theme,
  values,
} from '#test/arbiter/comparison/theme.ts';

const create = (change: object): Request => ({ CreateTable: { ...plainThings(), TableName: otherTable, ...change } });
const creating = (change: object): Request[] => [create(change), { DescribeTable: { TableName: otherTable } }];
const index = (change: object = {}) => ({
  IndexName: 'byOther',
  KeySchema: keySchema('other'),
  Projection: { ProjectionType: 'ALL' },
  ...change,
});
const withIndex = (change: object, more: object = {}) => ({
  AttributeDefinitions: attributes({ pk: 'S', other: 'S' }),
  GlobalSecondaryIndexes: [index(change)],
  ...more,
});
const timeToLive = (AttributeName: string, Enabled = true): Request => ({
  UpdateTimeToLive: { TimeToLiveSpecification: { AttributeName, Enabled } },
});
const stream = (StreamViewType: string) => ({ StreamSpecification: { StreamEnabled: true, StreamViewType } });
const arn = 'arn:aws:dynamodb:ddblocal:000000000000:table/things';

export const tables: Theme = {
  name: 'tables',
  table: plainThings(),
  tableEach: true,
  cases: {
    'a table is made': creating({}),
    'a table with a sort key is made': creating({
      AttributeDefinitions: attributes({ pk: 'S', sk: 'N' }),
      KeySchema: keySchema('pk', 'sk'),
    }),
    'a table with an index is made': creating(withIndex({})),
    'a table with a provisioned throughput is made': creating({
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    }),
    'a table with a stream is made': creating(stream('KEYS_ONLY')),
    'a table that is there is refused': create({ TableName: 'things' }),
    'a table without a name is refused': create({ TableName: undefined }),
    'a table with a short name is refused': create({ TableName: 'ab' }),
    'a table with a blank in its name is refused': create({ TableName: 'a b c' }),
    'a table without keys is refused': create({ KeySchema: [] }),
    'a table without attributes is refused': create({ AttributeDefinitions: [] }),
    'a key without its attribute is refused': create({ AttributeDefinitions: attributes({ other: 'S' }) }),
    'an attribute that no key uses is refused': create({ AttributeDefinitions: attributes({ pk: 'S', other: 'S' }) }),
    'an attribute twice is refused': create({
      AttributeDefinitions: [...attributes({ pk: 'S' }), ...attributes({ pk: 'N' })],
    }),
    'an attribute of another type is refused': create({ AttributeDefinitions: attributes({ pk: 'BOOL' }) }),
    'two partition keys are refused': create({
      AttributeDefinitions: attributes({ pk: 'S', sk: 'S' }),
      KeySchema: [...keySchema('pk'), ...keySchema('sk')],
    }),
    'a sort key first is refused': create({
      AttributeDefinitions: attributes({ pk: 'S', sk: 'S' }),
      KeySchema: keySchema('pk', 'sk').reverse(),
    }),
    'one attribute as both keys is refused': create({ KeySchema: keySchema('pk', 'pk') }),
    'three keys are refused': create({
      AttributeDefinitions: attributes({ pk: 'S', sk: 'S', tk: 'S' }),
      KeySchema: [...keySchema('pk', 'sk'), { AttributeName: 'tk', KeyType: 'RANGE' }],
    }),
    'an unknown kind of key is refused': create({ KeySchema: [{ AttributeName: 'pk', KeyType: 'FIRST' }] }),
    'an unknown billing mode is refused': create({ BillingMode: 'FREE' }),
    'a throughput with pay per request is refused': create({
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    }),
    'no throughput without pay per request is refused': create({ BillingMode: 'PROVISIONED' }),
    'an index with an unknown projection is refused': create(withIndex({ Projection: { ProjectionType: 'SOME' } })),
    'an index without a projection is refused': create(withIndex({ Projection: undefined })),
    'an index that includes nothing is refused': create(withIndex({ Projection: { ProjectionType: 'INCLUDE' } })),
    'an index of keys that includes something is refused': create(
      withIndex({ Projection: { ProjectionType: 'KEYS_ONLY', NonKeyAttributes: ['x'] } }),
    ),
    'an index with a short name is refused': create(withIndex({ IndexName: 'x' })),
    'two indexes of one name are refused': create(withIndex({}, { GlobalSecondaryIndexes: [index(), index()] })),
    'an index on an attribute that is not defined is refused': create({ GlobalSecondaryIndexes: [index()] }),
    'an empty list of indexes is refused': create({ GlobalSecondaryIndexes: [] }),
    'a local index': create({
      AttributeDefinitions: attributes({ pk: 'S', sk: 'N', other: 'S' }),
      KeySchema: keySchema('pk', 'sk'),
      LocalSecondaryIndexes: [index({ KeySchema: keySchema('pk', 'other') })],
    }),
    'a stream without what it shows is refused': create({ StreamSpecification: { StreamEnabled: true } }),
    'a stream that is off is refused': create({
      StreamSpecification: { StreamEnabled: false, StreamViewType: 'KEYS_ONLY' },
    }),
    'an unknown view of a stream is refused': create(stream('SOME')),
    'a table is described': { DescribeTable: {} },
    'a table that is not there is not described': { DescribeTable: { TableName: 'nothing' } },
    'a table is deleted': [{ DeleteTable: {} }, { DescribeTable: {} }],
    'a table that is not there is not deleted': { DeleteTable: { TableName: 'nothing' } },
    'tables are listed': { ListTables: {} },
    'tables are listed one at a time': { ListTables: { Limit: 1 } },
    'tables are listed with a limit of 0': { ListTables: { Limit: 0 } },
    'tables are listed with a limit of 101': { ListTables: { Limit: 101 } },
    'tables are listed after one': { ListTables: { ExclusiveStartTableName: 'things' } },
    'an update without a change is refused': { UpdateTable: {} },
    'an update of a table that is not there is refused': {
      UpdateTable: { TableName: 'nothing', BillingMode: 'PAY_PER_REQUEST' },
    },
    'a stream is switched on': { UpdateTable: stream('NEW_IMAGE') },
    'a stream is switched on twice': [{ UpdateTable: stream('NEW_IMAGE') }, { UpdateTable: stream('NEW_IMAGE') }],
    'a stream that is off is switched off': { UpdateTable: { StreamSpecification: { StreamEnabled: false } } },
    'a removal of an index that is not there is refused': {
      UpdateTable: { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byOther' } }] },
    },
    'deletion protection holds': [
      { UpdateTable: { DeletionProtectionEnabled: true } },
      { DeleteTable: {} },
      { UpdateTable: { DeletionProtectionEnabled: false } },
    ],
    'time to live is off at first': { DescribeTimeToLive: {} },
    'time to live is switched on': [timeToLive('expires'), { DescribeTimeToLive: {} }],
    'time to live is switched on twice': [timeToLive('expires'), timeToLive('expires')],
    'time to live is switched to another attribute': [timeToLive('expires'), timeToLive('ends')],
    'time to live that is off is switched off': timeToLive('expires', false),
    'time to live without an attribute is refused': timeToLive(''),
    'time to live without a specification is refused': { UpdateTimeToLive: {} },
    'time to live of a table that is not there is refused': { DescribeTimeToLive: { TableName: 'nothing' } },
    'tags are set and listed': [
      { TagResource: { ResourceArn: arn, Tags: [{ Key: 'team', Value: 'blue' }] } },
      { ListTagsOfResource: { ResourceArn: arn } },
      { UntagResource: { ResourceArn: arn, TagKeys: ['team'] } },
      { ListTagsOfResource: { ResourceArn: arn } },
    ],
    'tags of a table that is not there are refused': { ListTagsOfResource: { ResourceArn: `${arn}s` } },
    'a count of items': [
      { PutItem: { Item: item({ pk: 'a' }) } },
      { PutItem: { Item: item({ pk: 'b', name: 'x' }) } },
      { Scan: { Select: 'COUNT' } },
    ],
  },
};

const changes: Request[] = [
  { PutItem: { Item: item({ pk: 'a', n: 1, map: { deep: {} } }) } },
  { PutItem: { Item: item({ pk: 'a', n: 1, map: { deep: {} } }) } },
  {
    UpdateItem: {
      Key: item({ pk: 'a' }),
      UpdateExpression: 'SET n = :v',
      ExpressionAttributeValues: values({ ':v': 2 }),
    },
  },
  { DeleteItem: { Key: item({ pk: 'a' }) } },
  { DeleteItem: { Key: item({ pk: 'a' }) } },
];
const plainChanges: Request[] = changes.map((change) =>
  JSON.parse(JSON.stringify(change).replace('"deep":{"M":{}}', '"deep":{"S":"x"}')),
);

const streaming = (view: string): Theme => ({
  name: `a stream of ${view}`,
  table: { ...plainThings(), ...stream(view) },
  tableEach: true,
  cases: { 'every change is a record, and what changes nothing is none': { requests: plainChanges, stream: true } },
});

export const streamViews: Theme[] = ['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE'].map(streaming);

const shown = (...requests: Request[]) => ({ requests, stream: true });
const put = (Item: object): Request => ({ PutItem: { Item } });
const streamArn = 'arn:aws:dynamodb:ddblocal:000000000000:table/things/stream/2020-01-01T00:00:00.000';

export const streams: Theme = {
  name: 'streams',
  table: { ...plainThings(), ...stream('NEW_AND_OLD_IMAGES') },
  tableEach: true,
  cases: {
    'every change is a record, and what changes nothing is none': shown(...plainChanges),
    'an empty map stays a map': shown(put(item({ pk: 'a', map: {} }))),
    'an empty map within a map stays a map': shown(...changes),
    'an empty list stays a list': shown(put(item({ pk: 'a', list: [] }))),
    'every type': shown(
      put({
        ...item({
          pk: 'a',
          n: 1.5,
          on: true,
          none: null,
          list: [1, 'x'],
          map: { x: 1 },
          tags: new Set(['x', 'y']),
          text: '',
        }),
        bytes: { B: 'AQID' },
        many: { BS: ['AQ=='] },
        sizes: { NS: ['1', '2'] },
      }),
    ),
    'a number changes its form only': shown(
      put({ pk: { S: 'a' }, n: { N: '1' } }),
      put({ pk: { S: 'a' }, n: { N: '1.0' } }),
    ),
    'an update that changes nothing': shown(put(item({ pk: 'a', n: 1 })), {
      UpdateItem: {
        Key: item({ pk: 'a' }),
        UpdateExpression: 'SET n = :v',
        ExpressionAttributeValues: values({ ':v': 1 }),
      },
    }),
    'an update that makes an item': shown({
      UpdateItem: {
        Key: item({ pk: 'a' }),
        UpdateExpression: 'SET n = :v',
        ExpressionAttributeValues: values({ ':v': 1 }),
      },
    }),
    'a refused write leaves no record': shown({
      PutItem: { Item: item({ pk: 'a' }), ConditionExpression: 'attribute_exists(pk)' },
    }),
    'a transaction': shown(put(item({ pk: 'a', n: 1 })), {
      TransactWriteItems: {
        TransactItems: [
          { Put: { TableName: 'things', Item: item({ pk: 'b' }) } },
          { Delete: { TableName: 'things', Key: item({ pk: 'a' }) } },
          {
            ConditionCheck: {
              TableName: 'things',
              Key: item({ pk: 'c' }),
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
        ],
      },
    }),
    'a cancelled transaction leaves no record': shown({
      TransactWriteItems: {
        TransactItems: [
          { Put: { TableName: 'things', Item: item({ pk: 'b' }) } },
          { Delete: { TableName: 'things', Key: item({ pk: 'a' }), ConditionExpression: 'attribute_exists(pk)' } },
        ],
      },
    }),
    'a batch': shown(put(item({ pk: 'a' })), {
      BatchWriteItem: {
        RequestItems: {
          things: [{ PutRequest: { Item: item({ pk: 'b' }) } }, { DeleteRequest: { Key: item({ pk: 'a' }) } }],
        },
      },
    }),
    'a stream that is not there is not described': { DescribeStream: { StreamArn: streamArn } },
    'a description without a stream is refused': { DescribeStream: {} },
    'an iterator of a stream that is not there is refused': {
      GetShardIterator: {
        StreamArn: streamArn,
        ShardId: 'shardId-00000000000000000000-00000000',
        ShardIteratorType: 'LATEST',
      },
    },
    'an iterator without a shard is refused': {
      GetShardIterator: { StreamArn: streamArn, ShardIteratorType: 'LATEST' },
    },
    'an iterator of an unknown kind is refused': {
      GetShardIterator: {
        StreamArn: streamArn,
        ShardId: 'shardId-00000000000000000000-00000000',
        ShardIteratorType: 'SOME',
      },
    },
    'records without an iterator are refused': { GetRecords: {} },
    'records of an iterator that is none are refused': { GetRecords: { ShardIterator: 'none' } },
    'streams of a table': { ListStreams: { TableName: 'nothing' } },
  },
};
