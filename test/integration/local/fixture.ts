import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Template } from '#lib/local/template/assembly.ts';

/** A small cloud assembly in the shapes that the CDK writes, with functions of a few lines. */

export interface Fixture {
  folder: string;
  remove(): void;
}

const sdk = (name: string) => import.meta.resolve(`@aws-sdk/${name}`);

const items = `
import { DynamoDBClient, GetItemCommand, PutItemCommand, ScanCommand, TransactWriteItemsCommand } from '${sdk('client-dynamodb')}';
const client = new DynamoDBClient({});
const TableName = process.env.TABLE_NAME;
const answer = (statusCode, body) => ({ statusCode, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
const actions = {
  put: (id, note) => client.send(new PutItemCommand({ TableName, Item: { pk: { S: id }, sk: { S: 'item' }, kind: { S: note } } })),
  get: async (id) => (await client.send(new GetItemCommand({ TableName, Key: { pk: { S: id }, sk: { S: 'item' } } }))).Item ?? null,
  scan: () => client.send(new ScanCommand({ TableName })),
  transact: (id) => client.send(new TransactWriteItemsCommand({ TransactItems: [
    { Delete: { TableName, Key: { pk: { S: id }, sk: { S: 'item' } } } },
  ] })),
};
export async function handler(event, context) {
  if (event.pathParameters?.id === 'crash') process.exit(3);
  if (event.pathParameters?.id === 'throw') throw new Error('broken');
  if (event.pathParameters?.id === 'malformed') return { message: 'no status' };
  if (event.pathParameters?.id === 'slow') await new Promise((resolve) => setTimeout(resolve, 60_000));
  if (event.resource === '/echo/{proxy+}') return answer(200, { event, left: context.getRemainingTimeInMillis(), home: process.env.HOME ?? null });
  try {
    const { action, note } = JSON.parse(event.body ?? '{"action":"get"}');
    return answer(200, await actions[action](event.pathParameters.id, note) ?? null);
  } catch (error) {
    return answer(500, { name: error.name, message: error.message });
  }
}
`;

// A function appends its events to a file that the test reads.
const recording = `
import { appendFileSync } from 'node:fs';
export const handler = async (event) => {
  appendFileSync(process.env.RECORD_FILE, JSON.stringify(event) + '\\n');
  const failed = event.Records.filter((record) => (record.body ?? record.dynamodb.NewImage.pk.S).includes('poison'));
  if (event.Records[0].dynamodb && failed.length > 0) throw new Error('poisoned batch');
  return { batchItemFailures: failed.map((record) => ({ itemIdentifier: record.messageId })) };
};
`;

const assets = { items, recording };

const integration = (functionId: string) => ({
  'x-amazon-apigateway-integration': {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: {
      'Fn::Join': [
        '',
        [
          'arn:',
          { Ref: 'AWS::Partition' },
          ':apigateway:',
          { Ref: 'AWS::Region' },
          ':lambda:path/2015-03-31/functions/',
          { 'Fn::GetAtt': [functionId, 'Arn'] },
          '/invocations',
        ],
      ],
    },
  },
});

const lambda = (asset: keyof typeof assets, roleId: string, variables: Record<string, unknown>, more: object = {}) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    Code: { S3Bucket: { 'Fn::Sub': 'cdk-assets-${AWS::AccountId}-${AWS::Region}' }, S3Key: `${asset}.zip` },
    Handler: 'index.handler',
    Role: { 'Fn::GetAtt': [roleId, 'Arn'] },
    Environment: { Variables: variables },
    MemorySize: 256,
    Timeout: 10,
    ...more,
  },
});

const policy = (roleId: string, ...Statement: unknown[]) => ({
  Type: 'AWS::IAM::Policy',
  Properties: { PolicyName: `${roleId}Policy`, Roles: [{ Ref: roleId }], PolicyDocument: { Statement } },
});

const allow = (Action: string[], Resource: unknown, Condition?: unknown) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...(Condition ? { Condition } : {}),
});

const tableArn = { 'Fn::GetAtt': ['Table', 'Arn'] };
const role = { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {} } };

