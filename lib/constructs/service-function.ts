import { type CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  type CfnFunction,
  Code,
  type EventSourceMapping,
  type EventSourceMappingOptions,
  FunctionUrlAuthType,
  type IFunctionUrl,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { KeyRateSetting } from '../stage.ts';
import { countLines, failedInvocation, logMetrics, metricsNamespace } from './log-metrics.ts';
import type { RetriedQueue } from './retried-queue.ts';
import { logLevelOf, ServiceLogGroup } from './service-log-group.ts';
import { spreadOf } from './spread-shipments.ts';
import { type TableGrant, tableStatement } from './table-grant.ts';

export interface ServiceFunctionProps {
  /** The name in logs and metrics. */
  readonly serviceName: string;
  /** The folder with the bundle, `index.mjs`. */
  readonly bundle: string;
  readonly timeout: Duration;
  /** Megabytes, if not as many as usual. */
  readonly memory?: number;
  /** The VPC of the function, if it does not run in Lambda's own network. */
  readonly network?: Network | undefined;
}

export interface Network {
  readonly vpc: IVpc;
  readonly vpcSubnets: SubnetSelection;
}

/** A name in the encryption context, with any value or with this value, or one of these. */
export interface EncryptedFor {
  readonly place: string;
  readonly value?: string | readonly string[];
}

export type MappingOptions = Omit<EventSourceMappingOptions, 'eventSourceArn' | 'reportBatchItemFailures'>;

type ObjectAction = 'AbortMultipartUpload' | 'DeleteObject' | 'DeleteObjectVersion' | 'GetObject' | 'PutObject';

/** The base of every function. At first it may only write its own logs. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly serviceName: string;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.serviceName = props.serviceName;
    const logLevel = logLevelOf(this);
    const logGroup = new ServiceLogGroup(this, 'Logs');
    // Its own role instead of the managed basic policy, which allows writing to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    if (props.network) this.letJoinNetwork(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      // CPU grows with memory. A request is mostly CPU work (TLS, validation, JSON), so 1 GB takes about half the time
      // of 512 MB for about the same price.
      memorySize: props.memory ?? 1024,
      timeout: props.timeout,
      role,
      ...(props.network && { vpc: props.network.vpc, vpcSubnets: props.network.vpcSubnets }),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Lambda's own lines tell how long each invocation took, and how much memory: two lines, half a kilobyte, in every stage.
      // No level for ours: Lambda takes a line without a level for INFO, and the lines by which functions count metrics have none.
      systemLogLevelV2: SystemLogLevel.INFO,
      // Nothing is bundled that traces what a function does, so a trace would show no more than the invocation, which logs and
      // metrics show. Lambda would send one for each second and 5 % of the rest, at $5 for a million.
      tracing: Tracing.DISABLED,
      environment: {
        POWERTOOLS_SERVICE_NAME: props.serviceName,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(this),
        POWERTOOLS_LOG_LEVEL: logLevel,
      },
    });
    countLines(this, logGroup, logMetrics.failedInvocations, failedInvocation);
  }

  private letJoinNetwork(role: Role): void {
    role.addToPolicy(new PolicyStatement({ actions: networkActions, resources: ['*'] }));
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'The actions on network interfaces by which Lambda places a function in a network know no resource: AWS accepts only *.',
    });
  }

  useTable(table: TableV2, grants: readonly TableGrant[]): void {
    this.lambda.addEnvironment('TABLE_NAME', table.tableName);
    for (const [name, value] of Object.entries(spreadOf(this))) this.lambda.addEnvironment(name, value);
    for (const grant of grants) this.lambda.addToRolePolicy(tableStatement(table, grant));
  }

  encryptWith(key: IKey): void {
    this.lambda.addEnvironment('CREDENTIALS_KEY_ID', key.keyId);
    // Not grantEncrypt, because it also allows re-encryption and data keys.
    this.allow(['kms:Encrypt'], key.keyArn);
  }

  /** Allows making data keys for one place. */
  createDataKeysWith(key: IKey, place: EncryptedFor): void {
    this.lambda.addEnvironment('CREDENTIALS_KEY_ID', key.keyId);
    const conditions = encryptedFor(place);
    this.lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['kms:GenerateDataKeyWithoutPlaintext'], resources: [key.keyArn], conditions }),
    );
  }

  /** Allows decrypting what was encrypted for one place. No function may decrypt everything. */
  decryptWith(key: IKey, only: EncryptedFor): void {
    this.lambda.addEnvironment('CREDENTIALS_KEY_ID', key.keyId);
    const conditions = encryptedFor(only);
    this.lambda.addToRolePolicy(new PolicyStatement({ actions: ['kms:Decrypt'], resources: [key.keyArn], conditions }));
  }

  /** The public URL of the service. */
  publicUrl(url: string): void {
    this.lambda.addEnvironment('PUBLIC_URL', url);
  }

  /** It refuses requests that did not come through the distribution. @param marks those by which it knows them */
  knowDistribution(marks: readonly string[]): void {
    this.lambda.addEnvironment('DISTRIBUTION_MARK', marks.join(','));
  }

  /** So many of it run at once, and no more: the others neither take these nor wait for more. */
  reserve(concurrency: number): void {
    (this.lambda.node.defaultChild as CfnFunction).reservedConcurrentExecutions = concurrency;
  }

  /**
   * An address of its own, without API Gateway. Everybody may call it, because forms of browsers cannot be signed. The function
   * refuses what did not come through the distribution.
   */
  addUrl(): IFunctionUrl {
    const url = this.lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    // Whoever leads requests to the URL waits for it, and the URL for the two permissions that it needs since October 2025:
    // https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
    url.node.addDependency(...['invoke-function-url', 'invoke-function'].map((id) => this.lambda.node.findChild(id)));
    return url;
  }

  /** It checks API keys, and limits what each of them uses. */
  limitKeys(rate: KeyRateSetting): void {
    this.lambda.addEnvironment('KEY_RATE', JSON.stringify(rate));
  }

  /** @param variable the environment variable for the name of the bucket */
  useBucket(bucket: Bucket, variable: string, actions: readonly ObjectAction[], ...prefixes: readonly string[]): void {
    this.lambda.addEnvironment(variable, bucket.bucketName);
    this.allow(
      actions.map((action) => `s3:${action}`),
      ...prefixes.map((prefix) => bucket.arnForObjects(`${prefix}*`)),
    );
    const bucketId = Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnElement);
    Validations.of(this.lambda.role!).acknowledge(
      ...prefixes.map((prefix) => ({
        id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/${prefix}*]`,
        reason: 'The objects under this prefix are what the function works with; their names are not known before.',
      })),
    );
  }

  /** It finds all versions of an object, and sees that one is gone. */
  listVersionsOf(bucket: Bucket): void {
    this.allow(['s3:ListBucket', 's3:ListBucketVersions'], bucket.bucketArn);
  }

  /** S3 says that an object does not exist only to those who may list the bucket. */
  knowMissingIn(bucket: Bucket): void {
    this.allow(['s3:ListBucket'], bucket.bucketArn);
  }

  /** Lambda itself keeps what it gives up, with the role of the function. */
  keepGivenUpIn(bucket: Bucket, prefix: string): void {
    this.allow(['s3:ListBucket'], bucket.bucketArn);
    this.useBucket(bucket, 'PAYLOAD_BUCKET', ['PutObject'], prefix);
  }

  /**
   * Runs the function for batches of messages. Messages that it reports as failed are retried. `id` distinguishes the
   * mapping of a second queue.
   */
  readQueue(queue: IQueue, options: MappingOptions, id = 'Queue'): void {
    // A mapping reads with the role of the function. Not SqsEventSource, because it also grants actions that a mapping
    // does not need.
    this.allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], queue.queueArn);
    this.map(id, queue.queueArn, options);
  }

  /**
   * The same for a queue whose messages wait for the end of an outage: the function itself says when a failed message returns, and
   * puts aside what it can never handle. @param variables the environment variables for the URLs of the two queues
   */
  readRetriedQueue(
    queue: RetriedQueue,
    variables: { queue: string; failures: string },
    options: MappingOptions,
    id?: string,
  ): void {
    this.readQueue(queue, options, id);
    this.delayMessagesOf(queue, variables.queue);
    this.sendTo(queue.failures, variables.failures);
  }

  /** Runs the function for batches of the table's changes. */
  readStream(table: TableV2, options: MappingOptions): EventSourceMapping {
    // Not DynamoEventSource, because it allows listing the streams of every table of the account.
    this.allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams'],
      table.tableStreamArn!,
    );
    return this.map('Stream', table.tableStreamArn!, options);
  }

  /** It counts the messages of queues. @param queues each with the queue where its messages are put aside */
  watchQueues(queues: readonly { name: string; queue: IQueue; failures: IQueue }[]): void {
    const urls = queues.map(({ name, queue, failures }) => ({
      name,
      queue: queue.queueUrl,
      failures: failures.queueUrl,
    }));
    this.lambda.addEnvironment('WATCHED_QUEUES', Stack.of(this).toJsonString(urls));
    const arns = queues.flatMap(({ queue, failures }) => [queue.queueArn, failures.queueArn]);
    this.allow(['sqs:GetQueueAttributes'], ...arns);
  }

  /** @param variable the environment variable for the URL of the queue */
  sendTo(queue: IQueue, variable: string): void {
    this.lambda.addEnvironment(variable, queue.queueUrl);
    this.allow(['sqs:SendMessage'], queue.queueArn);
  }

  /**
   * The function sends messages to a queue that it reads. Lambda takes that for a mistake: after about 16 messages that
   * caused each other it no longer runs the function for the next one, unless it is told that they are meant. Each caller
   * says what ends such a chain, because nothing else does.
   * @param variable the environment variable for the URL of the queue
   */
  sendBackTo(queue: IQueue, variable: string): void {
    this.sendTo(queue, variable);
    (this.lambda.node.defaultChild as CfnFunction).recursiveLoop = RecursiveLoop.ALLOW;
  }

  /**
   * The function itself decides when a failed message returns. @param variable the environment variable for the URL of
   * the queue
   */
  delayMessagesOf(queue: IQueue, variable: string): void {
    this.lambda.addEnvironment(variable, queue.queueUrl);
    this.allow(['sqs:ChangeMessageVisibility'], queue.queueArn);
  }

  runEvery(interval: Duration): void {
    // A failed round is not retried, because the next round does the same work. The rule only hands the event over.
    // Lambda itself runs a failed function twice more, unless it is told not to, and keeps an event for six hours.
    this.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.seconds(60) });
    const target = new FunctionTarget(this.lambda, { retryAttempts: 0, maxEventAge: Duration.seconds(60) });
    new Rule(this, 'Schedule', { schedule: Schedule.rate(interval), targets: [target] });
  }

  private map(id: string, eventSourceArn: string, options: MappingOptions): EventSourceMapping {
    return this.lambda.addEventSourceMapping(id, { ...options, eventSourceArn, reportBatchItemFailures: true });
  }

  private allow(actions: string[], ...resources: string[]): void {
    this.lambda.addToRolePolicy(new PolicyStatement({ actions, resources }));
  }
}

function encryptedFor({ place, value }: EncryptedFor) {
  const key = `kms:EncryptionContext:${place}`;
  return value === undefined ? { Null: { [key]: 'false' } } : { StringEquals: { [key]: value } };
}

/**
 * Lambda creates the network interfaces with the role of the function. The managed policy grants these actions and
 * access to logs.
 */
const networkActions = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];
