import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateBackupCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  GetItemCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TagResourceCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DescribeStreamCommand, GetRecordsCommand, GetShardIteratorCommand } from '@aws-sdk/client-dynamodb-streams';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningDynamoDb, startDynamoDb } from '#lib/local/dynamodb/server.ts';
import { clientFor, streamsClientFor } from './engines.ts';
import { createEventsTable } from './tables.ts';

type Item = Record<string, AttributeValue>;

let engine: RunningDynamoDb;
let client: DynamoDBClient;
let TableName: string;

beforeAll(async () => {
  engine = await startDynamoDb({ file: ':memory:' });
  client = clientFor(engine.endpoint);
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
});
beforeEach(async () => {
  TableName = await createEventsTable(client, {
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  });
});

const key = (sk = '1') => ({ pk: { S: 'order' }, sk: { N: sk } });
const put = (item: Item, more = {}) => client.send(new PutItemCommand({ TableName, Item: item, ...more }));
const get = async (more = {}) => (await client.send(new GetItemCommand({ TableName, Key: key(), ...more }))).Item;
const valuesIn = (expression: string, values: Item) => {
  const used = Object.entries(values).filter(([name]) => expression.includes(name));
  return used.length > 0 ? { ExpressionAttributeValues: Object.fromEntries(used) } : {};
};
const update = (UpdateExpression: string, values: Item = {}, more = {}) =>
  client.send(
    new UpdateItemCommand({ TableName, Key: key(), UpdateExpression, ...valuesIn(UpdateExpression, values), ...more }),
  );
const refused = (message: string) => ({ name: 'ValidationException', message });

/** A string inside that many lists and maps. */
function nested(levels: number): AttributeValue {
  let value: AttributeValue = { S: 'x' };
  for (let level = 0; level < levels; level += 1) value = level % 2 ? { L: [value] } : { M: { a: value } };
  return value;
}

async function streamRecords() {
  const streams = streamsClientFor(engine.endpoint);
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const ShardId = StreamDescription?.Shards?.[0]?.ShardId;
  const { ShardIterator } = await streams.send(
    new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
  );
  const { Records } = await streams.send(new GetRecordsCommand({ ShardIterator }));
  streams.destroy();
  return Records;
}

describe('an update of an item that is not there', () => {
  const values: Item = { ':tags': { SS: ['a'] } };

  test.each(['REMOVE b', 'REMOVE x.y', 'REMOVE x[0]', 'DELETE tags :tags'])(
    'creates neither the item nor a stream record with "%s"',
    async (expression) => {
      const answer = await update(expression, values, { ReturnValues: 'ALL_NEW' });
      expect(answer.Attributes).toBeUndefined();
      const Update = { TableName, Key: key(), UpdateExpression: expression, ...valuesIn(expression, values) };
      await client.send(new TransactWriteItemsCommand({ TransactItems: [{ Update }] }));
      expect(await get()).toBeUndefined();
      expect(await streamRecords()).toEqual([]);
    },
  );

  test('creates it when it also sets something, or says nothing', async () => {
    await update('REMOVE b SET c = :c', { ':c': { S: 'c' } });
    expect(await get()).toEqual({ ...key(), c: { S: 'c' } });
    await client.send(new UpdateItemCommand({ TableName, Key: key('2') }));
    expect(await get({ Key: key('2') })).toEqual(key('2'));
    expect(await streamRecords()).toHaveLength(2);
  });
});

