import { isAllowed, type Statement } from '../iam/evaluate.ts';
import { type PolicyDocument, readStatements } from '../iam/policies.ts';
import type { StackResource, StackTemplate } from '../template/template.ts';
import { type EdgeFunction, edgeFunction } from './edge-function.ts';

/** Paths that a distribution serves from a bucket. */
export interface ContentBehavior {
  pathPattern: string;
  originPath: string;
  bucket: string;
  /** Sees every request first. */
  onRequest: EdgeFunction | undefined;
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
  DefaultCacheBehavior?: Behavior;
  CacheBehaviors?: (Behavior & { PathPattern: string })[];
}

interface Behavior {
  TargetOriginId: string;
  ResponseHeadersPolicyId?: string;
  FunctionAssociations?: { EventType: string; FunctionARN: string }[];
}

/** Only behaviors with a path pattern. All other paths belong to the API. */
export function contentBehaviors(stack: StackTemplate): ContentBehavior[] {
  const buckets = stack.resources('AWS::S3::Bucket');
  return stack.resources('AWS::CloudFront::Distribution').flatMap((distribution) => {
    const { CacheBehaviors = [], Origins = [] } = distribution.properties.DistributionConfig as DistributionConfig;
    return CacheBehaviors.flatMap(({ PathPattern, TargetOriginId, ResponseHeadersPolicyId, FunctionAssociations }) => {
      const origin = Origins.find(({ Id }) => Id === TargetOriginId);
      const bucket = buckets.find(({ ref }) => origin?.DomainName.startsWith(`${ref}.`));
      if (!origin || !bucket) return [];
      return {
        pathPattern: PathPattern.replace(/^\//, ''),
        originPath: origin.OriginPath ?? '',
        bucket: bucket.ref,
        onRequest: requestFunction(stack, FunctionAssociations),
        headers: headersOf(stack, ResponseHeadersPolicyId),
        mayRead: readerOf(stack, bucket, distribution),
      };
    });
  });
}

/** The function that sees every request to the API first: that of the distribution whose origin is no bucket. */
export function apiRequestFunction(stack: StackTemplate): EdgeFunction | undefined {
  const buckets = stack.resources('AWS::S3::Bucket');
  const configs = stack
    .resources('AWS::CloudFront::Distribution')
    .map(({ properties }) => properties.DistributionConfig as DistributionConfig);
  const config = configs.find(({ DefaultCacheBehavior, Origins = [] }) => {
    const origin = Origins.find(({ Id }) => Id === DefaultCacheBehavior?.TargetOriginId);
    return origin && !buckets.some(({ ref }) => origin.DomainName.startsWith(`${ref}.`));
  });
  return requestFunction(stack, config?.DefaultCacheBehavior?.FunctionAssociations);
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

function requestFunction(
  stack: StackTemplate,
  associations: { EventType: string; FunctionARN: string }[] = [],
): EdgeFunction | undefined {
  const [association, ...others] = associations;
  if (!association) return undefined;
  if (others.length > 0 || association.EventType !== 'viewer-request')
    throw new Error('The local stack runs one function of a behavior, and that for viewer-request.');
  const { FunctionARN } = association;
  const definition = stack.resources('AWS::CloudFront::Function').find(({ ref }) => ref === FunctionARN);
  if (!definition) throw new Error(`The template has no CloudFront function ${FunctionARN}.`);
  return edgeFunction(String(definition.properties.FunctionCode));
}

interface HeadersPolicy {
  SecurityHeadersConfig?: {
    ContentTypeOptions?: object;
    ContentSecurityPolicy?: { ContentSecurityPolicy: string };
    FrameOptions?: { FrameOption: string };
    ReferrerPolicy?: { ReferrerPolicy: string };
  };
  CustomHeadersConfig?: { Items: { Header: string; Value: string }[] };
}

/** Only headers of policies that the template itself defines, and not that browsers must use TLS, which there is not. */
function headersOf(stack: StackTemplate, policyId: string | undefined): Record<string, string> {
  const policy = stack.resources('AWS::CloudFront::ResponseHeadersPolicy').find(({ ref }) => ref === policyId);
  const { SecurityHeadersConfig = {}, CustomHeadersConfig } = (policy?.properties.ResponseHeadersPolicyConfig ??
    {}) as HeadersPolicy;
  const { ContentTypeOptions, ContentSecurityPolicy, FrameOptions, ReferrerPolicy } = SecurityHeadersConfig;
  const custom = CustomHeadersConfig?.Items.map(({ Header, Value }) => [Header.toLowerCase(), Value]) ?? [];
  return {
    ...(ContentTypeOptions && { 'x-content-type-options': 'nosniff' }),
    ...(ContentSecurityPolicy && {
      'content-security-policy': withLoopback(ContentSecurityPolicy.ContentSecurityPolicy),
    }),
    ...(FrameOptions && { 'x-frame-options': FrameOptions.FrameOption }),
    ...(ReferrerPolicy && { 'referrer-policy': ReferrerPolicy.ReferrerPolicy }),
    ...Object.fromEntries(custom),
  };
}

/** Loopback addresses have no TLS certificate. Private images have another port than the API. */
const withLoopback = (policy: string) => policy.replace(/(?<= )https:(?=[ ;]|$)/g, 'https: http://127.0.0.1:*');

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
