import { describe, expect, test } from 'vitest';
import { dynamoDbAccesses } from '#lib/local/iam/dynamodb-request.ts';
import { type Access, firstDenied, isAllowed } from '#lib/local/iam/evaluate.ts';
import { kmsAccesses } from '#lib/local/iam/kms-request.ts';
import { readStatements } from '#lib/local/iam/policies.ts';
import { s3Accesses } from '#lib/local/iam/s3-request.ts';
import { sqsAccesses } from '#lib/local/iam/sqs-request.ts';

type Document = Parameters<typeof readStatements>[0];
const table = 'arn:aws:dynamodb:eu-central-1:000000000000:table/T';
const leading = (...keys: string[]) => ({ 'dynamodb:leadingkeys': keys });
const access = (action: string, resource = table, context: Access['context'] = {}): Access => ({
  action,
  resource,
  context,
});
const policy = (...Statement: unknown[]) => readStatements({ Statement } as Document);
const allow = (Action: unknown, Resource: unknown, Condition?: unknown) => ({
  Effect: 'Allow',
  Action,
  Resource,
  Condition,
});
const deny = (Action: unknown, Resource: unknown, Condition?: unknown) => ({
  Effect: 'Deny',
  Action,
  Resource,
  Condition,
});

describe('a policy', () => {
  test.each<[string, unknown[], Access, boolean]>([
    ['allows the action that it names', [allow('dynamodb:GetItem', table)], access('dynamodb:GetItem'), true],
    ['refuses another action', [allow('dynamodb:GetItem', table)], access('dynamodb:PutItem'), false],
    ['refuses another resource', [allow('dynamodb:GetItem', table)], access('dynamodb:GetItem', `${table}2`), false],
    ['refuses everything when empty', [], access('dynamodb:GetItem'), false],
    ['compares actions without case', [allow('DynamoDB:getitem', table)], access('dynamodb:GetItem'), true],
    [
      'supports the star',
      [allow('dynamodb:*Item', `${table}/index/*`)],
      access('dynamodb:PutItem', `${table}/index/a`),
      true,
    ],
    ['supports the question mark', [allow('dynamodb:?utItem', table)], access('dynamodb:PutItem'), true],
    ['treats a dot as a dot', [allow('*', 'arn:aws:s3:::a.b/*')], access('s3:GetObject', 'arn:aws:s3:::axb/k'), false],
    ['gives a denial precedence', [allow('*', '*'), deny('dynamodb:Scan', '*')], access('dynamodb:Scan'), false],
    [
      'does not apply a denial to other actions',
      [allow('*', '*'), deny('dynamodb:Scan', '*')],
      access('dynamodb:Query'),
      true,
    ],
    ['supports NotAction', [{ Effect: 'Allow', NotAction: 's3:*', Resource: '*' }], access('s3:GetObject'), false],
    ['supports NotResource', [{ Effect: 'Allow', Action: '*', NotResource: table }], access('dynamodb:GetItem'), false],
  ])('%s', (_what, statements, request, allowed) => {
    expect(isAllowed(policy(...statements), request)).toBe(allowed);
  });
});

describe('a condition', () => {
  const shops = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SHOP#*'] } };
  const present = { Null: { 'dynamodb:LeadingKeys': 'false' } };
  test.each<[string, unknown, Access['context'], boolean]>([
    ['on all values holds when all match', shops, leading('SHOP#1', 'SHOP#2'), true],
    ['on all values fails when one does not match', shops, leading('SHOP#1', 'KEY#2'), false],
    ['on all values holds on an empty set, as on AWS', shops, {}, true],
    ['on absence fails on an empty set', { ...shops, ...present }, {}, false],
    ['on absence holds with a present key', { ...shops, ...present }, leading('SHOP#1'), true],
    ['on any value holds when one matches', { 'ForAnyValue:StringEquals': { k: ['a'] } }, { k: ['b', 'a'] }, true],
    ['on any value fails on an empty set', { 'ForAnyValue:StringEquals': { k: ['a'] } }, {}, false],
    ['of equality needs the key', { StringEquals: { k: 'a' } }, {}, false],
    ['of equality with IfExists does not need the key', { StringEqualsIfExists: { k: 'a' } }, {}, true],
    ['of inequality holds without the key', { StringNotEquals: { k: 'a' } }, {}, true],
    ['of inequality fails on the value', { StringNotEquals: { k: ['a', 'b'] } }, { k: ['b'] }, false],
    ['of dissimilarity fails on a match', { StringNotLike: { k: 'a*' } }, { k: ['ab'] }, false],
    ['of a boolean compares booleans', { Bool: { k: true } }, { k: ['true'] }, true],
    ['of an ARN supports wildcards', { ArnLike: { k: 'arn:aws:sqs:*:*:q' } }, { k: ['arn:aws:sqs:r:1:q'] }, true],
    [
      'compares key names without case',
      { StringEquals: { 'KMS:EncryptionContext:Shop': 'a' } },
      { 'kms:encryptioncontext:shop': ['a'] },
      true,
    ],
    ['with an unknown operator fails', { IpAddress: { k: '10.0.0.0/8' } }, { k: ['10.0.0.1'] }, false],
  ])('%s', (_what, condition, context, allowed) => {
    const statements = policy(allow('*', '*', condition));
    expect(isAllowed(statements, access('dynamodb:Query', table, context))).toBe(allowed);
  });

  test('with an unknown operator makes a denial apply', () => {
    const statements = policy(allow('*', '*'), deny('*', '*', { IpAddress: { k: '10.0.0.0/8' } }));
    expect(isAllowed(statements, access('dynamodb:Query'))).toBe(false);
  });
});