describe('a condition', () => {
  const check = (ConditionExpression: string) =>
    put(key(), {
      ConditionExpression,
      ...valuesIn(ConditionExpression, { ':p': { S: 'x' }, ':n': { N: '1' }, ':list': { L: [] } }),
    });
  const twice = (operator: string, operand: string) =>
    `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${operand}`;

  test.each([
    ['((pk <> :p))', 'The expression has redundant parentheses;'],
    ['attribute_not_exists(a) AND ((pk <> :p))', 'The expression has redundant parentheses;'],
    ['pk <> ((:p))', 'The expression has redundant parentheses;'],
    ['_abc = :p', 'Syntax error; token: "_", near: "_abc"'],
    ['a._b = :p', 'Syntax error; token: "_", near: "._b"'],
    ['a = :p;', 'Syntax error; token: ";", near: ":p;"'],
    ['a = a', twice('=', '[a]')],
    ['a.b[1] < a.b[1]', twice('<', '[a, b, [1]]')],
    ['a BETWEEN :p AND a', twice('BETWEEN', '[a]')],
    ['a IN (:p, a)', twice('IN', '[a]')],
    ['contains(s, s)', twice('contains', '[s]')],
    ['begins_with(s, s)', twice('begins_with', '[s]')],
    ['a[99999999999999] = :p', 'List index is not within the allowable range; index: [99999999999999]'],
    ['size(a)', 'The function is not allowed to be used this way in an expression; function: size'],
    ['contains(a, :p) = :p', 'The function is not allowed to be used this way in an expression; function: contains'],
    [
      'size(a, b) = :n',
      'Incorrect number of operands for operator or function; operator or function: size, number of operands: 2',
    ],
    [
      'attribute_type(a, :p)',
      'Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
    ],
    [
      'begins_with(a, size(b))',
      'Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    ],
  ])('"%s" is refused', async (expression, message) => {
    await expect(check(expression)).rejects.toMatchObject(refused(`Invalid ConditionExpression: ${message}`));
  });

  test.each([
    '(pk <> :p)',
    '((pk <> :p) AND (z <> :p))',
    '(pk) <> (:p)',
    'NOT (size(:p) > :n)',
    'size(pk) = size(pk) OR pk <> :p',
    'a[2147483647] <> :p',
  ])('"%s" is taken', async (expression) => {
    await expect(check(expression)).resolves.toBeDefined();
  });
});

describe('an update expression', () => {
  const values: Item = { ':v': { S: 'x' }, ':n': { N: '1' }, ':list': { L: [{ N: '1' }] } };
  const misused = 'The function is not allowed to be used this way in an expression; function: list_append';

  test.each([
    ['SET _abc = :v', 'Syntax error; token: "_", near: "SET _abc"'],
    ['SET a = list_append(list_append(:list, :list), :list)', misused],
    ['SET a = if_not_exists(a, list_append(:list, :list))', misused],
    ['SET a = list_append(:list, :list) + :n', misused],
    ['SET a = ((:v))', 'The expression has redundant parentheses;'],
    ['SET a = size(b)', 'The function is not allowed in an update expression; function: size'],
    [
      'SET a = if_not_exists(:v, :v)',
      'Operator or function requires a document path; operator or function: if_not_exists',
    ],
    [
      'SET a = list_append(:list)',
      'Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 1',
    ],
    [
      'ADD a :v',
      'Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND',
    ],
    ['REMOVE a[99999999999999]', 'List index is not within the allowable range; index: [99999999999999]'],
  ])('"%s" is refused', async (expression, message) => {
    await expect(update(expression, values)).rejects.toMatchObject(refused(`Invalid UpdateExpression: ${message}`));
    expect(await get()).toBeUndefined();
  });

  test('"SET a = list_append(if_not_exists(a, :list), (:list)), n = (:n) + :n" is taken', async () => {
    await update('SET a = list_append(if_not_exists(a, :list), (:list)), n = (:n) + :n', values);
    expect(await get()).toEqual({ ...key(), a: { L: [{ N: '1' }, { N: '1' }] }, n: { N: '2' } });
  });
});

describe('a limit', () => {
  const path = (levels: number) => Array(levels).fill('a').join('.');
  const tooDeep = 'Nesting Levels have exceeded supported limits';

  test('of 32 levels holds for a path', async () => {
    await put({ ...key(), a: { S: 'x' } });
    expect(await get({ ProjectionExpression: path(32) })).toEqual({});
    await expect(get({ ProjectionExpression: path(33) })).rejects.toMatchObject(
      refused('Invalid ProjectionExpression: The document path has too many nesting levels; nesting levels: 33'),
    );
    await expect(get({ ProjectionExpression: 'a[99999999999999]' })).rejects.toMatchObject(
      refused('Invalid ProjectionExpression: List index is not within the allowable range; index: [99999999999999]'),
    );
  });

  test('of 31 lists and maps holds for a value of an item and of an expression', async () => {
    const explained = `${tooDeep}: Attributes in the item have nested levels beyond supported limit`;
    await put({ ...key(), a: nested(31) });
    expect(await get()).toEqual({ ...key(), a: nested(31) });
    await expect(put({ ...key(), a: nested(32) })).rejects.toMatchObject(refused(explained));
    await update('SET b = :v', { ':v': nested(31) });
    await expect(update('SET b = :v', { ':v': nested(32) })).rejects.toMatchObject(
      refused(`ExpressionAttributeValues contains invalid value: ${explained} for key :v`),
    );
  });

  test('of 31 lists and maps holds for what an update puts deep into the item', async () => {
    await put({ ...key(), a: { M: { b: { M: {} } } } });
    await update('SET a.b.c = :v', { ':v': nested(29) });
    await expect(update('SET a.b.d = :v', { ':v': nested(30) })).rejects.toMatchObject(refused(tooDeep));
  });

  test('of one character holds for an attribute name, wherever it stands', async () => {
    const empty = refused('Empty attribute name');
    await expect(put({ ...key(), '': { S: 'x' } })).rejects.toMatchObject(empty);
    await expect(put({ ...key(), a: { M: { '': { S: 'x' } } } })).rejects.toMatchObject(empty);
    await expect(update('REMOVE #a', {}, { ExpressionAttributeNames: { '#a': '' } })).rejects.toMatchObject(
      refused('ExpressionAttributeNames contains invalid value: Empty attribute name for key #a'),
    );
    await expect(update('SET a = :v', { ':v': { M: { '': { S: 'x' } } } })).rejects.toMatchObject(
      refused('ExpressionAttributeValues contains invalid value: Empty attribute name for key :v'),
    );
  });
});

describe('a transaction', () => {
  const filler = { S: 'x'.repeat(390 * 1024) };
  const numbers = Array.from({ length: 12 }, (_, n) => String(n));
  const transact = (TransactItems: TransactWriteItemsCommand['input']['TransactItems'], more = {}) =>
    client.send(new TransactWriteItemsCommand({ TransactItems, ...more }));
  const cancelled = (...reasons: object[]) => ({
    name: 'TransactionCanceledException',
    CancellationReasons: reasons,
  });
  const invalid = (Message: string) => ({ Code: 'ValidationError', Message });
  const mismatch = invalid('The provided key element does not match the schema');

  test('whose action does not fit the keys of the table is cancelled with a reason', async () => {
    const wrongKey = { pk: { N: '1' }, sk: { N: '1' } };
    const keyed = { TableName, Key: wrongKey };
    const attempt = transact([
      { Put: { TableName, Item: key() } },
      { Put: { TableName, Item: wrongKey } },
      { Put: { TableName, Item: { pk: { S: 'order' } } } },
      { Delete: keyed },
      { Update: { ...keyed, UpdateExpression: 'REMOVE a' } },
      { ConditionCheck: { ...keyed, ConditionExpression: 'attribute_exists(pk)' } },
      { Update: { TableName, Key: key('2'), UpdateExpression: 'REMOVE pk' } },
    ]);
    const prefix = 'One or more parameter values were invalid:';
    await expect(attempt).rejects.toMatchObject(
      cancelled(
        { Code: 'None' },
        invalid(`${prefix} Type mismatch for key pk expected: S actual: N`),
        invalid(`${prefix} Missing the key sk in the item`),
        mismatch,
        mismatch,
        mismatch,
        invalid(`${prefix} Cannot update attribute pk. This attribute is part of the key`),
      ),
    );
    expect(await get()).toBeUndefined();
  });

  test('that reads with a wrong key is cancelled with a reason', async () => {
    const TransactItems = [{ Get: { TableName, Key: key() } }, { Get: { TableName, Key: { pk: { S: 'order' } } } }];
    const attempt = client.send(new TransactGetItemsCommand({ TransactItems }));
    await expect(attempt).rejects.toMatchObject(cancelled({ Code: 'None' }, mismatch));
  });

  test('with a condition that fails and a key that does not fit gives both reasons', async () => {
    await put(key());
    const attempt = transact([
      { Put: { TableName, Item: key(), ConditionExpression: 'attribute_not_exists(pk)' } },
      { Delete: { TableName, Key: { pk: { S: 'order' } } } },
    ]);
    await expect(attempt).rejects.toMatchObject(cancelled({ Code: 'ConditionalCheckFailed' }, mismatch));
  });

  test('with an empty key is refused as a whole, whatever the action', async () => {
    const empty = { TableName, Key: { pk: { S: '' }, sk: { N: '1' } } };
    const actions = [
      { Put: { TableName, Item: empty.Key } },
      { Delete: empty },
      { Update: { ...empty, UpdateExpression: 'REMOVE a' } },
      { ConditionCheck: { ...empty, ConditionExpression: 'attribute_exists(pk)' } },
    ];
    const message =
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk';
    for (const action of actions) await expect(transact([action])).rejects.toMatchObject(refused(message));
  });

  test('with an expression that is none is refused as a whole', async () => {
    const attempt = transact([{ Put: { TableName, Item: key(), ConditionExpression: 'a = = b' } }]);
    await expect(attempt).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('may delete, check and change twelve items of 390 KB, for it brings little itself', async () => {
    for (const n of numbers) await put({ ...key(n), filler });
    const on = (n: string) => ({ TableName, Key: key(n) });
    await transact(
      numbers.map((n) => ({ ConditionCheck: { ...on(n), ConditionExpression: 'attribute_exists(filler)' } })),
    );
    await transact(numbers.map((n) => ({ Update: { ...on(n), UpdateExpression: 'REMOVE note' } })));
    await transact(numbers.map((n) => ({ Delete: on(n) })));
    expect((await client.send(new ScanCommand({ TableName }))).Count).toBe(0);
  });

  test('may not bring more than 4 MB in the values of updates', async () => {
    const attempt = transact(
      numbers.map((n) => ({
        Update: {
          TableName,
          Key: key(n),
          UpdateExpression: 'SET filler = :v',
          ExpressionAttributeValues: { ':v': filler },
        },
      })),
    );
    await expect(attempt).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('with its token again is the same whatever the order of the JSON keys', async () => {
    const ClientRequestToken = `token-of-${TableName}`;
    const item = { ...key(), doc: { M: { a: { S: '1' }, b: { S: '2' } } } };
    const turned = { doc: { M: { b: { S: '2' }, a: { S: '1' } } }, sk: { N: '1' }, pk: { S: 'order' } };
    await transact([{ Put: { TableName, Item: item } }], { ClientRequestToken });
    await client.send(new DeleteItemCommand({ TableName, Key: key() }));
    await transact([{ Put: { Item: turned, TableName } }], { ClientRequestToken });
    expect(await get()).toBeUndefined();
    const other = transact([{ Put: { TableName, Item: { ...item, doc: { S: 'x' } } } }], { ClientRequestToken });
    await expect(other).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
  });
});

describe('a change of a table', () => {
  const change = (input: Partial<UpdateTableCommandInput>) =>
    client.send(new UpdateTableCommand({ TableName, ...input }));

  test('that changes nothing is refused', async () => {
    const nothing = refused(
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required',
    );
    await expect(change({})).rejects.toMatchObject(nothing);
    await expect(change({ GlobalSecondaryIndexUpdates: [] })).rejects.toMatchObject(nothing);
  });

  test('to the throughput that it has, or to none, is refused', async () => {
    const throughput = (ReadCapacityUnits: number) => ({
      BillingMode: 'PROVISIONED' as const,
      ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits: 5 },
    });
    await change(throughput(5));
    await expect(change(throughput(5))).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining('The requested value equals the current value.'),
    });
    await expect(change(throughput(0))).rejects.toMatchObject(
      refused(
        "1 validation error detected: Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1",
      ),
    );
  });

  test('of its class and encryption is described', async () => {
    await change({ TableClass: 'STANDARD_INFREQUENT_ACCESS', SSESpecification: { Enabled: true } });
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table).toMatchObject({
      TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
      SSEDescription: { Status: 'ENABLED' },
    });
  });
});

test('a list of more than 100 tables at once is refused', async () => {
  await expect(client.send(new ListTablesCommand({ Limit: 101 }))).rejects.toMatchObject(
    refused(
      "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100",
    ),
  );
});

test('what is wrong in the choices of a request is said at once, before the table is looked for', async () => {
  const request = { Item: key(), ReturnConsumedCapacity: 'some', ReturnValues: 'all' } as never as { Item: Item };
  const attempt = client.send(new PutItemCommand({ TableName: 'no-such-table', ...request }));
  await expect(attempt).rejects.toMatchObject(
    refused(
      "2 validation errors detected: Value 'some' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value 'all' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
    ),
  );
  await expect(client.send(new PutItemCommand({ TableName: '', ...request }))).rejects.toMatchObject(
    refused(
      "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
    ),
  );
});

test('values without an expression are refused with the expression that is missing', async () => {
  const ExpressionAttributeValues = { ':v': { S: 'x' } };
  const prefix = 'ExpressionAttributeValues can only be specified when using expressions:';
  await expect(put(key(), { ExpressionAttributeValues })).rejects.toMatchObject(
    refused(`${prefix} ConditionExpression is null`),
  );
  const scan = client.send(new ScanCommand({ TableName, ExpressionAttributeValues }));
  await expect(scan).rejects.toMatchObject(refused(`${prefix} FilterExpression is null`));
});

test('batches of nothing or of too much are refused', async () => {
  const Keys = Array.from({ length: 101 }, (_, n) => key(String(n)));
  const puts = Keys.slice(0, 26).map((Item) => ({ PutRequest: { Item } }));
  const read = (RequestItems: BatchGetItemCommand['input']['RequestItems']) =>
    client.send(new BatchGetItemCommand({ RequestItems }));
  await expect(read({})).rejects.toMatchObject(refused('The requestItems parameter is required for BatchGetItem'));
  await expect(read({ [TableName]: { Keys } })).rejects.toMatchObject(
    refused(
      `1 validation error detected: Value at 'RequestItems.${TableName}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100`,
    ),
  );
  const write = client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
  await expect(write).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('Member must have length less than or equal to 25'),
  });
});

