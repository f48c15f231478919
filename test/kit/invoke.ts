import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { GatewayEvent } from '#platform/http/request.ts';

type Handler = (event: GatewayEvent, context?: object) => Promise<APIGatewayProxyResult>;

export interface Call {
  method: string;
  resource: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  rawBody?: string;
}

/** Calls a family's handler as API Gateway does; the answer's JSON body comes parsed. */
export async function invoke(handler: Handler, call: Call) {
  const result = await handler(eventOf(call), { awsRequestId: randomUUID() });
  const headers = result.headers as Record<string, string>;
  const isJson = headers['Content-Type'] === 'application/json' && result.body !== '';
  return { status: result.statusCode, headers, body: isJson ? JSON.parse(result.body) : result.body };
}

export const basic = (username: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
});

export function eventOf({ method, resource, params, query, headers, body, rawBody }: Call): GatewayEvent {
  const text = rawBody ?? (body === undefined ? null : JSON.stringify(body));
  return {
    resource,
    path: resource,
    httpMethod: method,
    headers: { ...(text !== null && { 'Content-Type': 'application/json' }), ...headers },
    multiValueHeaders: {},
    pathParameters: params ?? null,
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: null,
    stageVariables: null,
    isBase64Encoded: false,
    body: text,
    requestContext: { requestId: 'request-1', domainName: 'api.example.com', stage: 'live' } as never,
  };
}
