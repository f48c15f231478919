import type { IncomingMessage } from 'node:http';
import { account } from '../template/physical-names.ts';
import { isBinary } from './media-types.ts';
import type { Route } from './routes.ts';

export interface EventSource {
  request: IncomingMessage;
  route: Route;
  body: Buffer;
  requestId: string;
  apiId: string;
  stage: string;
  binaryTypes: readonly string[];
}

type Multi = Record<string, string[]>;

/** Headers of the connection. They are not passed on. */
export const hopByHop = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'upgrade',
  'proxy-connection',
  'expect',
]);

/** The event of a REST API's Lambda proxy integration. Throws URIError on malformed percent-encoding. */
export function proxyEvent(source: EventSource): Record<string, unknown> {
  const { request, route, body, binaryTypes } = source;
  const { path, query } = splitUrl(request.url ?? '/');
  const multiValueHeaders = headersOf(request);
  const multiValueQueryStringParameters = queryOf(query);
  const base64 = body.length > 0 && isBinary(binaryTypes, request.headers['content-type']);
  return {
    resource: route.resource,
    path,
    httpMethod: request.method,
    headers: lastValues(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: orNull(lastValues(multiValueQueryStringParameters)),
    multiValueQueryStringParameters: orNull(multiValueQueryStringParameters),
    pathParameters: orNull(decodeValues(route.parameters)),
    stageVariables: null,
    requestContext: requestContext(source, path),
    body: body.length === 0 ? null : body.toString(base64 ? 'base64' : 'utf8'),
    isBase64Encoded: base64,
  };
}

export function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function requestContext(
  { request, route, requestId, apiId, stage }: EventSource,
  path: string,
): Record<string, unknown> {
  const now = new Date();
  return {
    accountId: account,
    apiId,
    domainName: request.headers.host ?? '127.0.0.1',
    extendedRequestId: requestId,
    httpMethod: request.method,
    identity: {
      sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
      userAgent: request.headers['user-agent'] ?? null,
    },
    path: `/${stage}${path}`,
    protocol: `HTTP/${request.httpVersion}`,
    requestId,
    requestTime: accessLogTime(now),
    requestTimeEpoch: now.getTime(),
    resourceId: route.resource,
    resourcePath: route.resource,
    stage,
  };
}

/** Header names keep the case of the sender, as in API Gateway. */
function headersOf(request: IncomingMessage): Multi {
  const headers: Multi = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]!;
    if (!hopByHop.has(name.toLowerCase())) append(headers, name, request.rawHeaders[index + 1]!);
  }
  const forwarded = [...(headers['X-Forwarded-For'] ?? []), request.socket.remoteAddress ?? '127.0.0.1'];
  headers['X-Forwarded-For'] = [forwarded.join(', ')];
  append(headers, 'X-Forwarded-Proto', 'http');
  return headers;
}

function queryOf(query: string): Multi {
  const parameters: Multi = {};
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    append(parameters, decodeQuery(name), equals < 0 ? '' : decodeQuery(pair.slice(equals + 1)));
  }
  return parameters;
}

function decodeQuery(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

function decodeValues(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]));
}

function append(target: Multi, name: string, value: string): void {
  // defineProperty, because a parameter may be named __proto__.
  const values = Object.hasOwn(target, name) ? target[name]! : [];
  values.push(value);
  Object.defineProperty(target, name, { value: values, enumerable: true, configurable: true, writable: true });
}

function lastValues(values: Multi): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1)!]));
}

function orNull<T extends object>(value: T): T | null {
  return Object.keys(value).length === 0 ? null : value;
}

export function accessLogTime(time: Date): string {
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(time.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${clock} +0000`;
}
