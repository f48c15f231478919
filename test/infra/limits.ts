import { type Resource, resourcesOf, type Template } from './synthesis.ts';

/**
 * What AWS allows, and how to count what a template has of it. A count that reaches its limit makes a deployment fail, sometimes
 * after half of it was done. So the tests fail at a share of the limit, when there is time to do something.
 */
export interface Limit {
  readonly what: string;
  readonly most: number;
  readonly source: string;
  /** The share that a template may use. 1 where the use is meant to be near the limit and does not grow. */
  readonly share?: number;
  /** What the template has: of each resource that has the limit, by its name. */
  readonly used: (template: Template) => Record<string, number>;
}

const usualShare = 0.8;

const guide = 'https://docs.aws.amazon.com';
const sources = {
  cloudFormation: `${guide}/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html`,
  restApi: `${guide}/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html`,
  iam: `${guide}/IAM/latest/UserGuide/reference_iam-quotas.html`,
  lambda: `${guide}/lambda/latest/dg/gettingstarted-limits.html`,
  lambdaFilters: `${guide}/lambda/latest/dg/invocation-eventfiltering.html`,
  lambdaOfQueues: `${guide}/lambda/latest/dg/services-sqs-parameters.html`,
  lambdaOfStreams: `${guide}/lambda/latest/dg/services-ddb-params.html`,
  lambdaReserved: `${guide}/lambda/latest/api/API_PutFunctionConcurrency.html`,
  table: `${guide}/amazondynamodb/latest/developerguide/ServiceQuotas.html`,
  alarms: `${guide}/AmazonCloudWatch/latest/monitoring/alarm-limits.html`,
  putAlarm: `${guide}/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html`,
  cloudWatch: `${guide}/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html`,
  cloudFront: `${guide}/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html`,
  queue: `${guide}/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html`,
  queuePolicy: `${guide}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html`,
  rules: `${guide}/eventbridge/latest/userguide/eb-rules-best-practices.html`,
  keyPolicy: `${guide}/kms/latest/developerguide/resource-limits.html`,
  bucketPolicy: `${guide}/AmazonS3/latest/userguide/add-bucket-policy.html`,
};

const mappingType = 'AWS::Lambda::EventSourceMapping';
const tableType = 'AWS::DynamoDB::GlobalTable';
const alarmType = 'AWS::CloudWatch::Alarm';
const dashboardType = 'AWS::CloudWatch::Dashboard';
const distributionType = 'AWS::CloudFront::Distribution';
const queueType = 'AWS::SQS::Queue';

