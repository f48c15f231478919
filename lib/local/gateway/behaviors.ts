import { isAllowed, type Statement } from '../iam/evaluate.ts';
import { type PolicyDocument, readStatements } from '../iam/policies.ts';
import type { StackResource, StackTemplate } from '../template/template.ts';
import { type EdgeFunction, edgeFunction } from './edge-function.ts';

interface AnyBehavior {
  pathPattern: string;
}

/** Paths that a distribution serves from a bucket. */
export interface ContentBehavior extends AnyBehavior {
  originPath: string;
  bucket: string;
  /** Sees every request first. */
  onRequest: EdgeFunction | undefined;
  /** Added to every response. */
  headers: Record<string, string>;
  /** Whether the policy of the bucket allows the distribution to read this key. */
  mayRead(key: string): boolean;
}

/** Paths that a distribution serves from the URL of a function. */
export interface UrlBehavior extends AnyBehavior {
  functionArn: string;
  onRequest: EdgeFunction | undefined;
  /** Those that the distribution adds to requests, with names in lower case. */
  sent: Record<string, string>;
  /** How long the distribution waits for an answer. */
  timeoutMs: number;
}

interface Origin {
  Id: string;
  DomainName: string;
  OriginPath?: string;
  OriginCustomHeaders?: { HeaderName: string; HeaderValue: string }[];
  CustomOriginConfig?: { OriginReadTimeout?: number };
}

interface DistributionConfig {
  Origins?: Origin[];
  DefaultCacheBehavior?: Behavior;
  CacheBehaviors?: PathBehavior[];
}

interface Behavior {
  TargetOriginId: string;
  ResponseHeadersPolicyId?: string;
  FunctionAssociations?: { EventType: string; FunctionARN: string }[];
}

type PathBehavior = Behavior & { PathPattern: string };

/** Only behaviors with a path pattern, in their order. All other paths belong to the API. */
export function behaviorsOf(stack: StackTemplate): (ContentBehavior | UrlBehavior)[] {
  return stack.resources('AWS::CloudFront::Distribution').flatMap((distribution) => {
    const { CacheBehaviors = [], Origins = [] } = distribution.properties.DistributionConfig as DistributionConfig;
    return CacheBehaviors.flatMap((behavior) => {
      const origin = Origins.find(({ Id }) => Id === behavior.TargetOriginId);
      if (!origin) return [];
      return contentBehavior(stack, distribution, behavior, origin) ?? urlBehavior(stack, behavior, origin) ?? [];
    });
  });
}

function contentBehavior(
  stack: StackTemplate,
  distribution: StackResource,
  { PathPattern, ResponseHeadersPolicyId, FunctionAssociations }: PathBehavior,
  origin: Origin,
): ContentBehavior | undefined {
  const bucket = stack.resources('AWS::S3::Bucket').find(({ ref }) => origin.DomainName.startsWith(`${ref}.`));
  if (!bucket) return undefined;
  return {
    pathPattern: PathPattern.replace(/^\//, ''),
    originPath: origin.OriginPath ?? '',
    bucket: bucket.ref,
    onRequest: requestFunction(stack, FunctionAssociations),
    headers: headersOf(stack, ResponseHeadersPolicyId),
    mayRead: readerOf(stack, bucket, distribution),
  };
}

function urlBehavior(
  stack: StackTemplate,
  { PathPattern, FunctionAssociations }: PathBehavior,
  origin: Origin,
): UrlBehavior | undefined {
  const url = stack
    .resources('AWS::Lambda::Url')
    .find(({ attribute }) => hostOf(attribute('FunctionUrl')) === origin.DomainName);
  if (!url) return undefined;
  return {
    pathPattern: PathPattern.replace(/^\//, ''),
    functionArn: String(url.properties.TargetFunctionArn),
    onRequest: requestFunction(stack, FunctionAssociations),
    sent: addedHeaders([origin]),
    timeoutMs: (origin.CustomOriginConfig?.OriginReadTimeout ?? usualReadTimeout) * 1000,
  };
}

/** In seconds: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/DownloadDistValuesOrigin.html. */
const usualReadTimeout = 30;

const hostOf = (url: string | undefined) => (url === undefined ? undefined : new URL(url).host);

/** The function that sees every request to the API first, and the headers that its distribution adds to it. */
export function apiBehavior(stack: StackTemplate): Pick<UrlBehavior, 'onRequest' | 'sent'> {
  const buckets = stack.resources('AWS::S3::Bucket');
  const found = stack.resources('AWS::CloudFront::Distribution').flatMap(({ properties }) => {
    const { DefaultCacheBehavior, Origins = [] } = properties.DistributionConfig as DistributionConfig;
    const origin = Origins.find(({ Id }) => Id === DefaultCacheBehavior?.TargetOriginId);
    const isApi = origin && !buckets.some(({ ref }) => origin.DomainName.startsWith(`${ref}.`));
    return isApi ? [{ origin, associations: DefaultCacheBehavior?.FunctionAssociations }] : [];
  });
  const [api] = found;
  if (!api) return { onRequest: undefined, sent: {} };
  return { onRequest: requestFunction(stack, api.associations), sent: addedHeaders([api.origin]) };
}

function addedHeaders(origins: readonly Origin[]): Record<string, string> {
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
