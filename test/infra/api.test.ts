import { Duration, Stack } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { anonymousPatterns, familiesWithUrl } from '#lib/anonymous-paths.ts';
import { Api } from '#lib/constructs/api.ts';
import { ServiceFunction } from '#lib/constructs/service-function.ts';
import { edgeFunction } from '#lib/local/gateway/edge-function.ts';
import { matchesPattern } from '#lib/local/iam/patterns.ts';
import { loadStage } from '#lib/stage.ts';
import { gatewayDocument } from '#schemas/description/gateway.ts';
import { allOperations, type FamilyName, familyNames } from '#schemas/families/index.ts';
import { pathsOf } from '#schemas/families/operation.ts';
import {
  emptyBundles,
  functionIds,
  newApp,
  onlyResource,
  pipelineIds,
  type Resource,
  resourcesOf,
  synthesize,
  type Template,
} from './synthesis.ts';

const template = synthesize();
const prod = synthesize(await loadStage('prod'));
const [oldMark, newMark] = ['00000000-0000-0000-0000-000000000000', '11111111-1111-1111-1111-111111111111'];
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-0000-0000-000000000000';
const aclArn = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/name/00000000-0000-0000-0000-000000000000';
// Each synthesis takes more than a second, so these stages have settings that do not touch each other.
const beforeNewMark = synthesize({ distributionMarks: [oldMark, newMark], webAcl: { arn: aclArn } });
const withNewMark = synthesize({
  distributionMarks: [newMark, oldMark],
  webAcl: { requestsPerFiveMinutes: 600 },
  throttle: { rate: 5000, burst: 2500 },
  domain: { name: 'api.example.com', certificateArn },
});
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

