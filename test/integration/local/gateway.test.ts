import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { isOpenToAll, readUrlResult } from '#lib/local/gateway/function-url.ts';
import { gatewayErrors, renderGatewayResponse } from '#lib/local/gateway/gateway-responses.ts';
import { answerMock } from '#lib/local/gateway/mock.ts';
import { readProxyResult } from '#lib/local/gateway/proxy-response.ts';
import { createRouter } from '#lib/local/gateway/routes.ts';
import { createMethodThrottles, createThrottle } from '#lib/local/gateway/throttle.ts';
import { urlEvent } from '#lib/local/gateway/url-event.ts';

const operation = (uri: string) => ({ 'x-amazon-apigateway-integration': { type: 'aws_proxy', uri } });

describe('the router', () => {
  const route = createRouter({
    paths: {
      '/': { get: operation('root') },
      '/shops': { get: operation('list'), 'x-amazon-apigateway-any-method': operation('any') },
      '/shops/{slug}': { get: operation('one') },
      '/shops/search': { get: operation('search') },
      '/shops/{slug}/keys': { get: operation('keys') },
      '/files/{proxy+}': { get: operation('files') },
    },
  });

  test.each<[string, string, string | undefined, Record<string, string>?]>([
    ['GET', '/', 'root'],
    ['GET', '/shops', 'list'],
    ['DELETE', '/shops', 'any'],
    ['GET', '/shops/acme', 'one', { slug: 'acme' }],
    ['GET', '/shops/search', 'search'],
    ['GET', '/shops/search/keys', 'keys', { slug: 'search' }],
    ['GET', '/shops/a%2Fb', 'one', { slug: 'a%2Fb' }],
    ['GET', '/files/a/b/c', 'files', { proxy: 'a/b/c' }],
    ['HEAD', '/shops/acme', undefined],
    ['GET', '/shops/', undefined],
    ['GET', '/shops/acme/keys/1', undefined],
    ['GET', '/files', undefined],
    ['GET', '/other', undefined],
  ])('handles %s %s as API Gateway does', (method, path, uri, parameters = {}) => {
    const found = route(method, path);
    expect(found?.integration.uri).toBe(uri);
    if (found) expect(found.parameters).toEqual(parameters);
  });

  test('refuses two names for one place, as API Gateway does', () => {
    const paths = { '/a/{x}': { get: operation('1') }, '/a/{y}/b': { get: operation('2') } };
    expect(() => createRouter({ paths })).toThrow(/sibling of \{y\} already has the variable \{x\}/);
  });
});

describe('a gateway response', () => {
  const definitions = {
    MISSING_AUTHENTICATION_TOKEN: {
      statusCode: '404',
      responseParameters: {
        'gatewayresponse.header.X-Id': 'context.requestId',
        'gatewayresponse.header.Kind': "'static'",
      },
      responseTemplates: { 'application/json': '{"id":"$context.requestId","m":$context.error.messageString}' },
    },
    DEFAULT_4XX: { responseTemplates: { 'application/json': '{"default":"$context.error.message"}' } },
  };

  test('has the status, the headers and the body of its definition', () => {
    const answer = renderGatewayResponse(definitions, gatewayErrors.unknownRoute, 'r1');
    expect(answer).toMatchObject({ status: 404, body: '{"id":"r1","m":"Missing Authentication Token"}' });
    expect(answer.headers).toMatchObject({ 'x-id': 'r1', kind: 'static', 'content-type': 'application/json' });
  });

  test('without its own definition takes the default of its class and keeps its status', () => {
    const answer = renderGatewayResponse(definitions, gatewayErrors.tooLarge, 'r1');
    expect(answer).toMatchObject({ status: 413, body: '{"default":"Request Too Long"}' });
  });

  test('without any definition answers as AWS does', () => {
    const answer = renderGatewayResponse({}, gatewayErrors.functionFailed, 'r1');
    expect(answer).toMatchObject({ status: 502, body: '{"message":"Internal server error"}' });
  });
});

test('a mock integration answers by the status of its request template', () => {
  const integration = {
    type: 'mock',
    requestTemplates: { 'application/json': '{"statusCode": 405}' },
    responses: {
      '2\\d\\d': { statusCode: '200' },
      default: {
        statusCode: '405',
        responseParameters: { 'method.response.header.Allow': "'GET'" },
        responseTemplates: { 'application/json': '{"id":"$context.requestId"}' },
      },
    },
  };
  expect(answerMock(integration, 'r1')).toMatchObject({ status: 405, headers: { allow: 'GET' }, body: '{"id":"r1"}' });
});

test('a throttle lets a burst pass, then the rate', () => {
  let now = 0;
  const admits = createThrottle({ rate: 10, burst: 2 }, () => now);
  expect([admits(), admits(), admits()]).toEqual([true, true, false]);
  now += 100;
  expect([admits(), admits()]).toEqual([true, false]);
});

