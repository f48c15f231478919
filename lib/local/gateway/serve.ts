import type { IncomingMessage } from 'node:http';
import { type FunctionPool, PayloadTooLarge } from '../functions/function-pool.ts';
import type { Integration } from './document.ts';
import { type GatewayError, gatewayErrors } from './gateway-responses.ts';
import { answerMock } from './mock.ts';
import { proxyEvent, splitUrl } from './proxy-event.ts';
import { type HttpAnswer, readProxyResult } from './proxy-response.ts';
import { BodyTooLarge, readBody } from './request-body.ts';
import type { Route, Router } from './routes.ts';

export interface Gateway {
  apiId: string;
  stage: string;
  binaryTypes: readonly string[];
  route: Router;
  /** False if the throttle of the method refuses the request. */
  admits(route: Route, method: string): boolean;
  /** The function of a route, if API Gateway may invoke it. */
  functionOf(route: Route, method: string): FunctionPool | undefined;
  log(line: string): void;
}

/** An error that the gateway itself returns. */
class GatewayFailure extends Error {
  readonly answer: GatewayError;

  constructor(answer: GatewayError) {
    super(answer.message);
    this.answer = answer;
  }
}

const maxBodyBytes = 10 * 1024 * 1024;
const integrationTimeoutMs = 29_000;

/** Finds the route of a request and runs its integration. */
export async function serve(gateway: Gateway, request: IncomingMessage, requestId: string): Promise<HttpAnswer> {
  const { path, query } = splitUrl(request.url ?? '/');
  if (!isWellEncoded(path) || !isWellEncoded(query)) throw new GatewayFailure(gatewayErrors.badParameters);
  const route = gateway.route(request.method ?? 'GET', path);
  if (!route) throw new GatewayFailure(gatewayErrors.unknownRoute);
  if (!gateway.admits(route, request.method ?? 'GET')) throw new GatewayFailure(gatewayErrors.throttled);
  const body = await readBody(request, maxBodyBytes);
  if (route.integration.type.toLowerCase() === 'mock') return mockAnswer(route.integration, requestId);
  return invoke(gateway, route, request, body, requestId);
}

async function invoke(
  { apiId, stage, binaryTypes, functionOf, log }: Gateway,
  route: Route,
  request: IncomingMessage,
  body: Buffer,
  requestId: string,
): Promise<HttpAnswer> {
  const pool = functionOf(route, request.method ?? 'GET');
  if (!pool) throw new GatewayFailure(gatewayErrors.misconfigured);
  const event = proxyEvent({ request, route, body, requestId, apiId, stage, binaryTypes });
  const invoked = pool.invoke(event, `${request.method} ${route.resource}`);
  const result = await withinLimit(invoked, route.integration.timeoutInMillis);
  const answer = readProxyResult(result, binaryTypes, request.headers.accept);
  if (answer) return answer;
  log(`${pool.definition.logicalId}: the function returned a malformed Lambda proxy response.`);
  throw new GatewayFailure(gatewayErrors.functionFailed);
}

export function failureOf(error: unknown): GatewayError {
  if (error instanceof GatewayFailure) return error.answer;
  if (error instanceof BodyTooLarge || error instanceof PayloadTooLarge) return gatewayErrors.tooLarge;
  return gatewayErrors.functionFailed;
}

function mockAnswer(integration: Integration, requestId: string): HttpAnswer {
  const answer = answerMock(integration, requestId);
  if (!answer) throw new GatewayFailure(gatewayErrors.misconfigured);
  return { ...answer, body: Buffer.from(answer.body) };
}

async function withinLimit<T>(work: Promise<T>, milliseconds = integrationTimeoutMs): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = Math.min(milliseconds, integrationTimeoutMs);
  const timer = setTimeout(() => reject(new GatewayFailure(gatewayErrors.timedOut)), limit);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function isWellEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