describe('the REST API', () => {
  const { paths } = onlyResource(template, 'AWS::ApiGateway::RestApi').Properties.Body;
  const ids = functionIds(template);
  const familyOf = (route: unknown) => {
    const uri = JSON.stringify((route as Record<string, unknown>)['x-amazon-apigateway-integration']);
    return Object.keys(ids).filter((family) => uri.includes(`"${ids[family]}","Arn"`));
  };

  test.each(allOperations)('routes $method $path to the function of $family', ({ method, path, family }) => {
    expect(familyOf(paths[path][method.toLowerCase()])).toEqual([family]);
  });

  test('has no method on a path that no family declares', () => {
    const routed = Object.entries<object>(paths).flatMap(([path, routes]) =>
      methods.filter((method) => method in routes).map((method) => `${method} ${path}`),
    );
    const declared = allOperations.flatMap((operation) =>
      pathsOf(operation).map((path) => `${operation.method.toLowerCase()} ${path}`),
    );
    expect(routed.sort()).toEqual(declared.sort());
  });

  const settingsOf = (of: Template): Record<string, unknown>[] =>
    onlyResource(of, 'AWS::ApiGateway::Stage').Properties.MethodSettings;
  const ofAll = (of: Template) => settingsOf(of).find(({ ResourcePath }) => ResourcePath === '/*');

  test('limits the rate of requests on every route, as the stage says', () => {
    const limits = (ThrottlingRateLimit: number, ThrottlingBurstLimit: number) => ({
      HttpMethod: '*',
      ThrottlingRateLimit,
      ThrottlingBurstLimit,
    });
    expect(ofAll(template)).toMatchObject(limits(2000, 2000));
    expect(ofAll(withNewMark)).toMatchObject(limits(5000, 2500));
  });

  test('gives strangers a smaller part of it, and every method that they may call has a setting', () => {
    const shares = settingsOf(template)
      .filter(({ ResourcePath }) => ResourcePath !== '/*')
      .map(({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }) => {
        expect(ThrottlingBurstLimit).toBe(ThrottlingRateLimit);
        return `${HttpMethod} ${String(ResourcePath).slice(1).replaceAll('~1', '/')} ${ThrottlingRateLimit}`;
      });
    const inbound = '/v1/shops/{slug}/shop-system';
    expect(shares.sort()).toEqual([
      'GET /docs 100',
      'GET /docs/{page} 100',
      'GET /health 100',
      'GET /v1/openapi.json 100',
      `GET ${inbound}/app/registration 1000`,
      'POST /v1/sessions 100',
      `POST ${inbound}/app/confirmation 1000`,
      `POST ${inbound}/app/lifecycle 1000`,
      `POST ${inbound}/inbound/privacy 1000`,
      `POST ${inbound}/inbound/{webhook_type} 1000`,
    ]);
  });

  test('leads nobody to a function that it may not call yet', () => {
    const [, deployment] = resourcesOf(template, 'AWS::ApiGateway::Deployment')[0]!;
    const permissions = resourcesOf(template, 'AWS::Lambda::Permission')
      .filter(([, { Properties }]) => Properties.Principal === 'apigateway.amazonaws.com')
      .map(([id]) => id);
    expect(permissions).toHaveLength(familyNames.length);
    expect(deployment.DependsOn).toEqual(expect.arrayContaining(permissions));
  });

  test('has no billed metrics of each method: alarms and dashboard use those of the stage', () => {
    expect(new Set(settingsOf(template).map(({ MetricsEnabled }) => MetricsEnabled))).toEqual(new Set([false]));
    const ofMethods = /"AWS\/ApiGateway",\s*"[^"]+"(,[^\]]*)?"(Method|Resource)"/;
    expect(JSON.stringify(template.Resources).replaceAll('\\"', '"')).not.toMatch(ofMethods);
  });

  test('logs JSON that contains nothing a caller sent', () => {
    const stage = onlyResource(template, 'AWS::ApiGateway::Stage').Properties;
    const logged = Object.values<string>(JSON.parse(stage.AccessLogSetting.Format));
    const fromTheCaller =
      /\$context\.(path|identity|authorizer|domain|error\.message|error\.validation|requestOverride)/;
    expect(logged.filter((field) => fromTheCaller.test(field))).toEqual([]);
    expect(new Set(settingsOf(template).map(({ DataTraceEnabled }) => DataTraceEnabled))).toEqual(new Set([false]));
  });

  test('ends a function before the gateway times out', () => {
    const timeouts = Object.values(ids).map((id) => template.Resources[id]!.Properties.Timeout);
    expect(Math.max(...timeouts)).toBeLessThan(29);
  });

  test('is deployed again only when its document changes', () => {
    const changed: typeof gatewayDocument = (uri) => ({
      ...gatewayDocument(uri),
      info: { title: 'Other', version: '2' },
    });
    expect(deploymentOf(gatewayDocument)).toBe(deploymentOf(gatewayDocument));
    expect(deploymentOf(changed)).not.toBe(deploymentOf(gatewayDocument));
  });
});

