import { isAllowed, type Statement } from '../iam/evaluate.ts';
import { type PolicyDocument, readStatements } from '../iam/policies.ts';
import type { StackResource, StackTemplate } from '../template/template.ts';

/** Paths that a distribution serves from a bucket. */
export interface ContentBehavior {
  pathPattern: string;
  originPath: string;
  bucket: string;
  /** Added to every response. */
  headers: Record<string, string>;
  /** Whether the policy of the bucket allows the distribution to read this key. */
  mayRead(key: string): boolean;
}

interface DistributionConfig {
  Origins?: {
    Id: string;
    DomainName: string;
    OriginPath?: string;
    OriginCustomHeaders?: { HeaderName: string; HeaderValue: string }[];
  }[];
  CacheBehaviors?: { PathPattern: string; TargetOriginId: string; ResponseHeadersPolicyId?: string }[];
}

/** Only behaviors with a path pattern. All other paths belong to the API. */
export function contentBehaviors(stack: StackTemplate): ContentBehavior[] {
  const buckets = stack.resources('AWS::S3::Bucket');
  return stack.resources('AWS::CloudFront::Distribution').flatMap((distribution) => {
    const { CacheBehaviors = [], Origins = [] } = distribution.properties.DistributionConfig as DistributionConfig;
    return CacheBehaviors.flatMap(({ PathPattern, TargetOriginId, ResponseHeadersPolicyId }) => {
      const origin = Origins.find(({ Id }) => Id === TargetOriginId);
      const bucket = buckets.find(({ ref }) => origin?.DomainName.startsWith(`${ref}.`));
      if (!origin || !bucket) return [];
      return {
        pathPattern: PathPattern.replace(/^\//, ''),
        originPath: origin.OriginPath ?? '',
        bucket: bucket.ref,
        headers: headersOf(stack, ResponseHeadersPolicyId),
        mayRead: readerOf(stack, bucket, distribution),
      };
    });
  });
}

/** The headers that the distributions add to requests, with names in lower case. */
export function addedHeaders(stack: StackTemplate): Record<string, string> {
  const origins = stack.resources('AWS::CloudFront::Distribution').flatMap(({ properties }) => {
    const { Origins = [] } = properties.DistributionConfig as DistributionConfig;
    return Origins;
  });
  const headers = origins.flatMap(({ OriginCustomHeaders = [] }) => OriginCustomHeaders);
  return Object.fromEntries(headers.map(({ HeaderName, HeaderValue }) => [HeaderName.toLowerCase(), HeaderValue]));
}

interface SecurityHeaders {
  ContentTypeOptions?: object;
  ContentSecurityPolicy?: { ContentSecurityPolicy: string };
}

/** Only headers of policies that the template itself defines. */
function headersOf(stack: StackTemplate, policyId: string | undefined): Record<string, string> {
  const policy = stack.resources('AWS::CloudFront::ResponseHeadersPolicy').find(({ ref }) => ref === policyId);
  const { SecurityHeadersConfig = {} } = (policy?.properties.ResponseHeadersPolicyConfig ?? {}) as {
    SecurityHeadersConfig?: SecurityHeaders;
  };
  const { ContentTypeOptions, ContentSecurityPolicy } = SecurityHeadersConfig;
  return {
    ...(ContentTypeOptions && { 'x-content-type-options': 'nosniff' }),
    ...(ContentSecurityPolicy && { 'content-security-policy': ContentSecurityPolicy.ContentSecurityPolicy }),
  };
}

function readerOf(stack: StackTemplate, bucket: StackResource, distribution: StackResource) {
  const statements = statementsFor(stack, bucket);
  return (key: string) =>
    isAllowed(statements, {
      action: 's3:GetObject',
      resource: `${bucket.arn}/${key}`,
      context: { 'aws:sourcearn': [distribution.arn] },
    });
}

/**
 * The statements that allow CloudFront to read. The Deny statements are left out: they refuse requests without TLS, and
 * the loopback has none.
 */
function statementsFor(stack: StackTemplate, bucket: StackResource): Statement[] {
  const documents = stack
    .resources('AWS::S3::BucketPolicy')
    .filter(({ properties }) => properties.Bucket === bucket.ref)
    .map(({ properties }) => properties.PolicyDocument as PolicyDocument);
  return documents.flatMap(({ Statement = [] }) =>
    readStatements({ Statement: [Statement].flat().filter(isForCloudFront) }),
  );
}

const isForCloudFront = ({ Principal }: { Principal?: unknown }) =>
  (Principal as { Service?: string } | undefined)?.Service === 'cloudfront.amazonaws.com';