describe('a DynamoDB request', () => {
  const partitionKey = (_table: string, index?: string) => (index === undefined ? 'pk' : 'lpk');
  const of = (operation: string, body: Record<string, unknown>) => dynamoDbAccesses(operation, body, partitionKey);
  const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });

  test('for one item needs its leading key', () => {
    expect(of('GetItem', { TableName: 'T', Key: key('A') })).toEqual([access('dynamodb:GetItem', table, leading('A'))]);
    expect(of('PutItem', { TableName: 'T', Item: key('A') })).toEqual([
      access('dynamodb:PutItem', table, leading('A')),
    ]);
  });

  test('may name the table by its ARN', () => {
    expect(of('GetItem', { TableName: table, Key: key('A') })).toEqual([
      access('dynamodb:GetItem', table, leading('A')),
    ]);
  });

  test('for a batch is one action per table with all leading keys', () => {
    expect(of('BatchGetItem', { RequestItems: { T: { Keys: [key('A'), key('B'), key('A')] } } })).toEqual([
      access('dynamodb:BatchGetItem', table, leading('A', 'B')),
    ]);
    const writes = [{ PutRequest: { Item: key('A') } }, { DeleteRequest: { Key: key('B') } }];
    expect(of('BatchWriteItem', { RequestItems: { T: writes } })).toEqual([
      access('dynamodb:BatchWriteItem', table, leading('A', 'B')),
    ]);
  });

  const neededBy = (accesses: readonly Access[]) =>
    accesses.map(({ action, context }) => [action, context['dynamodb:leadingkeys']]);

  test('for a transaction needs each action for its own item, and for all keys of the request', () => {
    const TableName = 'T';
    const TransactItems = [
      { Put: { TableName, Item: key('A') } },
      { Put: { TableName, Item: key('B') } },
      { Update: { TableName, Key: key('B') } },
      { Delete: { TableName, Key: key('C') } },
      { ConditionCheck: { TableName, Key: key('D') } },
    ];
    const needed = of('TransactWriteItems', { TransactItems });
    const all = ['A', 'B', 'C', 'D'];
    expect(neededBy(needed)).toEqual([
      ['dynamodb:PutItem', ['A']],
      ['dynamodb:PutItem', ['B']],
      ['dynamodb:UpdateItem', ['B']],
      ['dynamodb:DeleteItem', ['C']],
      ['dynamodb:ConditionCheckItem', ['D']],
      ['dynamodb:PutItem', all],
      ['dynamodb:UpdateItem', all],
      ['dynamodb:DeleteItem', all],
      ['dynamodb:ConditionCheckItem', all],
    ]);
    for (const { context } of needed) expect(context['dynamodb:enclosingoperation']).toEqual(['TransactWriteItems']);
  });

  test('for a transaction that reads needs its action for all keys, too', () => {
    const TransactItems = ['A', 'B'].map((name) => ({ Get: { TableName: 'T', Key: key(name) } }));
    expect(neededBy(of('TransactGetItems', { TransactItems }))).toEqual([
      ['dynamodb:GetItem', ['A']],
      ['dynamodb:GetItem', ['B']],
      ['dynamodb:GetItem', ['A', 'B']],
    ]);
  });

  test('for a transaction over two tables holds the keys of each table together', () => {
    const items = [
      ['T', 'A'],
      ['U', 'B'],
      ['T', 'C'],
    ] as const;
    const TransactItems = items.map(([TableName, name]) => ({ Put: { TableName, Item: key(name) } }));
    expect(neededBy(of('TransactWriteItems', { TransactItems }).slice(3))).toEqual([['dynamodb:PutItem', ['A', 'C']]]);
  });

  test.each([
    [
      'grants each action only the keys of its own items',
      [
        ['dynamodb:PutItem', 'A'],
        ['dynamodb:UpdateItem', 'B'],
      ],
      false,
    ],
    ['grants the actions all keys in one statement', [[['dynamodb:PutItem', 'dynamodb:UpdateItem'], 'A', 'B']], true],
    [
      'grants all keys in several statements',
      [
        ['dynamodb:*', 'A'],
        ['dynamodb:*', 'B'],
      ],
      false,
    ],
  ] as const)('for a transaction is judged by a policy that %s', (_what, granted, allowed) => {
    const TransactItems = [{ Put: { TableName: 'T', Item: key('A') } }, { Update: { TableName: 'T', Key: key('B') } }];
    const statements = policy(
      ...granted.map(([actions, ...keys]) =>
        allow(actions, table, { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } }),
      ),
    );
    expect(firstDenied(statements, of('TransactWriteItems', { TransactItems })) === undefined).toBe(allowed);
  });

  test.each<[string, string]>([
    ['by its name', 'pk = :p AND begins_with(sk, :s)'],
    ['by a placeholder', '#p = :p and sk = :s'],
    ['with the value first', ':p = #p AND sk BETWEEN :s AND :s'],
    ['after the sort key', '(sk = :s) AND (pk=:p)'],
  ])('for a query finds the partition key that is written %s', (_how, KeyConditionExpression) => {
    const ExpressionAttributeValues = { ':p': { S: 'A' }, ':s': { S: 'B' } };
    const query = {
      TableName: 'T',
      KeyConditionExpression,
      ExpressionAttributeValues,
      ExpressionAttributeNames: { '#p': 'pk' },
    };
    expect(of('Query', query)).toEqual([access('dynamodb:Query', table, leading('A'))]);
  });

  test("for a query on an index needs the index and its partition key's value", () => {
    const query = {
      TableName: 'T',
      IndexName: 'lists',
      KeyConditionExpression: 'lpk = :p',
      ExpressionAttributeValues: { ':p': { S: 'SHOPS' } },
    };
    expect(of('Query', query)).toEqual([access('dynamodb:Query', `${table}/index/lists`, leading('SHOPS'))]);
  });

  test('for a scan has no leading keys', () => {
    expect(of('Scan', { TableName: 'T' })).toEqual([access('dynamodb:Scan', table)]);
  });
});

