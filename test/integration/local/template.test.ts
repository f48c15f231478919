import { describe, expect, test } from 'vitest';
import type { Template } from '#lib/local/template/assembly.ts';
import { createResolver } from '#lib/local/template/intrinsics.ts';
import { physicalNames } from '#lib/local/template/physical-names.ts';
import { resolveStack } from '#lib/local/template/template.ts';

const template: Template = {
  Parameters: { Size: { Type: 'String', Default: 'small' }, Open: { Type: 'String' } },
  Conditions: {
    IsSmall: { 'Fn::Equals': [{ Ref: 'Size' }, 'small'] },
    IsLarge: { 'Fn::Not': [{ Condition: 'IsSmall' }] },
    Either: { 'Fn::Or': [{ Condition: 'IsLarge' }, { Condition: 'IsSmall' }] },
    Both: { 'Fn::And': [{ Condition: 'IsLarge' }, { Condition: 'IsSmall' }] },
  },
  Resources: {
    Table: { Type: 'AWS::DynamoDB::Table' },
    Queue: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
    Bucket: { Type: 'AWS::S3::Bucket' },
    Named: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'given' } },
    Absent: { Type: 'AWS::SQS::Queue', Condition: 'IsLarge' },
    Site: { Type: 'AWS::CloudFront::Distribution' },
  },
  Outputs: {
    Table: { Value: { Ref: 'Table' } },
    Site: { Value: { 'Fn::GetAtt': ['Site', 'DomainName'] } },
    Large: { Value: 'x', Condition: 'IsLarge' },
  },
};
const endpoint = 'http://127.0.0.1:4000';
const resolver = createResolver(template, 'Shop', physicalNames('Shop', endpoint));
const tableArn = 'arn:aws:dynamodb:eu-central-1:000000000000:table/Shop-Table';

describe('intrinsic functions', () => {
  test.each<[string, unknown, unknown]>([
    ['a pseudo parameter', { Ref: 'AWS::Region' }, 'eu-central-1'],
    ['the stack name', { Ref: 'AWS::StackName' }, 'Shop'],
    ["a parameter's default", { Ref: 'Size' }, 'small'],
    ['a table name', { Ref: 'Table' }, 'Shop-Table'],
    ['a queue URL at the endpoint of the functions', { Ref: 'Queue' }, `${endpoint}/000000000000/Shop-Queue.fifo`],
    ['a name that is given', { 'Fn::GetAtt': ['Named', 'Arn'] }, 'arn:aws:sqs:eu-central-1:000000000000:given'],
    ['a bucket in lower case', { Ref: 'Bucket' }, 'shop-bucket'],
    ['a bucket ARN', { 'Fn::GetAtt': ['Bucket', 'Arn'] }, 'arn:aws:s3:::shop-bucket'],
    ['an attribute by a dotted name', { 'Fn::GetAtt': 'Table.Arn' }, tableArn],
    ['a join', { 'Fn::Join': ['/', [{ 'Fn::GetAtt': ['Table', 'Arn'] }, 'index', '*']] }, `${tableArn}/index/*`],
    [
      'a substitution',
      { 'Fn::Sub': '${AWS::AccountId}:${Table}:${Table.Arn}:${!Kept}' },
      `000000000000:Shop-Table:${tableArn}:\${Kept}`,
    ],
    ['a substitution with its own names', { 'Fn::Sub': ['${A}-${Size}', { A: { Ref: 'Table' } }] }, 'Shop-Table-small'],
    ['a selection of a split', { 'Fn::Select': ['1', { 'Fn::Split': ['-', { Ref: 'Table' }] }] }, 'Table'],
    ['a condition that holds', { 'Fn::If': ['IsSmall', 'yes', 'no'] }, 'yes'],
    ['a condition that does not hold', { 'Fn::If': ['Both', 'yes', 'no'] }, 'no'],
    ['an alternative of two conditions', { 'Fn::If': ['Either', 'yes', 'no'] }, 'yes'],
    ['no value in an object', { a: { Ref: 'AWS::NoValue' }, b: 1 }, { b: 1 }],
    ['no value in a list', [{ Ref: 'AWS::NoValue' }, 1], [1]],
  ])('resolve %s', (_what, value, expected) => {
    expect(resolver.resolve(value)).toEqual(expected);
  });

  test.each<[string, unknown, RegExp]>([
    ['a missing resource', { Ref: 'Nothing' }, /refers to Nothing/],
    ['an unknown attribute', { 'Fn::GetAtt': ['Site', 'DomainName'] }, /no value for Site.DomainName/],
    ['a parameter without a default', { Ref: 'Open' }, /Open has no default/],
    ['an unknown function', { 'Fn::ImportValue': 'x' }, /does not support Fn::ImportValue/],
  ])('name %s in the error', (_what, value, message) => {
    expect(() => resolver.resolve(value)).toThrow(message);
  });
});

describe('the stack', () => {
  const stack = resolveStack(template, 'Shop', endpoint);

  test('omits a resource whose condition does not hold', () => {
    expect(stack.resources('AWS::SQS::Queue').map(({ logicalId }) => logicalId)).toEqual(['Queue', 'Named']);
  });

  test('omits outputs that the local stack has no value for', () => {
    expect(stack.outputs()).toEqual({ Table: 'Shop-Table' });
  });
});