describe('the distribution', () => {
  const config = apiDistribution(template).Properties.DistributionConfig;

  test('leads people from HTTP to HTTPS, and refuses HTTP where credentials are sent', () => {
    expect(config.DefaultCacheBehavior.ViewerProtocolPolicy).toBe('https-only');
    const leading = config.CacheBehaviors.filter(
      ({ ViewerProtocolPolicy }: { ViewerProtocolPolicy: string }) => ViewerProtocolPolicy === 'redirect-to-https',
    ).map(({ PathPattern }: { PathPattern: string }) => PathPattern);
    expect(leading.sort()).toEqual(['/console', '/console/*', '/lookup/*', '/t/*', '/u/*']);
    expect(config.CacheBehaviors).toHaveLength(leading.length + 2); // the facts of a page, and the webhooks of tracking providers
  });

  test('uses only TLS 1.2 to the API', () => {
    const custom = config.Origins.filter((origin: object) => 'CustomOriginConfig' in origin);
    expect(custom).toHaveLength(1 + familiesWithUrl.length); // one more is the bucket of the console
    for (const { CustomOriginConfig } of custom) {
      expect(CustomOriginConfig).toMatchObject({ OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] });
    }
  });

  test('passes on every method, and answers none from a cache', () => {
    expect(config.DefaultCacheBehavior.AllowedMethods).toEqual(
      expect.arrayContaining(['GET', 'PUT', 'PATCH', 'POST', 'DELETE']),
    );
    const managedCachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    expect(config.DefaultCacheBehavior.CachePolicyId).toBe(managedCachingDisabled);
  });

  /** What it marks requests with on all ways to functions, and what all functions accept. */
  const marksOf = (of: Template) => {
    const { Origins } = apiDistribution(of).Properties.DistributionConfig;
    const sent = Origins.filter((origin: object) => 'CustomOriginConfig' in origin).map(
      ({ OriginCustomHeaders: [header, ...others] }: { OriginCustomHeaders: Record<string, unknown>[] }) => {
        expect([header?.HeaderName, others]).toEqual(['x-distribution-mark', []]);
        return header?.HeaderValue;
      },
    );
    const known = Object.values(functionIds(of)).map(
      (id) => of.Resources[id]!.Properties.Environment.Variables.DISTRIBUTION_MARK,
    );
    expect([sent.length, known.length]).toEqual([1 + familiesWithUrl.length, familyNames.length]);
    expect([sent, known]).toEqual([sent.map(() => sent[0]), known.map(() => known[0])]);
    return { sent: sent[0], accepted: known[0] };
  };

  test.each([
    ['prod', prod],
    ['without settings', template],
  ])('is the only way to the functions of the stage %s', (_, of) => {
    const { sent, accepted } = marksOf(of);
    expect(JSON.stringify(sent)).toContain('AWS::StackId');
    expect(accepted).toEqual(sent);
  });

  test('gets another mark in two deployments, and each accepts what the one before sent', () => {
    const first = marksOf(beforeNewMark);
    expect(first).toEqual({ sent: oldMark, accepted: `${oldMark},${newMark}` });
    const second = marksOf(withNewMark);
    expect(second).toEqual({ sent: newMark, accepted: `${newMark},${oldMark}` });
    // Whatever is replaced first: what either sends is accepted by both.
    for (const { accepted } of [first, second]) {
      expect(accepted.split(',')).toEqual(expect.arrayContaining([first.sent, second.sent]));
    }
  });

  test('has a web ACL if the stage asks for one: its own, or one that there is', () => {
    expect(resourcesOf(template, 'AWS::WAFv2::WebACL')).toEqual([]);
    expect(config.WebACLId).toBeUndefined();
    expect(apiDistribution(beforeNewMark).Properties.DistributionConfig.WebACLId).toBe(aclArn);

    const own = withNewMark;
    const [[id, { Properties: acl }]] = resourcesOf(own, 'AWS::WAFv2::WebACL') as [[string, Resource]];
    expect(apiDistribution(own).Properties.DistributionConfig.WebACLId).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    expect([acl.Scope, acl.DefaultAction]).toEqual(['CLOUDFRONT', { Allow: {} }]);
    const [{ Statement, Action }] = acl.Rules;
    expect(Statement.RateBasedStatement).toMatchObject({
      Limit: 600,
      EvaluationWindowSec: 300,
      AggregateKeyType: 'IP',
    });
    const counted = Statement.RateBasedStatement.ScopeDownStatement.OrStatement.Statements.map(
      ({ ByteMatchStatement }: { ByteMatchStatement: { PositionalConstraint: string; SearchString: string } }) =>
        `${ByteMatchStatement.PositionalConstraint} ${ByteMatchStatement.SearchString}`,
    );
    expect(counted.sort()).toEqual([
      'EXACTLY /docs',
      'EXACTLY /health',
      'EXACTLY /v1/openapi.json',
      'EXACTLY /v1/sessions',
      'STARTS_WITH /docs/',
      'STARTS_WITH /lookup/',
      'STARTS_WITH /t/',
      'STARTS_WITH /u/',
      'STARTS_WITH /v1/tracking/',
    ]);
    const { ResponseCode, CustomResponseBodyKey, ResponseHeaders } = Action.Block.CustomResponse;
    expect(ResponseCode).toBe(429);
    expect(ResponseHeaders).toEqual([{ Name: 'Retry-After', Value: '300' }]);
    expect(JSON.parse(acl.CustomResponseBodies[CustomResponseBodyKey].Content)).toMatchObject({ key: 'rate_limited' });
  });

  test('tells the functions its own address and that of the caller, whatever the caller says', () => {
    const [{ EventType, FunctionARN }] = config.DefaultCacheBehavior.FunctionAssociations;
    expect(EventType).toBe('viewer-request');
    const { FunctionCode } = template.Resources[FunctionARN['Fn::GetAtt'][0]]!.Properties;
    const forged = { 'x-distribution-domain': 'evil.example', 'x-distribution-viewer': '1.1.1.1' };
    const request = { method: 'GET', path: '/health', query: '', viewer: '203.0.113.7' };
    expect(edgeFunction(FunctionCode)({ ...request, headers: { host: 'd1.cloudfront.net', ...forged } })).toEqual({
      path: '/health',
      headers: { 'x-distribution-domain': 'd1.cloudfront.net', 'x-distribution-viewer': '203.0.113.7' },
    });
    // The policy passes on all headers of the request, as the function leaves it.
    const managedAllViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
    expect(config.DefaultCacheBehavior.OriginRequestPolicyId).toBe(managedAllViewerExceptHostHeader);
  });

  test('has the address that events and automations give out, and that of the REST API is nowhere', () => {
    const ids = pipelineIds(template);
    for (const name of ['fan-out', 'automation-runs']) {
      const { PUBLIC_URL } = template.Resources[ids[name]!]!.Properties.Environment.Variables;
      expect(PUBLIC_URL).toEqual(template.Outputs.ApiUrl!.Value);
    }
    const given = [template.Outputs, ...Object.values({ ...functionIds(template), ...ids }).map(environmentOf)];
    expect(JSON.stringify(given)).not.toContain('execute-api');
  });

  test('takes an own domain, with TLS 1.2 or newer', () => {
    const own = withNewMark;
    const { Aliases, ViewerCertificate } = apiDistribution(own).Properties.DistributionConfig;
    expect(Aliases).toEqual(['api.example.com']);
    expect(ViewerCertificate).toMatchObject({
      AcmCertificateArn: certificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2021',
    });
    expect(own.Outputs.ApiUrl!.Value).toBe('https://api.example.com');
    const [id] = resourcesOf(own, 'AWS::CloudFront::Distribution').find(([id]) => id.startsWith('Distribution'))!;
    expect(own.Outputs.DnsTarget!.Value).toEqual({ 'Fn::GetAtt': [id, 'DomainName'] });
    expect(template.Outputs.DnsTarget).toBeUndefined();
    // Functions that give out a callback address need this one; without it they use that of the distribution.
    const told = (of: typeof own) =>
      Object.entries(functionIds(of)).flatMap(([family, id]) => {
        const { PUBLIC_URL: address } = of.Resources[id]!.Properties.Environment.Variables;
        return address ? [[family, address]] : [];
      });
    const families = [
      'orders',
      'pages',
      'automations',
      'emails',
      'webhooks',
      'shop-system',
      'tracking-providers',
      'sessions',
      'simulations',
    ];
    expect(told(own).sort()).toEqual(families.map((family) => [family, 'https://api.example.com']).sort());
    expect(told(template)).toEqual([]);
  });
});