describe('an SQS request', () => {
  const queue = 'arn:aws:sqs:eu-central-1:000000000000:q';
  test.each<[string, string]>([
    ['SendMessage', 'sqs:SendMessage'],
    ['SendMessageBatch', 'sqs:SendMessage'],
    ['DeleteMessageBatch', 'sqs:DeleteMessage'],
    ['ChangeMessageVisibilityBatch', 'sqs:ChangeMessageVisibility'],
    ['ReceiveMessage', 'sqs:ReceiveMessage'],
  ])('%s needs %s', (operation, action) => {
    expect(sqsAccesses(operation, { QueueUrl: 'http://127.0.0.1:1/000000000000/q' })).toEqual([access(action, queue)]);
  });
});

describe('an S3 request', () => {
  const of = (method: string, url: string, headers = {}, body = '') =>
    s3Accesses({ method, url, headers, body }).map(({ action, resource }) => [action, resource]);

  test.each<[string, string, string, string]>([
    ['GET', '/b/a/k%20x', 's3:GetObject', 'arn:aws:s3:::b/a/k x'],
    ['HEAD', '/b/k', 's3:GetObject', 'arn:aws:s3:::b/k'],
    ['PUT', '/b/k?x-id=PutObject', 's3:PutObject', 'arn:aws:s3:::b/k'],
    ['DELETE', '/b/k', 's3:DeleteObject', 'arn:aws:s3:::b/k'],
    ['GET', '/b/k?versionId=1', 's3:GetObjectVersion', 'arn:aws:s3:::b/k'],
    ['DELETE', '/b/k?uploadId=1', 's3:AbortMultipartUpload', 'arn:aws:s3:::b/k'],
    ['GET', '/b?list-type=2', 's3:ListBucket', 'arn:aws:s3:::b'],
    ['GET', '/b/../c/k', 's3:GetObject', 'arn:aws:s3:::b/../c/k'],
    ['PATCH', '/b', 's3:Unknown', 'arn:aws:s3:::b'],
    ['GET', '/', 's3:ListAllMyBuckets', '*'],
  ])('%s %s needs %s', (method, url, action, resource) => {
    expect(of(method, url)).toEqual([[action, resource]]);
  });

  test('that copies an object also needs to read the source', () => {
    expect(of('PUT', '/b/k', { 'x-amz-copy-source': 'c/old%20key' })).toEqual([
      ['s3:PutObject', 'arn:aws:s3:::b/k'],
      ['s3:GetObject', 'arn:aws:s3:::c/old key'],
    ]);
  });

  test('that deletes many objects needs access to each', () => {
    const body = '<Delete><Object><Key>a&amp;b</Key></Object><Object><Key>c</Key></Object></Delete>';
    expect(of('POST', '/b?delete', {}, body)).toEqual([
      ['s3:DeleteObject', 'arn:aws:s3:::b/a&b'],
      ['s3:DeleteObject', 'arn:aws:s3:::b/c'],
    ]);
  });
});

test('a KMS request has its encryption context', () => {
  const [needed] = kmsAccesses('Encrypt', { EncryptionContext: { Shop: 'acme' } }, 'arn:key');
  expect(needed).toEqual(
    access('kms:Encrypt', 'arn:key', { 'kms:encryptioncontext:shop': ['acme'], 'kms:encryptioncontextkeys': ['Shop'] }),
  );
});

test('a request is allowed only if every access of it is allowed', () => {
  const statements = policy(allow('dynamodb:PutItem', '*'));
  const needed = [access('dynamodb:PutItem'), access('dynamodb:DeleteItem')];
  expect(firstDenied(statements, needed)?.action).toBe('dynamodb:DeleteItem');
});