export const limits: readonly Limit[] = [
  one('resources of the template', 500, sources.cloudFormation, ({ Resources }) => Object.keys(Resources).length),
  // Without white space. The file of `cdk synth` is measured by the test of the command line.
  one('characters of the template', 1_000_000, sources.cloudFormation, (template) => JSON.stringify(template).length),
  one('outputs of the template', 200, sources.cloudFormation, ({ Outputs }) => Object.keys(Outputs).length),
  one('characters of the longest logical id', 255, sources.cloudFormation, ({ Resources }) =>
    Math.max(...Object.keys(Resources).map((id) => id.length)),
  ),

  each('resources of a REST API', 300, sources.restApi, 'AWS::ApiGateway::RestApi', ({ Body }) => placesOf(Body.paths)),

  each('characters of all inline policies of a role', 10_240, sources.iam, 'AWS::IAM::Role', (role, id, template) =>
    lengthOf(inlinePolicies(id, role, template)),
  ),
  each('managed policies of a role', 10, sources.iam, 'AWS::IAM::Role', (role) => role.ManagedPolicyArns?.length ?? 0),
  each('characters of a trust policy', 2048, sources.iam, 'AWS::IAM::Role', (role) =>
    lengthOf(role.AssumeRolePolicyDocument),
  ),

  each('bytes of an environment', 4096, sources.lambda, 'AWS::Lambda::Function', ({ Environment }) =>
    lengthsOf(Environment?.Variables ?? {}),
  ),
  each('seconds of a function', 900, sources.lambda, 'AWS::Lambda::Function', ({ Timeout }) => Timeout ?? 3, 1),
  each(
    'MB of memory of a function',
    10_240,
    sources.lambda,
    'AWS::Lambda::Function',
    ({ MemorySize }) => MemorySize ?? 128,
  ),
  each('layers of a function', 5, sources.lambda, 'AWS::Lambda::Function', ({ Layers }) => Layers?.length ?? 0),
  // An account has 1,000 concurrent executions, of which 100 cannot be reserved.
  one('reserved executions of all functions', 900, sources.lambdaReserved, (template) =>
    resourcesOf(template, 'AWS::Lambda::Function').reduce(
      (sum, [, { Properties }]) => sum + (Properties.ReservedConcurrentExecutions ?? 0),
      0,
    ),
  ),

  // One of them lets kinds pass that are not known yet, so that no sixth is needed.
  each(
    'filters of a mapping',
    5,
    sources.lambdaFilters,
    mappingType,
    (own) => own.FilterCriteria?.Filters.length ?? 0,
    1,
  ),
  each('characters of a filter', 4096, sources.lambdaFilters, mappingType, (own) =>
    Math.max(0, ...(own.FilterCriteria?.Filters ?? []).map(({ Pattern }: { Pattern: unknown }) => lengthOf(Pattern))),
  ),
  each('records of a batch', 10_000, sources.lambdaOfQueues, mappingType, ({ BatchSize }) => BatchSize),
  each(
    'seconds of a batching window',
    300,
    sources.lambdaOfQueues,
    mappingType,
    (own) => own.MaximumBatchingWindowInSeconds ?? 0,
  ),
  each(
    'executions of a mapping',
    1000,
    sources.lambdaOfQueues,
    mappingType,
    (own) => own.ScalingConfig?.MaximumConcurrency ?? 0,
  ),
  each('batches of a shard at once', 10, sources.lambdaOfStreams, mappingType, (own) => own.ParallelizationFactor ?? 1),
  // Two readers are meant to be there, and a third has no place.
  one('readers of the stream', 2, sources.table, (template) => streamReaders(template), 1),

  each('indexes of a table', 20, sources.table, tableType, (own) => own.GlobalSecondaryIndexes.length),
  each(
    'projected attributes of all indexes',
    100,
    sources.table,
    tableType,
    (own) =>
      own.GlobalSecondaryIndexes.flatMap(
        ({ Projection }: { Projection: { NonKeyAttributes?: string[] } }) => Projection.NonKeyAttributes ?? [],
      ).length,
  ),
  each('units a second of a table', 40_000, sources.table, tableType, ({ WarmThroughput }) =>
    Math.max(WarmThroughput?.ReadUnitsPerSecond ?? 0, WarmThroughput?.WriteUnitsPerSecond ?? 0),
  ),

  each(
    'metrics of an alarm',
    10,
    sources.alarms,
    alarmType,
    ({ Metrics = [] }) => Metrics.filter(({ MetricStat }: { MetricStat?: unknown }) => MetricStat).length,
    1,
  ),
  each('characters of the description of an alarm', 1024, sources.putAlarm, alarmType, (own) =>
    lengthOf(own.AlarmDescription ?? ''),
  ),
  each('actions of an alarm', 5, sources.putAlarm, alarmType, (own) => own.AlarmActions?.length ?? 0),
  each('widgets of the dashboard', 500, sources.cloudWatch, dashboardType, (own) => widgetsOf(own).length),
  each('metrics of a widget', 500, sources.cloudWatch, dashboardType, (own) =>
    Math.max(...widgetsOf(own).map(metricsOf)),
  ),
  each('metrics of the dashboard', 2500, sources.cloudWatch, dashboardType, (own) =>
    widgetsOf(own).reduce((sum, widget) => sum + metricsOf(widget), 0),
  ),

  each(
    'behaviours of a distribution',
    75,
    sources.cloudFront,
    distributionType,
    ({ DistributionConfig: own }) => 1 + (own.CacheBehaviors?.length ?? 0),
  ),
  each(
    'origins of a distribution',
    100,
    sources.cloudFront,
    distributionType,
    ({ DistributionConfig: own }) => own.Origins.length,
  ),
  each('headers that an origin gets', 30, sources.cloudFront, distributionType, ({ DistributionConfig: own }) =>
    Math.max(
      ...own.Origins.map((origin: { OriginCustomHeaders?: unknown[] }) => origin.OriginCustomHeaders?.length ?? 0),
    ),
  ),
  each('bytes of a function of CloudFront', 10_240, sources.cloudFront, 'AWS::CloudFront::Function', (own) =>
    lengthOf(own.FunctionCode),
  ),
  each(
    'own headers of a policy of answers',
    10,
    sources.cloudFront,
    'AWS::CloudFront::ResponseHeadersPolicy',
    (own) => own.ResponseHeadersPolicyConfig.CustomHeadersConfig?.Items.length ?? 0,
  ),

  each(
    'seconds that a queue keeps messages',
    1_209_600,
    sources.queue,
    queueType,
    (own) => own.MessageRetentionPeriod ?? 345_600,
    1,
  ),
  each('seconds that a message stays hidden', 43_200, sources.queue, queueType, (own) => own.VisibilityTimeout ?? 30),
  each('seconds of delay of a queue', 900, sources.queue, queueType, (own) => own.DelaySeconds ?? 0),
  // The figure is chosen for the days that it makes: lib/capacity.md, "Messages that wait for the end of an outage".
  each(
    'receives before a dead letter',
    1000,
    sources.queue,
    queueType,
    (own) => own.RedrivePolicy?.maxReceiveCount ?? 0,
    1,
  ),
  each('bytes of the policy of a queue', 8192, sources.queuePolicy, 'AWS::SQS::QueuePolicy', (own) =>
    lengthOf(own.PolicyDocument),
  ),
  each(
    'statements of the policy of a queue',
    20,
    sources.queuePolicy,
    'AWS::SQS::QueuePolicy',
    (own) => own.PolicyDocument.Statement.length,
  ),

  each('targets of a rule', 5, sources.rules, 'AWS::Events::Rule', ({ Targets }) => Targets?.length ?? 0),
  each('bytes of the policy of a key', 32_768, sources.keyPolicy, 'AWS::KMS::Key', (own) => lengthOf(own.KeyPolicy)),
  each('bytes of the policy of a bucket', 20_480, sources.bucketPolicy, 'AWS::S3::BucketPolicy', (own) =>
    lengthOf(own.PolicyDocument),
  ),
];

