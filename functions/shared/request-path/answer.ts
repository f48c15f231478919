import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorBody } from '#schemas/errors.ts';
import { downgradeResponse } from '#schemas/versions.ts';
import { ApiError } from '#shared/api-error.ts';
import { logger } from '#shared/logger.ts';
import { countUnexpectedError } from '#shared/metrics.ts';
import type { GatewayEvent, Page } from '#shared/request.ts';
import type { RuntimeOperation } from '#shared/runtime-operation.ts';
import { toApiError } from './error-mapping.ts';
import type { Middleware, PathContext } from './middleware.ts';

/** Lambda refuses an answer over 6 MB and the gateway would make a 502 of it; the rest is room for the envelope. */
const largestAnswer = 5.9 * 1024 * 1024;

/** The outermost step: turns a result or an error into the response, and logs one line for the request. */
export function answer(operation: RuntimeOperation): Middleware {
  return {
    after: (request) => {
      const { event, context } = request;
      const response = success(operation, request.response as unknown, context);
      request.response = finish(operation, event, context, response);
    },
    onError: async (request) => {
      const { event, context } = request;
      request.response = finish(operation, event, context, await failure(request.error, event, context));
    },
  };
}

interface Draft {
  statusCode: number;
  headers?: Record<string, string>;
  body: string;
}

function success(operation: RuntimeOperation, result: unknown, { progress }: PathContext): Draft {
  if (operation.mediaType !== 'application/json' || isPage(result)) {
    const { content, headers } = result as Page;
    return {
      statusCode: operation.status,
      headers: { 'Content-Type': operation.mediaType, ...headers },
      body: content,
    };
  }
  const body = JSON.stringify(downgradeResponse(operation.id, progress.version, result)) ?? '';
  if (Buffer.byteLength(body) > largestAnswer) {
    const message = 'The answer is too large to send: ask for fewer with per_page.';
    return failed(new ApiError('payload_too_large', { message }));
  }
  return { statusCode: operation.status, body };
}

const isPage = (result: unknown): result is Page =>
  typeof result === 'object' && result !== null && 'content' in result && 'headers' in result;

async function failure(error: unknown, event: GatewayEvent, context: PathContext): Promise<Draft> {
  const known = toApiError(error);
  if (known) return failed(known);
  const { name, stack } = error as Error;
  logger.error('unexpected error', { correlation_id: correlationId(event, context), error: { name, stack } });
  await countUnexpectedError();
  return failed(new ApiError('unexpected'));
}

function failed({ key, status, details }: ApiError): Draft {
  return { statusCode: status, headers: details.headers ?? {}, body: JSON.stringify(errorBody(key, details)) };
}

function finish(
  operation: RuntimeOperation,
  event: GatewayEvent,
  context: PathContext,
  { statusCode, headers, body }: Draft,
): APIGatewayProxyResult {
  const { progress } = context;
  const correlation_id = correlationId(event, context);
  logger.info('request', {
    operation: operation.id,
    status: statusCode,
    duration_ms: Date.now() - progress.startedAt,
    token_id: progress.caller?.tokenId,
    shop_id: progress.shop?.uuid,
    version: progress.version,
    correlation_id,
  });
  return {
    statusCode,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Service-Version': progress.version,
      'X-Correlation-Id': correlation_id,
      ...headers,
    },
    body,
  };
}

const correlationId = (event: GatewayEvent, context: PathContext) =>
  event.requestContext?.requestId ?? context.awsRequestId ?? 'unknown';
