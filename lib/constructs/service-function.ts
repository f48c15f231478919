import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type TableGrant, tableStatement } from './table-grant.ts';

export interface ServiceFunctionProps {
  /** The name in logs, metrics and traces. */
  readonly serviceName: string;
  /** The folder that holds the bundle, `index.mjs`. */
  readonly bundle: string;
  readonly timeout: Duration;
}

/** Every function of the service. It starts with the right to write its own logs and traces, and no other. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // A role of its own instead of the managed basic one, which may write to every log group of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      code: Code.fromAsset(props.bundle),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      // Processor time grows with memory. A request is mostly processor work (TLS, validation, JSON), so 1 GB takes
      // about half the time of 512 MB at about the same price.
      memorySize: 1024,
      timeout: props.timeout,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: Tracing.ACTIVE,
      environment: {
        NODE_OPTIONS: '--enable-source-maps',
        POWERTOOLS_SERVICE_NAME: props.serviceName,
        POWERTOOLS_METRICS_NAMESPACE: 'PostPurchase',
        POWERTOOLS_LOG_LEVEL: 'INFO',
      },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'xray:PutTraceSegments and xray:PutTelemetryRecords know no resource: AWS accepts only *.',
    });
  }

  useTable(table: TableV2, grants: readonly TableGrant[]): void {
    this.lambda.addEnvironment('TABLE_NAME', table.tableName);
    for (const grant of grants) this.lambda.addToRolePolicy(tableStatement(table, grant));
  }

  encryptWith(key: IKey): void {
    this.lambda.addEnvironment('CREDENTIALS_KEY_ID', key.keyId);
    // Not grantEncrypt: that also lets a function re-encrypt and make data keys.
    this.lambda.addToRolePolicy(new PolicyStatement({ actions: ['kms:Encrypt'], resources: [key.keyArn] }));
  }
}
