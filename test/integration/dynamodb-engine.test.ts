import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientFor, enginesUnderTest, type StartedEngine } from './dynamodb-engine/engines.ts';
import { createEventsTable } from './dynamodb-engine/tables.ts';

type Item = NonNullable<PutItemCommand['input']['Item']>;

describe.each(enginesUnderTest())('$name', ({ start }) => {
  let engine: StartedEngine;
  let client: DynamoDBClient;
  let TableName: string;

  beforeAll(async () => {
    engine = await start();
    client = clientFor(engine.endpoint);
  });
  afterAll(async () => {
    client.destroy();
    await engine.stop();
  });
  beforeEach(async () => {
    TableName = await createEventsTable(client);
  });

  const key = (sk = '1', pk = 'order') => ({ pk: { S: pk }, sk: { N: sk } });
  const put = (item: Item, more = {}) => client.send(new PutItemCommand({ TableName, Item: item, ...more }));
  const get = async (sk = '1', more = {}) =>
    (await client.send(new GetItemCommand({ TableName, Key: key(sk), ...more }))).Item;
  const update = (UpdateExpression: string, values?: Item, more: Partial<UpdateItemCommandInput> = {}) =>
    client.send(
      new UpdateItemCommand({
        TableName,
        Key: key(),
        UpdateExpression,
        ...(values && { ExpressionAttributeValues: values }),
        ...more,
      }),
    );
  const query = (more: Partial<QueryCommandInput> = {}) =>
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'order' } },
        ...more,
      }),
    );

  test('an item comes back as it was put, numbers in one form', async () => {
    const item = {
      ...key('1.50'),
      text: { S: 'é😀' },
      big: { N: '1234567890123456789012345678901234567.8' },
      tiny: { N: '1E-5' },
      flag: { BOOL: false },
      nothing: { NULL: true as const },
      bytes: { B: new Uint8Array([0, 255]) },
      tags: { SS: ['a', 'b'] },
      nested: { M: { list: { L: [{ N: '01' }, { S: '' }] } } },
    };
    await put(item);
    expect(await get('1.5')).toEqual({
      ...item,
      sk: { N: '1.5' },
      tiny: { N: '0.00001' },
      nested: { M: { list: { L: [{ N: '1' }, { S: '' }] } } },
    });
  });

  test('a number sort key orders by value, also below zero', async () => {
    for (const sk of ['10', '9', '-1', '-20', '0', '0.5', '-0.5', '1e3']) await put(key(sk));
    const { Items } = await query();
    expect(Items?.map((item) => item.sk?.N)).toEqual(['-20', '-1', '-0.5', '0', '0.5', '9', '10', '1000']);
    const between = await query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :a AND :b',
      ExpressionAttributeValues: { ':pk': { S: 'order' }, ':a': { N: '-0.5' }, ':b': { N: '9' } },
      ScanIndexForward: false,
    });
    expect(between.Items?.map((item) => item.sk?.N)).toEqual(['9', '0.5', '0', '-0.5']);
  });

  test('pages follow each other without gap or repetition, on the table and on an index', async () => {
    for (let n = 0; n < 5; n += 1) await put({ ...key(String(n)), shop: { S: 'x' }, at: { N: '7' } });
    for (const index of [{}, { IndexName: 'byShop' }]) {
      const condition = 'IndexName' in index ? { KeyConditionExpression: 'shop = :pk' } : {};
      const values = { ':pk': { S: 'IndexName' in index ? 'x' : 'order' } };
      const seen: (string | undefined)[] = [];
      let start: Item | undefined;
      for (let page = 0; page < 4; page += 1) {
        const answer = await query({
          ...index,
          ...condition,
          ExpressionAttributeValues: values,
          Limit: 2,
          ...(start && { ExclusiveStartKey: start }),
        });
        seen.push(...(answer.Items ?? []).map((item) => item.sk?.N));
        start = answer.LastEvaluatedKey;
        if (!start) break;
      }
      expect(seen.sort()).toEqual(['0', '1', '2', '3', '4']);
    }
  });

  test('a page ends at 1 MB', async () => {
    for (let n = 0; n < 4; n += 1) await put({ ...key(String(n)), filler: { S: 'x'.repeat(300 * 1024) } });
    const { Items, LastEvaluatedKey } = await query();
    expect(Items).toHaveLength(3);
    expect(LastEvaluatedKey).toEqual(key('2'));
  });

  test('an index holds only items that have its keys, and follows their changes', async () => {
    await put({ ...key('1'), shop: { S: 'a' }, at: { N: '1' }, note: { S: 'n' } });
    await put({ ...key('2'), shop: { S: 'a' } });
    const inShop = async (shop: string, IndexName: string) =>
      (
        await query({
          IndexName,
          KeyConditionExpression: 'shop = :s',
          ExpressionAttributeValues: { ':s': { S: shop } },
        })
      ).Items;
    expect(await inShop('a', 'byShop')).toHaveLength(1);
    expect(await inShop('a', 'keysByShop')).toHaveLength(2);
    await update('SET shop = :b', { ':b': { S: 'b' } });
    expect(await inShop('a', 'byShop')).toEqual([]);
    expect(await inShop('b', 'keysByShop')).toEqual([{ ...key('1'), shop: { S: 'b' } }]);
    await update('REMOVE shop');
    expect(await inShop('b', 'byShop')).toEqual([]);
  });

  test('an update changes nested values, lists, numbers and sets', async () => {
    await put({
      ...key(),
      count: { N: '0.1' },
      doc: { M: { a: { S: 'x' } } },
      steps: { L: [{ N: '1' }, { N: '2' }, { N: '3' }] },
      tags: { SS: ['a', 'b'] },
    });
    const { Attributes } = await update(
      'SET doc.#n = :v, #c = #c + :step, added = if_not_exists(absent, :v), steps[1] = :v REMOVE doc.a ADD spent :step DELETE tags :gone',
      { ':v': { S: 'new' }, ':step': { N: '0.2' }, ':gone': { SS: ['b'] } },
      { ExpressionAttributeNames: { '#n': 'name', '#c': 'count' }, ReturnValues: 'ALL_NEW' },
    );
    expect(Attributes).toEqual({
      ...key(),
      count: { N: '0.3' },
      doc: { M: { name: { S: 'new' } } },
      steps: { L: [{ N: '1' }, { S: 'new' }, { N: '3' }] },
      tags: { SS: ['a'] },
      added: { S: 'new' },
      spent: { N: '0.2' },
    });
  });

  test('an update appends to a list and returns what it changed', async () => {
    await put({ ...key(), list: { L: [{ N: '1' }] }, other: { S: 'o' } });
    const { Attributes } = await update(
      'SET #l = list_append(#l, :more)',
      { ':more': { L: [{ N: '2' }] } },
      { ExpressionAttributeNames: { '#l': 'list' }, ReturnValues: 'UPDATED_NEW' },
    );
    expect(Attributes).toEqual({ list: { L: [{ N: '1' }, { N: '2' }] } });
  });

  test('right-hand sides read the item as it was before the update', async () => {
    await put({ ...key(), a: { N: '1' }, b: { N: '2' } });
    await update('SET a = b, b = a');
    expect(await get()).toEqual({ ...key(), a: { N: '2' }, b: { N: '1' } });
  });

  test.each([
    ['attribute_exists(a) AND NOT attribute_exists(z)', true],
    ['attribute_type(m, :map) AND size(m) = :one', true],
    ['begins_with(s, :he) AND contains(s, :ll)', true],
    ['contains(tags, :he) OR contains(l, :one)', true],
    ['a IN (:zero, :one)', true],
    ['a BETWEEN :zero AND :one AND m.x = :he', true],
    ['z <> :one', true],
    ['z < :one OR s > :one', false],
    ['NOT (a = :one OR z = :one)', false],
  ])('the condition "%s" is %s', async (expression, holds) => {
    const all: Item = {
      ':one': { N: '1' },
      ':zero': { N: '0' },
      ':he': { S: 'he' },
      ':ll': { S: 'll' },
      ':map': { S: 'M' },
    };
    const used = Object.fromEntries(Object.entries(all).filter(([name]) => expression.includes(name)));
    await put({
      ...key(),
      a: { N: '1.0' },
      s: { S: 'hello' },
      m: { M: { x: { S: 'he' } } },
      l: { L: [{ N: '1' }] },
      tags: { SS: ['q'] },
    });
    const attempt = client.send(
      new DeleteItemCommand({
        TableName,
        Key: key(),
        ConditionExpression: expression,
        ...(Object.keys(used).length > 0 && { ExpressionAttributeValues: used }),
      }),
    );
    if (holds) await expect(attempt).resolves.toBeDefined();
    else await expect(attempt).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  });

  test('a failed condition returns the item if asked', async () => {
    await put({ ...key(), a: { S: 'old' } });
    const attempt = put(key(), {
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    await expect(attempt).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: { ...key(), a: { S: 'old' } },
    });
  });

  test('a transaction writes all or nothing and says by position why not', async () => {
    await put(key('1'));
    const attempt = client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName, Item: key('2') } },
          { Put: { TableName, Item: key('1'), ConditionExpression: 'attribute_not_exists(pk)' } },
        ],
      }),
    );
    await expect(attempt).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    });
    expect(await get('2')).toBeUndefined();
  });

  test('a transaction repeated with its token changes nothing the second time', async () => {
    const transaction = (step: string) =>
      client.send(
        new TransactWriteItemsCommand({
          ClientRequestToken: `token-of-${TableName}`,
          TransactItems: [
            {
              Update: {
                TableName,
                Key: key(),
                UpdateExpression: 'ADD n :step',
                ExpressionAttributeValues: { ':step': { N: step } },
              },
            },
          ],
        }),
      );
    await transaction('1');
    await transaction('1');
    expect(await get()).toEqual({ ...key(), n: { N: '1' } });
    await expect(transaction('2')).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' });
  });

  test('capacity is counted as AWS bills it', async () => {
    const ReturnConsumedCapacity = 'INDEXES' as const;
    const item = { ...key(), shop: { S: 'a' }, at: { N: '1' }, filler: { S: 'x'.repeat(1500) } };
    expect((await put(item, { ReturnConsumedCapacity })).ConsumedCapacity).toEqual({
      TableName,
      CapacityUnits: 5,
      Table: { CapacityUnits: 2 },
      GlobalSecondaryIndexes: { byShop: { CapacityUnits: 2 }, keysByShop: { CapacityUnits: 1 } },
    });
    const moved = await update('SET shop = :b', { ':b': { S: 'b' } }, { ReturnConsumedCapacity: 'TOTAL' });
    expect(moved.ConsumedCapacity?.CapacityUnits).toBe(2 + 4 + 2);
    const read = await client.send(
      new GetItemCommand({ TableName, Key: key(), ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' }),
    );
    expect(read.ConsumedCapacity?.CapacityUnits).toBe(1);
    const absent = await client.send(
      new GetItemCommand({ TableName, Key: key('404'), ReturnConsumedCapacity: 'TOTAL' }),
    );
    expect(absent.ConsumedCapacity?.CapacityUnits).toBe(0.5);
    const transacted = await client.send(
      new TransactWriteItemsCommand({
        ReturnConsumedCapacity: 'TOTAL',
        TransactItems: [{ Put: { TableName, Item: key('7') } }],
      }),
    );
    expect(transacted.ConsumedCapacity?.[0]?.CapacityUnits).toBe(2);
  });

  test('a query pays for the sum of its items, not for each', async () => {
    for (let n = 0; n < 6; n += 1) await put({ ...key(String(n)), filler: { S: 'x'.repeat(1000) } });
    const { ConsumedCapacity } = await query({ ReturnConsumedCapacity: 'TOTAL' });
    expect(ConsumedCapacity?.CapacityUnits).toBe(1);
  });

  test('batches write and read, also several tables', async () => {
    const other = await createEventsTable(client);
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [TableName]: [{ PutRequest: { Item: key('1') } }, { PutRequest: { Item: key('2') } }],
          [other]: [{ PutRequest: { Item: key('3') } }],
        },
      }),
    );
    const { Responses } = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [TableName]: { Keys: [key('1'), key('404')] }, [other]: { Keys: [key('3')] } },
      }),
    );
    expect(Responses).toEqual({ [TableName]: [key('1')], [other]: [key('3')] });
    const pair = await client.send(
      new TransactGetItemsCommand({ TransactItems: [{ Get: { TableName, Key: key('2') } }] }),
    );
    expect(pair.Responses).toEqual([{ Item: key('2') }]);
  });

  test('a projection returns only its paths, a filter only its items, a count no items', async () => {
    await put({ ...key('1'), doc: { M: { a: { N: '1' }, b: { N: '2' } } }, list: { L: [{ N: '5' }, { N: '6' }] } });
    await put(key('2'));
    const projected = await get('1', {
      ProjectionExpression: 'doc.b, #l[1]',
      ExpressionAttributeNames: { '#l': 'list' },
    });
    expect(projected).toEqual({ doc: { M: { b: { N: '2' } } }, list: { L: [{ N: '6' }] } });
    const filtered = await query({ FilterExpression: 'attribute_exists(doc)', Select: 'COUNT' });
    expect(filtered).toMatchObject({ Count: 1, ScannedCount: 2 });
    expect(filtered.Items).toBeUndefined();
    const first = await query({ Select: 'COUNT', Limit: 1 });
    expect(first).toMatchObject({ Count: 1, ScannedCount: 1, LastEvaluatedKey: key('1') });
    const rest = await query({ Select: 'COUNT', ExclusiveStartKey: first.LastEvaluatedKey });
    expect(rest).toMatchObject({ Count: 1, ScannedCount: 1 });
    expect(rest.LastEvaluatedKey).toBeUndefined();
    expect((await client.send(new ScanCommand({ TableName }))).Count).toBe(2);
  });

  test.each<[string, Item]>([
    ['a key that is missing', { pk: { S: 'order' } }],
    ['a key of another type', { pk: { S: 'order' }, sk: { S: '1' } }],
    ['an empty key', { pk: { S: '' }, sk: { N: '1' } }],
    ['an index key of another type', { pk: { S: 'order' }, sk: { N: '1' }, at: { S: 'now' } }],
    ['an empty set', { pk: { S: 'order' }, sk: { N: '1' }, tags: { SS: [] } }],
    ['a number that is none', { pk: { S: 'order' }, sk: { N: 'one' } }],
    ['a number of 39 digits', { pk: { S: 'order' }, sk: { N: '1'.repeat(39) } }],
    ['an item over 400 KB', { pk: { S: 'order' }, sk: { N: '1' }, filler: { S: 'x'.repeat(410_000) } }],
  ])('%s is refused', async (_, item) => {
    await expect(put(item)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test.each<[string, string, Item | undefined]>([
    ['a key attribute', 'SET pk = :v', { ':v': { S: 'x' } }],
    ['a reserved word', 'SET status = :v', { ':v': { S: 'x' } }],
    ['an unused value', 'SET a = :v', { ':v': { S: 'x' }, ':w': { S: 'y' } }],
    ['an undefined value', 'SET a = :v', undefined],
    ['overlapping paths', 'SET a = :v, a.b = :v', { ':v': { S: 'x' } }],
    ['a path through nothing', 'SET a.b = :v', { ':v': { S: 'x' } }],
    ['a sum with text', 'SET a = pk + :v', { ':v': { N: '1' } }],
    ['a section twice', 'SET a = :v SET b = :v', { ':v': { S: 'x' } }],
    ['no grammar', 'SET a = = :v', { ':v': { S: 'x' } }],
  ])('an update with %s is refused', async (_, expression, values) => {
    await expect(update(expression, values)).rejects.toMatchObject({ name: 'ValidationException' });
    expect(await get()).toBeUndefined();
  });

  test('a consistent read of an index and a table that is not there are refused', async () => {
    const consistent = query({
      IndexName: 'byShop',
      KeyConditionExpression: 'shop = :pk',
      ConsistentRead: true,
    });
    await expect(consistent).rejects.toMatchObject({ name: 'ValidationException' });
    const nowhere = client.send(new GetItemCommand({ TableName: 'no-such-table', Key: key() }));
    await expect(nowhere).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
