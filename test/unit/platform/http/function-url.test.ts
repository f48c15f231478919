import { gunzipSync } from 'node:zlib';
import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as providers } from '#api/tracking-providers/handler.ts';
import { clientAddress } from '#platform/http/client-address.ts';
import { asGatewayEvent, compressed, isFromUrl } from '#platform/http/function-url.ts';

/** The example of AWS: https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-request-payload. */
const documented: LambdaFunctionURLEvent = {
  version: '2.0',
  routeKey: '$default',
  rawPath: '/my/path',
  rawQueryString: 'parameter1=value1&parameter1=value2&parameter2=value',
  cookies: ['cookie1', 'cookie2'],
  headers: { header1: 'value1', header2: 'value1,value2' },
  queryStringParameters: { parameter1: 'value1,value2', parameter2: 'value' },
  requestContext: {
    accountId: '123456789012',
    apiId: '<urlid>',
    domainName: '<url-id>.lambda-url.us-west-2.on.aws',
    domainPrefix: '<url-id>',
    http: {
      method: 'POST',
      path: '/my/path',
      protocol: 'HTTP/1.1',
      sourceIp: '123.123.123.123',
      userAgent: 'agent',
    },
    requestId: 'id',
    routeKey: '$default',
    stage: '$default',
    time: '12/Mar/2020:19:03:58 +0000',
    timeEpoch: 1583348638390,
  },
  body: 'Hello from client!',
  isBase64Encoded: false,
};

const at = (rawPath: string, rest: Partial<LambdaFunctionURLEvent> = {}) => ({ ...documented, rawPath, ...rest });

afterEach(() => vi.unstubAllEnvs());

describe('the event of a function URL', () => {
  test('is told from that of API Gateway', () => {
    expect(isFromUrl(documented)).toBe(true);
    expect(isFromUrl(asGatewayEvent(documented, []))).toBe(false);
  });

  test('becomes that of API Gateway', () => {
    expect(asGatewayEvent(documented, ['/my/{name}'])).toEqual({
      resource: '/my/{name}',
      path: '/my/path',
      httpMethod: 'POST',
      headers: { header1: 'value1', header2: 'value1,value2', cookie: 'cookie1; cookie2' },
      pathParameters: { name: 'path' },
      queryStringParameters: { parameter1: 'value2', parameter2: 'value' },
      requestContext: {
        requestId: 'id',
        domainName: '<url-id>.lambda-url.us-west-2.on.aws',
        identity: { sourceIp: '123.123.123.123' },
      },
      body: 'Hello from client!',
      isBase64Encoded: false,
    });
  });

  test('without a body and without cookies has none', () => {
    const { body: _body, cookies: _cookies, ...bare } = documented;
    expect(asGatewayEvent(bare, [])).toMatchObject({ body: null });
    expect(asGatewayEvent(bare, []).headers).not.toHaveProperty('cookie');
  });

  test('says who called by the address that the distribution saw', () => {
    vi.stubEnv('DISTRIBUTION_MARK', 'the-mark');
    const headers = { 'x-distribution-mark': 'the-mark', 'x-distribution-viewer': '203.0.113.7' };
    const behind = (more: Record<string, string>) =>
      clientAddress(asGatewayEvent({ ...documented, headers: { ...headers, ...more } }, []));
    expect(behind({})).toBe('203.0.113.7');
    expect(behind({ 'x-forwarded-for': '1.1.1.1' })).toBe('203.0.113.7');
    expect(behind({ 'x-distribution-mark': 'a-guess' })).toBe('123.123.123.123');
  });
});

describe('the route of a function URL', () => {
  const paths = ['/t/{token}', '/t/{token}/claim', '/t/{token}/{part}', '/t/new'];
  const routeOf = (path: string) => {
    const { resource, pathParameters } = asGatewayEvent(at(path), paths);
    return [resource, pathParameters];
  };

  test('prefers a text to a parameter', () => {
    expect(routeOf('/t/abc')).toEqual(['/t/{token}', { token: 'abc' }]);
    expect(routeOf('/t/new')).toEqual(['/t/new', {}]);
    expect(routeOf('/t/abc/claim')).toEqual(['/t/{token}/claim', { token: 'abc' }]);
    expect(routeOf('/t/abc/other')).toEqual(['/t/{token}/{part}', { token: 'abc', part: 'other' }]);
  });

  test.each(['/t', '/t/', '/t/abc/claim/more', '/u/abc', '/', ''])('is none for %s', (path) => {
    expect(routeOf(path)).toEqual(['', {}]);
  });

  test('has decoded parameters, as far as they can be decoded', () => {
    expect(routeOf('/t/a%20b')).toEqual(['/t/{token}', { token: 'a b' }]);
    expect(routeOf('/t/a%2Fb')).toEqual(['/t/{token}', { token: 'a/b' }]);
    expect(routeOf('/t/%zz')).toEqual(['/t/{token}', { token: '%zz' }]);
  });
});

describe('a family that is called by its URL', () => {
  const call = async (rawPath: string, method: string) => {
    const http = { ...documented.requestContext.http, method };
    const { statusCode, headers, body } = await providers(
      at(rawPath, { requestContext: { ...documented.requestContext, http } }),
    );
    return { status: statusCode, headers, key: JSON.parse(body).key };
  };

  test('answers an unknown path as the API does', async () => {
    expect(await call('/v1/tracking-providers/17track/webhook/more', 'POST')).toMatchObject({
      status: 404,
      key: 'route_not_found',
      headers: { 'X-Correlation-Id': 'id' },
    });
  });

  test.each(['GET', 'HEAD', 'OPTIONS'])('answers a method that the path does not have: %s', async (method) => {
    expect(await call('/v1/tracking-providers/17track/webhook', method)).toMatchObject({
      status: 405,
      key: 'method_not_allowed',
      headers: { Allow: 'POST' },
    });
  });

  test('answers nobody who did not come through the distribution', async () => {
    vi.stubEnv('DISTRIBUTION_MARK', 'the-mark');
    expect(await call('/v1/tracking-providers/17track/webhook', 'POST')).toMatchObject({ status: 404 });
  });
});

describe('an answer', () => {
  const long = { statusCode: 200, headers: { 'Content-Type': 'text/html' }, body: 'ä'.repeat(2000) };

  test('is compressed for who takes it', async () => {
    for (const accepted of ['gzip', 'br, gzip', 'gzip, deflate, br, zstd']) {
      const { body, headers, isBase64Encoded } = await compressed(long, accepted);
      expect([headers, isBase64Encoded]).toEqual([{ 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }, true]);
      expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(long.body);
    }
  });

  test.each([undefined, '', 'identity', 'br', 'gzip;q=0'])('is not compressed for %s', async (accepted) => {
    expect(await compressed(long, accepted)).toBe(long);
  });

  test('that is short is not compressed', async () => {
    const short = { ...long, body: 'x'.repeat(1023) };
    expect(await compressed(short, 'gzip')).toBe(short);
  });
});
