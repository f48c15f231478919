import { join } from 'node:path';
import { type CfnElement, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  type BehaviorOptions,
  CachePolicy,
  Function as CloudFrontFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Bucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct, type IConstruct } from 'constructs';
import { assetPrefix } from '../asset-prefix.ts';
import { consolePath } from '../bundling/console.ts';
import { accountWideName } from './account-wide-name.ts';
import { ServiceBucket } from './service-bucket.ts';
import { ServiceLogGroup } from './service-log-group.ts';

/**
 * Scripts and styles come from files of the console only. Images come from everywhere, because merchants name the
 * addresses of products and logos.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self'",
  "frame-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Of what a browser could be asked for, the console uses nothing. */
const permissionsPolicy = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Every address of the console is the same page, which reads the address itself. Only assets are files of their own. */
const everyViewIsThePage = `
function handler(event) {
  var request = event.request;
  if (!request.uri.startsWith('/${consolePath}/assets/')) request.uri = '/${consolePath}/index.html';
  return request;
}
`;

/** The merchant console: its files in a bucket, and how the distribution of the API serves them. */
export class Console extends Construct {
  /** By path pattern. */
  readonly behaviors: Record<string, BehaviorOptions>;

  constructor(scope: Construct, id: string, { bundles }: { readonly bundles: string }) {
    super(scope, id);
    // A first deployment that fails could not delete a bucket that has files, and would not be rolled back for it.
    const bucket = new ServiceBucket(this, 'Bucket', { removalPolicy: RemovalPolicy.RETAIN });
    acknowledgeBucketFindings(bucket);
    this.deploy(bucket, new Asset(this, 'Files', { path: join(bundles, consolePath) }));
    const behavior = this.behavior(bucket);
    this.behaviors = { [`/${consolePath}`]: behavior, [`/${consolePath}/*`]: behavior };
  }

  /**
   * The page comes last, because it names the assets. Assets of earlier deployments stay, because pages that are open
   * load them later.
   */
  private deploy(bucket: Bucket, files: Asset): void {
    const logGroup = new ServiceLogGroup(this, 'DeploymentLogs');
    const common = {
      sources: [Source.bucket(files.bucket, files.s3ObjectKey)],
      destinationBucket: bucket as IBucket,
      destinationKeyPrefix: consolePath,
      prune: false,
      logGroup,
      role: this.deploymentRole(bucket, files, logGroup),
    };
    const assets = new BucketDeployment(this, 'Assets', {
      ...common,
      exclude: ['*'],
      include: ['assets/*'],
      cacheControl: [CacheControl.setPublic(), CacheControl.maxAge(Duration.days(365)), CacheControl.immutable()],
    });
    const page = new BucketDeployment(this, 'Page', {
      ...common,
      exclude: ['assets/*'],
      cacheControl: [CacheControl.noCache()],
    });
    page.node.addDependency(assets);
    // Both have one function, which uses the layer of the first: this one nobody would use.
    page.node.tryRemoveChild('AwsCliLayer');
    acknowledgeDeploymentFindings(page);
  }

  /**
   * Not the role that the deployment would make: that one may read all assets of the account and delete every file. It may read
   * the assets of this service, those of every version: if it named only the present one, its policy would change with each
   * deployment, just before the deployment uses it, and IAM takes its time to let all of AWS know (the advice is to keep such
   * changes out of what must succeed at once:
   * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_general.html#troubleshoot_general_eventual-consistency).
   */
  private deploymentRole(bucket: Bucket, files: Asset, logGroup: ServiceLogGroup): IRole {
    const allow = (action: string, ...resources: string[]) => new PolicyStatement({ actions: [action], resources });
    const role = new Role(this, 'DeploymentRole', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Deployment: new PolicyDocument({
          statements: [
            allow('s3:GetObject', files.bucket.arnForObjects(`${assetPrefix}*`)),
            allow('s3:ListBucket', bucket.bucketArn),
            allow('s3:PutObject', bucket.arnForObjects(`${consolePath}/*`)),
            allow('logs:CreateLogStream', logGroup.logGroupArn),
            allow('logs:PutLogEvents', logGroup.logGroupArn),
          ],
        }),
      },
    });
    const bucketId = Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnElement);
    Validations.of(role).acknowledge(
      {
        id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/${consolePath}/*]`,
        reason: 'The deployment writes the files of the console, whose names hold hashes, and nothing else.',
      },
      {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/${assetPrefix}*]`,
        reason:
          'The deployment reads the packed files of the console, of this version and of the one it may go back to.',
      },
    );
    return role.withoutPolicyUpdates();
  }

  private behavior(bucket: Bucket): BehaviorOptions {
    const views = new CloudFrontFunction(this, 'Views', {
      functionName: accountWideName(this, 'console'),
      code: FunctionCode.fromInline(everyViewIsThePage),
      runtime: FunctionRuntime.JS_2_0,
    });
    const originAccessControl = new S3OriginAccessControl(this, 'Access', {
      originAccessControlName: accountWideName(this, 'console'),
    });
    return {
      origin: S3BucketOrigin.withOriginAccessControl(bucket as IBucket, { originAccessControl }),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.headers(),
      functionAssociations: [{ function: views, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: true,
    };
  }

  private headers(): ResponseHeadersPolicy {
    const override = true;
    return new ResponseHeadersPolicy(this, 'Headers', {
      responseHeadersPolicyName: accountWideName(this, 'console'),
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override },
        contentTypeOptions: { override },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override },
        // Without any referrer a form that the console sends into a frame has no origin either, and would be refused.
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override },
      },
      customHeadersBehavior: {
        customHeaders: [
          { header: 'Permissions-Policy', value: permissionsPolicy, override },
          { header: 'Cross-Origin-Opener-Policy', value: 'same-origin', override },
        ],
      },
    });
  }
}

/** One function of the CDK serves all deployments of the stack. */
function acknowledgeDeploymentFindings(deployment: BucketDeployment): void {
  const isHandler = ({ node }: IConstruct) => node.id.startsWith('Custom::CDKBucketDeployment');
  Validations.of(Stack.of(deployment).node.children.find(isHandler)!).acknowledge({
    id: 'AwsSolutions-L1',
    reason: 'The function is the CDK’s own, which chooses its runtime; it runs during deployments only.',
  });
}

function acknowledgeBucketFindings(bucket: Bucket): void {
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'The bucket holds the public files of the console only; who reads them is nobody’s secret.',
  });
}
