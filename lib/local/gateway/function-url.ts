import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type FunctionPool, PayloadTooLarge } from '../functions/function-pool.ts';
import { FunctionError } from '../functions/function-sandbox.ts';
import type { StackTemplate } from '../template/template.ts';
import type { HttpAnswer } from './proxy-response.ts';
import { BodyTooLarge, readBody } from './request-body.ts';
import { urlEvent } from './url-event.ts';

/** What Lambda takes in one invocation. */
const maxBodyBytes = 6 * 1024 * 1024;

/**
 * Emulates the URL of a function, as a distribution calls it.
 * @param timeoutMs how long the distribution waits for an answer
 */
export async function serveUrl(
  pool: FunctionPool | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  timeoutMs: number,
): Promise<void> {
  const requestId = randomUUID();
  const answer = await withinLimit(answerOf(pool, request, requestId), timeoutMs);
  const headers = { 'x-amzn-requestid': requestId, ...answer.headers, 'content-length': answer.body.length };
  response.writeHead(answer.status, headers).end(request.method === 'HEAD' ? undefined : answer.body);
  // The rest of a refused body, or the client would not get the response.
  request.resume();
}

async function answerOf(
  pool: FunctionPool | undefined,
  request: IncomingMessage,
  requestId: string,
): Promise<HttpAnswer> {
  if (!pool) return failure(403, 'Forbidden');
  try {
    const body = await readBody(request, maxBodyBytes);
    return readUrlResult(await pool.invoke(urlEvent(request, body, requestId))) ?? crashed();
  } catch (error) {
    if (error instanceof BodyTooLarge || error instanceof PayloadTooLarge) return failure(413, 'Request Too Large');
    const isThrottled = error instanceof FunctionError && error.errorType === 'TooManyRequestsException';
    return isThrottled ? failure(429, 'Rate Exceeded.') : crashed();
  }
}

/** The status that the documentation names. It does not say which texts come with it. */
const failure = (status: number, Message: string): HttpAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ Message })),
});

/** A function that fails, times out or answers in a wrong form. */
const crashed = () => failure(502, 'Internal Server Error');

interface UrlResult {
  statusCode: number;
  headers?: Record<string, unknown>;
  cookies?: string[];
  body?: unknown;
  isBase64Encoded?: boolean;
}

/**
 * The HTTP response for the result of a function. Without a status, the result itself is the body. Undefined if it is malformed:
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-response-payload
 */
export function readUrlResult(result: unknown): HttpAnswer | undefined {
  if (!hasStatus(result)) {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(result)) };
  }
  const { statusCode, body = '', isBase64Encoded, cookies } = result;
  if (!Number.isInteger(statusCode) || statusCode < 100 || statusCode > 599) return undefined;
  const headers: OutgoingHttpHeaders = { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries(result.headers ?? {})) headers[name.toLowerCase()] = String(value);
  if (cookies) headers['set-cookie'] = cookies;
  delete headers['content-length'];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status: statusCode, headers, body: Buffer.from(text, isBase64Encoded ? 'base64' : 'utf8') };
}

const hasStatus = (result: unknown): result is UrlResult =>
  typeof result === 'object' && result !== null && 'statusCode' in result;

async function withinLimit(work: Promise<HttpAnswer>, milliseconds: number): Promise<HttpAnswer> {
  const { promise, resolve } = Promise.withResolvers<HttpAnswer>();
  const late = { status: 504, headers: { 'content-type': 'text/html' }, body: Buffer.from('Gateway Timeout') };
  const timer = setTimeout(() => resolve(late), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

interface UrlPermission {
  FunctionName: string;
  Principal: string;
  Action: string;
  FunctionUrlAuthType?: string;
  InvokedViaFunctionUrl?: boolean;
}

/** Everybody needs both permissions: https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html. */
export function isOpenToAll(stack: StackTemplate, functionArn: string): boolean {
  const permissions = stack
    .resources('AWS::Lambda::Permission')
    .map(({ properties }) => properties as unknown as UrlPermission)
    .filter(
      ({ FunctionName, Principal }) =>
        Principal === '*' && [functionArn, functionArn.split(':').at(-1)].includes(FunctionName),
    );
  const mayCallUrl = permissions.some(
    ({ Action, FunctionUrlAuthType }) => Action === 'lambda:InvokeFunctionUrl' && FunctionUrlAuthType === 'NONE',
  );
  const mayInvoke = permissions.some(
    ({ Action, InvokedViaFunctionUrl }) => Action === 'lambda:InvokeFunction' && InvokedViaFunctionUrl === true,
  );
  return mayCallUrl && mayInvoke;
}