test('a table is described as AWS takes it, or refused', async () => {
  const create = (more: object) =>
    client.send(
      new CreateTableCommand({
        TableName: 'described',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        ...more,
      }),
    );
  await expect(create({ TableName: undefined })).rejects.toMatchObject(
    refused("The parameter 'TableName' is required but was not present in the request"),
  );
  await expect(create({ KeySchema: [{ AttributeName: 'pk', KeyType: 'SORT' }] })).rejects.toMatchObject(
    refused(
      "1 validation error detected: Value 'SORT' at 'keySchema.1.member.keyType' failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]",
    ),
  );
  await expect(create({ GlobalSecondaryIndexes: [] })).rejects.toMatchObject(
    refused('One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty'),
  );
  const empty = { AttributeName: '', Enabled: true };
  const expiring = client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: empty }));
  await expect(expiring).rejects.toMatchObject({ name: 'ValidationException' });
});

test('tags belong to a table of this account', async () => {
  const foreign = 'arn:aws:dynamodb:us-east-1:111122223333:table/other';
  const list = client.send(new ListTagsOfResourceCommand({ ResourceArn: foreign }));
  await expect(list).rejects.toMatchObject({ name: 'AccessDeniedException' });
  const tag = client.send(new TagResourceCommand({ ResourceArn: TableName, Tags: [{ Key: 'a', Value: 'b' }] }));
  await expect(tag).rejects.toMatchObject(
    refused(`Invalid TableArn: Invalid ResourceArn provided as input ${TableName}`),
  );
});