/** What of a template is nearer to a limit than it should be, as sentences. */
export function overLimits({ what, most, source, share = usualShare }: Limit, used: Record<string, number>): string[] {
  return Object.entries(used)
    .filter(([, count]) => !(count <= most * share))
    .map(([id, count]) => `${id} has ${count} of ${most} ${what}: ${source}`);
}

type Properties = Resource['Properties'];

function one(what: string, most: number, source: string, count: (template: Template) => number, share?: number): Limit {
  return { what, most, source, ...(share && { share }), used: (template) => ({ template: count(template) }) };
}

function each(
  what: string,
  most: number,
  source: string,
  type: string,
  count: (own: Properties, id: string, template: Template) => number,
  share?: number,
): Limit {
  const used = (template: Template) =>
    Object.fromEntries(
      resourcesOf(template, type).map(([id, { Properties }]) => [id, count(Properties ?? {}, id, template)]),
    );
  return { what, most, source, ...(share && { share }), used };
}

const streamReaders = (template: Template): number =>
  resourcesOf(template, mappingType).filter(([, { Properties }]) => Properties.StartingPosition !== undefined).length;

/** Each part of a path is a resource of API Gateway, and so is the root. */
function placesOf(paths: Record<string, unknown>): number {
  const places = Object.keys(paths).flatMap((path) => {
    const parts = path.split('/').filter((part) => part !== '');
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  return new Set(places).size + 1;
}

/** Those of the role itself, and those that the template attaches to it. */
function inlinePolicies(id: string, role: Properties, template: Template): unknown[] {
  const isAttached = ({ Roles = [] }: Properties) => Roles.some((one: { Ref?: string }) => one.Ref === id);
  const attached = resourcesOf(template, 'AWS::IAM::Policy').map(([, { Properties }]) => Properties);
  return [...(role.Policies ?? []), ...attached.filter(isAttached)].map(({ PolicyDocument }) => PolicyDocument);
}

interface Widget {
  readonly properties?: { readonly metrics?: readonly unknown[] };
}

const widgetsOf = ({ DashboardBody }: Properties): Widget[] => JSON.parse(textOf(DashboardBody)).widgets;
const metricsOf = ({ properties }: Widget): number => properties?.metrics?.length ?? 0;

/** About as long as the ARN of a table or a queue, with the name that CloudFormation makes up. */
const unknownValue = 'x'.repeat(100);

const lengthsOf = (variables: Record<string, unknown>): number =>
  Object.entries(variables).reduce((sum, [name, value]) => sum + name.length + lengthOf(value), 0);

const lengthOf = (value: unknown): number => Buffer.byteLength(textOf(value));

/** As AWS gets it: what only CloudFormation knows is as long as an ARN, and no text has white space around JSON. */
function textOf(value: unknown): string {
  const resolved = resolvedOf(value);
  return typeof resolved === 'string' ? resolved : JSON.stringify(resolved);
}

function resolvedOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolvedOf);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, inside] = ['', undefined]] = Object.entries(value);
  if (name === 'Fn::Join') {
    const [separator, parts] = inside as [string, unknown[]];
    return parts.map(textOf).join(separator);
  }
  if (name === 'Ref' && typeof inside === 'string' && inside.startsWith('AWS::')) return inside;
  if (name === 'Ref' || name.startsWith('Fn::')) return unknownValue;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolvedOf(one)]));
}