test('each method has a throttle of its own, with its own limits or those of all', () => {
  const limits = (rate: number) => ({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: rate });
  const admits = createMethodThrottles(
    [
      { HttpMethod: '*', ResourcePath: '/*', ...limits(2) },
      { HttpMethod: 'GET', ResourcePath: '/~1docs~1{page}', ...limits(1) },
    ],
    () => 0,
  );
  const tries = (method: string, resource: string) => [1, 2, 3].map(() => admits({ resource }, method));
  expect(tries('GET', '/docs/{page}')).toEqual([true, false, false]);
  expect(tries('POST', '/docs/{page}')).toEqual([true, true, false]);
  expect(tries('GET', '/docs')).toEqual([true, true, false]);
  expect(createMethodThrottles([])({ resource: '/docs' }, 'GET')).toBe(true);
});

describe("a function's answer", () => {
  test.each<[string, unknown]>([
    ['without a status', { body: 'x' }],
    ['with an invalid status', { statusCode: 'abc' }],
    ['with a body that is no text', { statusCode: 200, body: { a: 1 } }],
    ['with an unknown field', { statusCode: 200, cookies: [] }],
    ['that is no object', 'text'],
    ['that is null', null],
  ])('%s is malformed', (_what, result) => {
    expect(readProxyResult(result, [], undefined)).toBeUndefined();
  });

  test('keeps several values of a header', () => {
    const answer = readProxyResult(
      { statusCode: 204, headers: { A: '1' }, multiValueHeaders: { B: ['2', '3'] } },
      [],
      undefined,
    );
    expect(answer?.headers).toMatchObject({ a: '1', b: ['2', '3'] });
  });

  test('in base64 is decoded for a caller that accepts a binary type', () => {
    const result = { statusCode: 200, body: 'aGk=', isBase64Encoded: true };
    expect(String(readProxyResult(result, ['image/png'], 'image/png')?.body)).toBe('hi');
    expect(String(readProxyResult(result, ['image/*'], 'image/png, */*')?.body)).toBe('hi');
    expect(String(readProxyResult(result, ['image/png'], 'text/html')?.body)).toBe('aGk=');
  });
});

describe('the URL of a function', () => {
  const requestOf = (rawHeaders: string[], url = '/a/b%20c?x=1&x=2') =>
    ({
      method: 'POST',
      url,
      httpVersion: '1.1',
      rawHeaders,
      headers: { host: 'id.lambda-url.example.com' },
      socket: { remoteAddress: '64.252.1.1' },
    }) as unknown as IncomingMessage;

  test('makes an event of payload format 2.0', () => {
    const sent = ['Accept', 'text/html', 'ACCEPT', 'text/plain', 'Cookie', 'a=1; b=2', 'Connection', 'close'];
    expect(urlEvent(requestOf([...sent, 'X-Forwarded-For', '1.1.1.1']), Buffer.alloc(0), 'r1')).toMatchObject({
      version: '2.0',
      rawPath: '/a/b%20c',
      rawQueryString: 'x=1&x=2',
      queryStringParameters: { x: '1,2' },
      cookies: ['a=1', 'b=2'],
      headers: { accept: 'text/html,text/plain', 'x-forwarded-for': '64.252.1.1', 'x-forwarded-proto': 'https' },
      requestContext: { http: { method: 'POST', path: '/a/b%20c', sourceIp: '64.252.1.1' }, requestId: 'r1' },
      isBase64Encoded: false,
    });
  });

  test.each([
    ['application/json', false],
    ['application/json; charset=utf-8', false],
    ['text/plain', false],
    ['application/x-www-form-urlencoded', true],
    ['multipart/form-data; boundary=x', true],
    ['application/jsonlines', true],
  ])('has a body of %s in base64: %s', (type, isBase64Encoded) => {
    const event = urlEvent(requestOf(['Content-Type', type]), Buffer.from('hi'), 'r1');
    expect(event).toMatchObject({ isBase64Encoded, body: isBase64Encoded ? 'aGk=' : 'hi' });
  });

  test('answers what its function says', () => {
    const result = {
      statusCode: 201,
      headers: { A: '1' },
      cookies: ['x=1', 'y=2'],
      body: 'aGk=',
      isBase64Encoded: true,
    };
    const answer = readUrlResult(result);
    expect(answer).toMatchObject({ status: 201, headers: { a: '1', 'set-cookie': ['x=1', 'y=2'] } });
    expect(String(answer?.body)).toBe('hi');
    expect(readUrlResult({ statusCode: 'abc' })).toBeUndefined();
    expect(readUrlResult({ statusCode: 1000 })).toBeUndefined();
    const bare = readUrlResult({ message: 'x' });
    expect([bare?.status, String(bare?.body)]).toEqual([200, '{"message":"x"}']);
  });

  test('is open to all only with both permissions', () => {
    const arn = 'arn:aws:lambda:eu-central-1:000000000000:function:f';
    const everybody = { FunctionName: arn, Principal: '*' };
    const url = { ...everybody, Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' };
    const invoke = { ...everybody, Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true };
    const isOpen = (...permissions: object[]) =>
      isOpenToAll({ resources: () => permissions.map((properties) => ({ properties })) } as never, arn);
    expect(isOpen(url, invoke)).toBe(true);
    expect([isOpen(url), isOpen(invoke), isOpen(url, { ...invoke, InvokedViaFunctionUrl: false })]).toEqual([
      false,
      false,
      false,
    ]);
    expect(isOpen(url, { ...invoke, Principal: 'apigateway.amazonaws.com' })).toBe(false);
  });
});