describe('what the engine does not support is refused by its name:', () => {
  const Statement = `SELECT * FROM "events"`;

  test.each([
    ['ExecuteStatement', () => client.send(new ExecuteStatementCommand({ Statement }))],
    ['BatchExecuteStatement', () => client.send(new BatchExecuteStatementCommand({ Statements: [{ Statement }] }))],
    ['ExecuteTransaction', () => client.send(new ExecuteTransactionCommand({ TransactStatements: [{ Statement }] }))],
    ['CreateBackup', () => client.send(new CreateBackupCommand({ TableName, BackupName: 'backup' }))],
  ])('the operation %s', async (operation, attempt) => {
    await expect(attempt()).rejects.toMatchObject({
      name: 'UnknownOperationException',
      message: `This engine does not support the operation ${operation}`,
    });
  });

  test('local secondary indexes', async () => {
    const LocalSecondaryIndexes = [
      {
        IndexName: 'local',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
        Projection: { ProjectionType: 'ALL' as const },
      },
    ];
    await expect(createEventsTable(client, { LocalSecondaryIndexes })).rejects.toMatchObject(
      refused('This engine does not support the parameter LocalSecondaryIndexes'),
    );
  });

  test('replicas', async () => {
    const ReplicaUpdates = [{ Create: { RegionName: 'eu-central-1' } }];
    await expect(client.send(new UpdateTableCommand({ TableName, ReplicaUpdates }))).rejects.toMatchObject(
      refused('This engine does not support the parameter ReplicaUpdates'),
    );
  });

  const condition = { ComparisonOperator: 'EQ' as const, AttributeValueList: [{ S: 'order' }] };
  test.each([
    ['AttributesToGet', () => get({ AttributesToGet: ['pk'] })],
    ['Expected', () => put(key(), { Expected: { pk: { Exists: false } } })],
    [
      'AttributeUpdates',
      () =>
        client.send(new UpdateItemCommand({ TableName, Key: key(), AttributeUpdates: { a: { Value: { S: 'x' } } } })),
    ],
    ['KeyConditions', () => client.send(new QueryCommand({ TableName, KeyConditions: { pk: condition } }))],
    ['ScanFilter', () => client.send(new ScanCommand({ TableName, ScanFilter: { a: condition } }))],
  ])('the legacy parameter %s', async (parameter, attempt) => {
    await expect(attempt()).rejects.toMatchObject(
      refused(`${parameter} is a legacy parameter that this engine does not support: use an expression`),
    );
  });

  test('a legacy parameter beside an expression, in the words of AWS', async () => {
    const attempt = put(key(), {
      Expected: { pk: { Exists: false } },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    await expect(attempt).rejects.toMatchObject(
      refused(
        'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}',
      ),
    );
  });
});
