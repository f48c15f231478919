import { Aws, Fn, Validations } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution as CloudFrontDistribution,
  Function as CloudFrontFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { FunctionUrlOrigin, RestApiOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IFunctionUrl } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import {
  distributionDomainHeader,
  distributionHeader,
  distributionViewerHeader,
} from '#schemas/catalogues/distribution.ts';
import type { Stage } from '../stage.ts';
import { accountWideName } from './account-wide-name.ts';

export interface DistributionProps {
  readonly restApi: RestApiBase;
  /** What other paths than those of the API are served from, by path pattern. */
  readonly behaviors?: Record<string, BehaviorOptions>;
  /** What anonymous callers use. It goes to functions directly. */
  readonly urls?: readonly UrlPaths[];
  /** What it marks its requests with. */
  readonly mark: string;
  /** The ARN of a web ACL of the region us-east-1. */
  readonly webAcl?: string | undefined;
  /** Without it the API has a cloudfront.net address. */
  readonly domain?: Stage['domain'] | undefined;
}

interface UrlPaths {
  readonly url: IFunctionUrl;
  readonly pathPatterns: readonly string[];
}

/**
 * The mark of a stage that gives none: the random part of the stack's id. Nobody outside the account knows it, and it needs no
 * secret store, whose values CloudFormation would write into the distribution in plain text too.
 */
export const usualMark = Fn.select(2, Fn.split('/', Aws.STACK_ID));

/**
 * A function of CloudFront. Functions of the API learn from it which address they have, if they have no domain, and who calls,
 * if they are called by their URL.
 */
const namesItself = `
function handler(event) {
  var headers = event.request.headers;
  headers['${distributionDomainHeader}'] = { value: event.context.distributionDomainName };
  headers['${distributionViewerHeader}'] = { value: event.viewer.ip };
  return event.request;
}
`;

/**
 * The public address of the API: TLS near the caller, HTTP/3. It caches nothing of the API. HTTP is refused, because who is led to
 * HTTPS has sent the credentials before; pages for people lead there.
 */
export class Distribution extends Construct {
  readonly url: string;
  /** Where the DNS record of an own domain leads to. */
  readonly domainName: string;

  constructor(scope: Construct, id: string, props: DistributionProps) {
    super(scope, id);
    // CloudFront replaces a header of this name that the caller sent.
    const customHeaders = { [distributionHeader]: props.mark };
    const dynamic = this.dynamicBehavior();
    const urls = (props.urls ?? []).flatMap(({ url, pathPatterns }) => {
      const behavior = { ...dynamic, origin: new FunctionUrlOrigin(url, { customHeaders }) };
      return pathPatterns.map(
        (pattern) => [pattern, { ...behavior, viewerProtocolPolicy: protocolPolicy(pattern) }] as const,
      );
    });
    const distribution = new CloudFrontDistribution(this, 'Distribution', {
      defaultBehavior: {
        ...dynamic,
        origin: new RestApiOrigin(props.restApi, { customHeaders }),
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      },
      additionalBehaviors: { ...props.behaviors, ...Object.fromEntries(urls) },
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_100,
      ...(props.webAcl !== undefined && { webAclId: props.webAcl }),
      ...this.ownDomain(props),
    });
    this.domainName = distribution.distributionDomainName;
    this.url = `https://${props.domain?.name ?? distribution.distributionDomainName}`;
    acknowledgeFindings(distribution);
    if (props.webAcl === undefined) acknowledgeNoWebAcl(distribution);
    if (!props.domain) acknowledgeDefaultCertificate(distribution);
  }

  private dynamicBehavior() {
    return {
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // API Gateway and Lambda find the API and the function by their own host names, and refuse other names.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
      functionAssociations: [{ function: this.namingFunction(), eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: true,
    } satisfies Partial<BehaviorOptions>;
  }

  private namingFunction(): CloudFrontFunction {
    return new CloudFrontFunction(this, 'Name', {
      functionName: accountWideName(this, 'name'),
      code: FunctionCode.fromInline(namesItself),
      runtime: FunctionRuntime.JS_2_0,
    });
  }

  private ownDomain({ domain }: DistributionProps) {
    if (!domain) return {};
    return {
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }
}

const protocolPolicy = (pathPattern: string) =>
  pathPattern.startsWith('/v1/') ? ViewerProtocolPolicy.HTTPS_ONLY : ViewerProtocolPolicy.REDIRECT_TO_HTTPS;

function acknowledgeFindings(distribution: CloudFrontDistribution): void {
  Validations.of(distribution).acknowledge(
    { id: 'AwsSolutions-CFR1', reason: 'Merchants call from everywhere; no country is excluded.' },
    {
      id: 'AwsSolutions-CFR3',
      reason:
        'CloudFront’s log would keep callers’ addresses and query values, which carry personal data. The API’s access ' +
        'log and the functions’ own lines have requests without them.',
    },
  );
}

function acknowledgeNoWebAcl(distribution: CloudFrontDistribution): void {
  Validations.of(distribution).acknowledge({
    id: 'AwsSolutions-CFR2',
    reason:
      'Callers prove who they are with a key, a session or a link, and are throttled by the API’s stage, or by the ' +
      'concurrency of the pages’ function. A web ACL costs by the request, so a stage asks for it (webAcl).',
  });
}

function acknowledgeDefaultCertificate(distribution: CloudFrontDistribution): void {
  Validations.of(distribution).acknowledge({
    id: 'AwsSolutions-CFR4',
    reason:
      'Without a domain of one’s own there is only CloudFront’s certificate, which allows older TLS; with one it is ' +
      'TLS 1.2 or newer.',
  });
}
