import { Aws, RemovalPolicy, Size, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { FamilyName } from '#schemas/families/index.ts';
import { anonymousMethods } from '../anonymous-paths.ts';
import { type ThrottleSetting, usualThrottle } from '../stage.ts';
import { ServiceLogGroup } from './service-log-group.ts';

export interface ApiProps {
  readonly functions: Record<FamilyName, IFunction>;
  /** Builds the OpenAPI document that API Gateway imports: routes, integrations and gateway responses. */
  readonly document: (integrationUri: (family: FamilyName) => string) => Record<string, unknown>;
  /** What each method takes of all callers. */
  readonly throttle?: ThrottleSetting | undefined;
}

const stageName = 'live';

/**
 * No path or query values, no IP address and no user agent: the log tells how the service works, not who requested
 * what.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    time: '$context.requestTimeEpoch',
    method: '$context.httpMethod',
    route: '$context.resourcePath',
    status: '$context.status',
    latency: '$context.responseLatency',
    integrationLatency: '$context.integrationLatency',
    integrationStatus: '$context.integrationStatus',
    integrationError: '$context.integrationErrorMessage',
    gatewayError: '$context.error.responseType',
    responseLength: '$context.responseLength',
  }),
);

const methodSettings = ({ rate, burst }: ThrottleSetting) => ({
  throttlingRateLimit: rate,
  throttlingBurstLimit: burst,
  // Alarms and dashboard use the metrics of the whole stage, which come anyway. Those of each method are billed.
  metricsEnabled: false,
  loggingLevel: MethodLoggingLevel.OFF,
  dataTraceEnabled: false,
});

const ofAnonymousMethods = ({ rate, burst }: ThrottleSetting) =>
  Object.fromEntries(
    anonymousMethods().map(({ method, path, share }) => [
      `${path}/${method}`,
      methodSettings({ rate: Math.ceil(rate * share), burst: Math.ceil(burst * share) }),
    ]),
  );

export class Api extends Construct {
  readonly restApi: SpecRestApi;
  readonly accessLog: ServiceLogGroup;

  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id);
    const throttle = props.throttle ?? usualThrottle;
    const { stackName } = Stack.of(this);
    const document = props.document((family) => integrationUri(props.functions[family]));
    this.accessLog = new ServiceLogGroup(this, 'AccessLog');
    this.restApi = new SpecRestApi(this, 'RestApi', {
      // CloudWatch tells APIs apart by their names only, so two stages must not have the same one.
      restApiName: stackName,
      apiDefinition: ApiDefinition.fromInline({ ...document, info: { ...Object(document.info), title: stackName } }),
      endpointTypes: [EndpointType.REGIONAL],
      // CloudFront compresses only what it caches, and it caches nothing of the API.
      minCompressionSize: Size.bytes(1024),
      // All APIs of an account and region that write logs share this role, so it must outlive this stack.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName,
        ...methodSettings(throttle),
        methodOptions: ofAnonymousMethods(throttle),
        // Traces of the gateway hold whole paths, and the path of a tracking page is a secret.
        tracingEnabled: false,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat,
      },
    });
    // The stack has its own output with this URL.
    this.restApi.node.tryRemoveChild('Endpoint');
    this.allowInvocation(Object.values(props.functions));
    this.acknowledgeFindings();
  }

  private allowInvocation(functions: readonly IFunction[]): void {
    for (const target of functions) {
      target.addPermission('InvokedByApi', {
        principal: new ServicePrincipal('apigateway.amazonaws.com'),
        sourceArn: this.restApi.arnForExecuteApi('*', '/*', stageName),
      });
      // No caller gets to a function that the API may not call yet.
      this.restApi.latestDeployment?.node.addDependency(target.node.findChild('InvokedByApi'));
    }
  }

  private acknowledgeFindings(): void {
    Validations.of(this.restApi).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason:
          'The functions validate with the same schemas and list every error of a request; the gateway’s validator ' +
          'would answer before authentication, and name only what it found first.',
      },
      {
        id: 'AwsSolutions-APIG3',
        reason:
          'The distribution is the place of a web ACL, and the functions refuse what did not come through it. Direct requests still count for the throttle of this stage, as every request does; who ' +
          'must keep them off it too attaches a second web ACL here.',
      },
      {
        id: 'AwsSolutions-APIG6',
        reason:
          'Execution logs hold paths and query values, which carry personal data, in a log group that never expires. ' +
          'The access log and the functions’ logs tell what went wrong.',
      },
      {
        id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        reason: 'The role belongs to API Gateway as a whole, for every API of the account; AWS defines its policy.',
      },
    );
  }
}

function integrationUri(target: IFunction): string {
  const invocations = `2015-03-31/functions/${target.functionArn}/invocations`;
  return `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${invocations}`;
}
