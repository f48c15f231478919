import { createHash } from 'node:crypto';
import type { Resource } from './assembly.ts';

export const region = 'eu-central-1';
export const account = '000000000000';

/** The value of a reference to a resource. Names are made from the logical id, so data survive a restart. */
export interface PhysicalNames {
  ref(logicalId: string, resource: Resource): string;
  attribute(logicalId: string, resource: Resource, attribute: string): string | undefined;
}

type Namer = (context: { logicalId: string; name: string; endpoint: string; host: string | undefined }) => {
  ref: string;
  attributes: Record<string, string>;
};

const arn = (service: string, resource: string, scope = `${region}:${account}`) =>
  `arn:aws:${service}:${scope}:${resource}`;
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

const table: Namer = ({ name }) => ({
  ref: name,
  attributes: { Arn: arn('dynamodb', `table/${name}`), StreamArn: arn('dynamodb', `table/${name}/stream/local`) },
});

const namers: Record<string, Namer> = {
  'AWS::DynamoDB::Table': table,
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::SQS::Queue': ({ name, endpoint }) => ({
    ref: `${endpoint}/${account}/${name}`,
    attributes: { Arn: arn('sqs', name), QueueName: name, QueueUrl: `${endpoint}/${account}/${name}` },
  }),
  'AWS::S3::Bucket': ({ name, endpoint }) => {
    const bucket = bucketName(name);
    const host = new URL(endpoint).host;
    return {
      ref: bucket,
      attributes: {
        Arn: arn('s3', bucket, ':'),
        DomainName: `${bucket}.${host}`,
        RegionalDomainName: `${bucket}.${host}`,
      },
    };
  },
  'AWS::CloudFront::Distribution': ({ name, host }) => ({
    ref: name,
    attributes: { Arn: arn('cloudfront', `distribution/${name}`, `:${account}`), ...(host && { DomainName: host }) },
  }),
  'AWS::CloudFront::Function': ({ name }) => {
    const functionArn = arn('cloudfront', `function/${name}`, `:${account}`);
    return { ref: functionArn, attributes: { FunctionARN: functionArn } };
  },
  'AWS::KMS::Key': ({ name }) => {
    const id = uuidFrom(name);
    return { ref: id, attributes: { Arn: arn('kms', `key/${id}`), KeyId: id } };
  },
  'AWS::Lambda::Function': ({ name }) => ({
    ref: shorten(name, 64),
    attributes: { Arn: arn('lambda', `function:${shorten(name, 64)}`) },
  }),
  // A reference to it is the ARN of its function, which nothing here needs.
  'AWS::Lambda::Url': ({ name }) => ({
    ref: name,
    attributes: { FunctionUrl: `https://${digest(name).slice(0, 32)}.lambda-url.${region}.on.aws/` },
  }),
  'AWS::IAM::Role': ({ name }) => ({
    ref: shorten(name, 64),
    attributes: {
      Arn: arn('iam', `role/${shorten(name, 64)}`, `:${account}`),
      RoleId: `AROA${digest(name).slice(0, 17)}`,
    },
  }),
  'AWS::IAM::ManagedPolicy': ({ name }) => {
    const policyArn = arn('iam', `policy/${name}`, `:${account}`);
    return { ref: policyArn, attributes: { PolicyArn: policyArn } };
  },
  'AWS::ApiGateway::RestApi': ({ name }) => ({
    ref: digest(name).slice(0, 10),
    attributes: { RootResourceId: digest(name).slice(10, 20), RestApiId: digest(name).slice(0, 10) },
  }),
  // SES takes at most 64 letters.
  'AWS::SES::ConfigurationSet': ({ name }) => ({
    ref: shorten(name, 64),
    attributes: { Arn: arn('ses', `configuration-set/${shorten(name, 64)}`) },
  }),
  'AWS::Events::Rule': ({ name }) => ({ ref: name, attributes: { Arn: arn('events', `rule/${name}`) } }),
  'AWS::Logs::LogGroup': ({ name }) => ({ ref: name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } }),
  'AWS::SNS::Topic': ({ name }) => ({
    ref: arn('sns', name),
    attributes: { TopicArn: arn('sns', name), TopicName: name },
  }),
};

// A resource type that does not run here still needs a name and an ARN, because policies and environments may refer to
// it.
const otherResource: Namer = ({ name }) => ({ ref: name, attributes: { Arn: arn('local', name), Id: name } });

const nameProperties: Record<string, string> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::IAM::Role': 'RoleName',
  'AWS::ApiGateway::Stage': 'StageName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::Logs::LogGroup': 'LogGroupName',
};

export function physicalNames(stackName: string, endpoint: string, host?: string): PhysicalNames {
  const describe = (logicalId: string, resource: Resource) => {
    const ownName = resource.Properties?.[nameProperties[resource.Type] ?? ''];
    const fifo = resource.Type === 'AWS::SQS::Queue' && resource.Properties?.FifoQueue === true ? '.fifo' : '';
    const name = typeof ownName === 'string' ? ownName : `${stackName}-${logicalId}${fifo}`;
    return (namers[resource.Type] ?? otherResource)({ logicalId, name, endpoint, host });
  };
  return {
    ref: (logicalId, resource) => describe(logicalId, resource).ref,
    attribute: (logicalId, resource, attribute) => describe(logicalId, resource).attributes[attribute],
  };
}

function bucketName(name: string): string {
  return shorten(name.toLowerCase().replace(/[^a-z0-9.-]/g, '-'), 63);
}

/** AWS limits the length of names. A hash replaces the rest, so two long names stay different. */
function shorten(name: string, limit: number): string {
  return name.length <= limit ? name : `${name.slice(0, limit - 9)}-${digest(name).slice(0, 8)}`;
}

function uuidFrom(text: string): string {
  const hex = digest(text);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