export function fixtureTemplate(recordFile: string): Template {
  return {
    Resources: {
      Table: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: {
          AttributeDefinitions: [
            { AttributeName: 'pk', AttributeType: 'S' },
            { AttributeName: 'sk', AttributeType: 'S' },
          ],
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
          Replicas: [{ Region: { Ref: 'AWS::Region' } }],
        },
      },
      Queue: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          // Longer than a slow machine takes for a batch: a message that is visible again before that comes twice.
          VisibilityTimeout: 4,
          RedrivePolicy: {
            deadLetterTargetArn: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] },
            maxReceiveCount: 2,
          },
        },
      },
      DeadLetters: { Type: 'AWS::SQS::Queue' },
      FailedBatches: { Type: 'AWS::SQS::Queue' },
      Bucket: { Type: 'AWS::S3::Bucket' },
      Key: { Type: 'AWS::KMS::Key' },
      ItemsRole: role,
      ItemsPolicy: policy(
        'ItemsRole',
        allow(['dynamodb:PutItem', 'dynamodb:GetItem'], tableArn, {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ITEM#*'] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        }),
      ),
      Items: lambda('items', 'ItemsRole', { TABLE_NAME: { Ref: 'Table' } }),
      ItemsPermission: {
        Type: 'AWS::Lambda::Permission',
        Properties: {
          Action: 'lambda:InvokeFunction',
          FunctionName: { 'Fn::GetAtt': ['Items', 'Arn'] },
          Principal: 'apigateway.amazonaws.com',
          SourceArn: { 'Fn::Sub': 'arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/*/*/*' },
        },
      },
      ReaderRole: role,
      ReaderPolicy: policy(
        'ReaderRole',
        allow(
          ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:SendMessage'],
          [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, { 'Fn::GetAtt': ['FailedBatches', 'Arn'] }],
        ),
        allow(['dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:DescribeStream'], {
          'Fn::GetAtt': ['Table', 'StreamArn'],
        }),
      ),
      QueueReader: lambda('recording', 'ReaderRole', { RECORD_FILE: `${recordFile}.queue` }),
      StreamReader: lambda('recording', 'ReaderRole', { RECORD_FILE: `${recordFile}.stream` }),
      QueueMapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] },
          FunctionName: { Ref: 'QueueReader' },
          BatchSize: 10,
          FunctionResponseTypes: ['ReportBatchItemFailures'],
          ScalingConfig: { MaximumConcurrency: 2 },
        },
      },
      StreamMapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
          FunctionName: { Ref: 'StreamReader' },
          BatchSize: 10,
          StartingPosition: 'TRIM_HORIZON',
          BisectBatchOnFunctionError: true,
          MaximumRetryAttempts: 1,
          DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['FailedBatches', 'Arn'] } } },
          FilterCriteria: {
            Filters: [{ Pattern: JSON.stringify({ dynamodb: { NewImage: { kind: { S: ['event'] } } } }) }],
          },
        },
      },
      Api: {
        Type: 'AWS::ApiGateway::RestApi',
        Properties: {
          Body: {
            openapi: '3.0.1',
            paths: {
              '/items/{id}': {
                get: integration('Items'),
                put: integration('Items'),
                'x-amazon-apigateway-any-method': {
                  'x-amazon-apigateway-integration': {
                    type: 'mock',
                    requestTemplates: { 'application/json': '{"statusCode": 405}' },
                    responses: {
                      default: {
                        statusCode: '405',
                        responseParameters: { 'method.response.header.Allow': "'GET, PUT'" },
                        responseTemplates: { 'application/json': '{"error":"method"}' },
                      },
                    },
                  },
                },
              },
              '/echo/{proxy+}': { post: integration('Items') },
              '/forbidden': { get: integration('QueueReader') },
            },
            'x-amazon-apigateway-binary-media-types': ['image/*'],
            'x-amazon-apigateway-gateway-responses': {
              MISSING_AUTHENTICATION_TOKEN: {
                statusCode: '404',
                responseParameters: { 'gatewayresponse.header.X-Request': 'context.requestId' },
                responseTemplates: { 'application/json': '{"error":"route","id":"$context.requestId"}' },
              },
              DEFAULT_5XX: { statusCode: '500', responseTemplates: { 'application/json': '{"error":"unexpected"}' } },
            },
          },
        },
      },
      Stage: {
        Type: 'AWS::ApiGateway::Stage',
        Properties: {
          StageName: 'live',
          RestApiId: { Ref: 'Api' },
          MethodSettings: [
            { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 },
          ],
        },
      },
    },
    Outputs: {
      TableName: { Value: { Ref: 'Table' } },
      QueueUrl: { Value: { Ref: 'Queue' } },
      FailedBatchesUrl: { Value: { Ref: 'FailedBatches' } },
      DeadLettersUrl: { Value: { Ref: 'DeadLetters' } },
      BucketName: { Value: { Ref: 'Bucket' } },
      KeyId: { Value: { Ref: 'Key' } },
      Domain: { Value: { 'Fn::GetAtt': ['Missing', 'DomainName'] } },
    },
  };
}

export function writeFixture(template: Template): Fixture {
  const folder = mkdtempSync(join(tmpdir(), 'local-stack-'));
  const manifest = {
    artifacts: {
      Fixture: { type: 'aws:cloudformation:stack', properties: { templateFile: 'Fixture.template.json' } },
      'Fixture.assets': { type: 'cdk:asset-manifest', properties: { file: 'Fixture.assets.json' } },
    },
  };
  const files = Object.keys(assets).map((name) => [
    name,
    { source: { path: `asset.${name}` }, destinations: { here: { objectKey: `${name}.zip` } } },
  ]);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'Fixture.assets.json'), JSON.stringify({ files: Object.fromEntries(files) }));
  writeFileSync(join(folder, 'Fixture.template.json'), JSON.stringify(template));
  for (const [name, code] of Object.entries(assets)) {
    mkdirSync(join(folder, `asset.${name}`));
    writeFileSync(join(folder, `asset.${name}`, 'index.mjs'), code);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