describe('the way of anonymous callers', () => {
  const config = apiDistribution(template).Properties.DistributionConfig;
  const behaviors = config.CacheBehaviors.filter(
    ({ PathPattern }: { PathPattern: string }) => !/console/.test(PathPattern),
  );
  const originOf = ({ TargetOriginId }: { TargetOriginId: string }) =>
    config.Origins.find(({ Id }: { Id: string }) => Id === TargetOriginId);
  const covers = (path: string) => (pattern: string) => matchesPattern(pattern, path);

  test('has one pattern for everything below a page', () => {
    expect(anonymousPatterns('pages').sort()).toEqual(['/lookup/*', '/t/*', '/u/*', '/v1/tracking/*']);
    expect(anonymousPatterns('tracking-providers')).toEqual(['/v1/tracking-providers/*/webhook']);
  });

  test.each(familiesWithUrl)('leads to the URL of the function of %s', (family) => {
    for (const pattern of anonymousPatterns(family)) {
      const behavior = behaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === pattern);
      const address = JSON.stringify(originOf(behavior).DomainName);
      const [urlId] = /"(\w+)","FunctionUrl"/.exec(address)!.slice(1);
      const { TargetFunctionArn, AuthType } = template.Resources[urlId!]!.Properties;
      expect(TargetFunctionArn).toEqual({ 'Fn::GetAtt': [functionIds(template)[family], 'Arn'] });
      expect(AuthType).toBe('NONE');
    }
  });

  test('takes every anonymous operation of these families, and nothing of another family', () => {
    const patterns = behaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern);
    const families = new Set<FamilyName>(familiesWithUrl);
    const isAnonymous = ({ role }: { role: string }) => ['open', 'signed'].includes(role);
    for (const operation of allOperations) {
      const taken = pathsOf(operation).map((path) => patterns.some(covers(path)));
      const isMeant = families.has(operation.family) && isAnonymous(operation);
      // A pattern may also take what an authenticated caller asks of the same function.
      if (isMeant || !families.has(operation.family))
        expect([operation.id, ...taken]).toEqual([operation.id, ...taken.map(() => isMeant)]);
    }
  });

  test('does for a request what the way of merchants does', () => {
    const { TargetOriginId: _api, ViewerProtocolPolicy: _https, ...usual } = config.DefaultCacheBehavior;
    const [mark] = originOf(config.DefaultCacheBehavior).OriginCustomHeaders;
    for (const { PathPattern: _, TargetOriginId, ViewerProtocolPolicy: __, ...behavior } of behaviors) {
      expect(behavior).toEqual(usual);
      expect(originOf({ TargetOriginId }).OriginCustomHeaders).toEqual([mark]);
    }
  });

  test('has a concurrency of its own where the stage says so', () => {
    const reserved = (of: Template) =>
      familiesWithUrl.map((family) => of.Resources[functionIds(of)[family]!]!.Properties.ReservedConcurrentExecutions);
    expect(reserved(template)).toEqual([undefined, undefined]);
    expect(reserved(prod)).toEqual([300, 200]);
  });

  test('is there when the distribution leads to it, with the two permissions that AWS asks for', () => {
    for (const [, url] of resourcesOf(template, 'AWS::Lambda::Url')) {
      const permissions = url.DependsOn!.map((id) => template.Resources[id]!.Properties);
      expect(permissions).toEqual(
        expect.arrayContaining([
          {
            Action: 'lambda:InvokeFunctionUrl',
            FunctionUrlAuthType: 'NONE',
            Principal: '*',
            FunctionName: url.Properties.TargetFunctionArn,
          },
          {
            Action: 'lambda:InvokeFunction',
            InvokedViaFunctionUrl: true,
            Principal: '*',
            FunctionName: url.Properties.TargetFunctionArn,
          },
        ]),
      );
    }
    expect(resourcesOf(template, 'AWS::Lambda::Url')).toHaveLength(familiesWithUrl.length);
  });
});

const environmentOf = (id: string): unknown => template.Resources[id]!.Properties.Environment.Variables;

/** Images have another distribution. */
function apiDistribution(from: Template): Resource {
  return resourcesOf(from, 'AWS::CloudFront::Distribution').find(([id]) => id.startsWith('Distribution'))![1];
}

function deploymentOf(document: typeof gatewayDocument): string {
  const app = newApp();
  const stack = new Stack(app, 'Stack');
  const functions = Object.fromEntries(
    familyNames.map((family) => [family, newFunction(stack, family).lambda]),
  ) as Record<FamilyName, ServiceFunction['lambda']>;
  new Api(stack, 'Api', { functions, document });
  const { template } = app.synth().getStackByName('Stack');
  return resourcesOf(template, 'AWS::ApiGateway::Deployment')[0]![0];
}

function newFunction(stack: Stack, family: FamilyName): ServiceFunction {
  return new ServiceFunction(stack, family, {
    serviceName: family,
    bundle: `${emptyBundles()}/${family}`,
    timeout: Duration.seconds(28),
  });
}
