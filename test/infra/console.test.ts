import { describe, expect, test } from 'vitest';
import { assetPrefix } from '#lib/asset-prefix.ts';
import { edgeFunction } from '#lib/local/gateway/edge-function.ts';
import { resourcesOf, synthesize } from './synthesis.ts';

const template = synthesize();
const [distributionId, distribution] = resourcesOf(template, 'AWS::CloudFront::Distribution').find(([id]) =>
  id.startsWith('Distribution'),
)!;
const { CacheBehaviors, Origins } = distribution.Properties.DistributionConfig;
const ofConsole = ([id]: [string, unknown]) => id.startsWith('Console');
const [bucketId] = resourcesOf(template, 'AWS::S3::Bucket').find(ofConsole)!;
const [policyId, policy] = resourcesOf(template, 'AWS::CloudFront::ResponseHeadersPolicy').find(ofConsole)!;

describe('the console', () => {
  test('is served by the distribution of the API, over TLS, to readers only', () => {
    const own = CacheBehaviors.filter(({ PathPattern }: { PathPattern: string }) => PathPattern.startsWith('/console'));
    expect(own.map((behavior: { PathPattern: string }) => behavior.PathPattern)).toEqual(['/console', '/console/*']);
    for (const behavior of own) {
      expect(behavior).toMatchObject({
        ViewerProtocolPolicy: 'redirect-to-https',
        ResponseHeadersPolicyId: { Ref: policyId },
        Compress: true,
      });
      expect(behavior.AllowedMethods ?? ['GET', 'HEAD']).toEqual(['GET', 'HEAD']);
    }
  });

  test('is deployed by a function with one layer, and no layer is made that no function uses', () => {
    const used = resourcesOf(template, 'AWS::Lambda::Function').flatMap(
      ([, { Properties }]) => Properties.Layers ?? [],
    );
    const made = resourcesOf(template, 'AWS::Lambda::LayerVersion').map(([Ref]) => ({ Ref }));
    expect(made).toHaveLength(1);
    expect(used).toEqual(made);
  });

  test('is in a bucket that only this distribution may read', () => {
    const origin = Origins.find(({ Id }: { Id: string }) => Id === CacheBehaviors[0].TargetOriginId);
    expect(origin.DomainName).toEqual({ 'Fn::GetAtt': [bucketId, 'RegionalDomainName'] });
    expect(origin.OriginAccessControlId).toBeDefined();
    const [, { Properties }] = resourcesOf(template, 'AWS::S3::BucketPolicy').find(ofConsole)!;
    const allowed = Properties.PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
    expect(allowed).toHaveLength(1);
    expect(allowed[0]).toMatchObject({ Action: 's3:GetObject', Principal: { Service: 'cloudfront.amazonaws.com' } });
    expect(JSON.stringify(allowed[0].Condition.StringEquals['AWS:SourceArn'])).toContain(distributionId);
  });

  test('runs only scripts of its own files, and is in no frame of another page', () => {
    const { SecurityHeadersConfig, CustomHeadersConfig } = policy.Properties.ResponseHeadersPolicyConfig;
    const text: string = SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy;
    const directives = Object.fromEntries(text.split('; ').map((part) => [part.split(' ')[0], part]));
    expect(directives).toMatchObject({
      'default-src': "default-src 'none'",
      'script-src': "script-src 'self'",
      'style-src': "style-src 'self'",
      'connect-src': "connect-src 'self'",
      'base-uri': "base-uri 'none'",
      'frame-ancestors': "frame-ancestors 'none'",
    });
    expect(text).not.toMatch(/unsafe|\*/);
    expect(SecurityHeadersConfig).toMatchObject({
      ContentTypeOptions: { Override: true },
      FrameOptions: { FrameOption: 'DENY' },
      ReferrerPolicy: { ReferrerPolicy: 'same-origin' },
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000 },
    });
    expect(CustomHeadersConfig.Items.map(({ Header }: { Header: string }) => Header)).toContain('Permissions-Policy');
  });

  test('keeps its assets in browsers for ever, and its page not at all', () => {
    const deployments = resourcesOf(template, 'Custom::CDKBucketDeployment').map(([, { Properties }]) => [
      Properties.Include ?? Properties.Exclude,
      Properties.SystemMetadata['cache-control'],
      Properties.Prune,
    ]);
    expect(deployments).toEqual([
      [['assets/*'], 'public, max-age=31536000, immutable', false],
      [['assets/*'], 'no-cache', false],
    ]);
  });

  test('is deployed by a role whose policy is the same for every version, so that no deployment waits for IAM', () => {
    const [, role] = resourcesOf(template, 'AWS::IAM::Role').find(([id]) => id.startsWith('ConsoleDeploymentRole'))!;
    const text = JSON.stringify(role.Properties.Policies);
    const keys = resourcesOf(template, 'Custom::CDKBucketDeployment').flatMap(
      ([, { Properties }]) => Properties.SourceObjectKeys as string[],
    );
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(key).toMatch(/^post-purchase\/[0-9a-f]{64}\.zip$/);
      expect(text).not.toContain(key.slice(assetPrefix.length));
    }
    expect(text).toContain(`/${assetPrefix}*"`);
    // No policy beside it, which the function could use before it is there.
    const attached = resourcesOf(template, 'AWS::IAM::Policy').filter(([id]) => id.startsWith('Console'));
    expect(attached).toEqual([]);
  });

  test('shows the same page at every address, so that every view can be linked', () => {
    const [, { Properties }] = resourcesOf(template, 'AWS::CloudFront::Function').find(ofConsole)!;
    const { FunctionCode, FunctionConfig } = Properties;
    expect(FunctionConfig.Runtime).toBe('cloudfront-js-2.0');
    const pathOf = (path: string) =>
      edgeFunction(FunctionCode)({ method: 'GET', path, query: 'q=1', headers: {}, viewer: '' });
    const views = ['/console', '/console/', '/console/s/blue/orders/1.html', '/console/assets', '/console/../v1/shops'];
    for (const view of views) expect(pathOf(view)).toEqual({ path: '/console/index.html', headers: {} });
    expect(pathOf('/console/assets/main-1.js')).toEqual({ path: '/console/assets/main-1.js', headers: {} });
  });
});
