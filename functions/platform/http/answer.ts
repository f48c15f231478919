import type { APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError } from '#platform/errors.ts';
import { countOne, describeError, logger } from '#platform/logging.ts';
import { errorBody } from '#schemas/catalogues/errors.ts';
import { ownMetrics } from '#schemas/catalogues/metrics.ts';
import { downgradeResponse } from '#schemas/catalogues/versions.ts';
import { csvText } from '#schemas/shapes/csv.ts';
import { csvMediaType, prefersCsv } from './csv.ts';
import { knownError, responseOf } from './errors.ts';
import { isJsonLongerThan } from './json-length.ts';
import type { GatewayEvent, Middleware, PathContext, Progress, RawResponse, RuntimeOperation } from './request.ts';

/** Lambda refuses a response over 6 MB, measured as its JSON envelope, and the gateway would answer 502. */
const maxResponseBytes = 6 * 1024 * 1024;

/** Shows an error to a person. It gets what is known of the request. */
export type ErrorPage = (error: { status: number }, request: Progress) => Promise<RawResponse>;

/** The outermost middleware. It turns a result or an error into the response, and logs one line for the request. */
export function answer(operation: RuntimeOperation, errorPage?: ErrorPage): Middleware {
  const errorDraft = async (error: unknown, event: GatewayEvent, context: PathContext): Promise<ResponseDraft> => {
    const known = await failure(error, event, context);
    // A merchant who asks for a preview reads the error as of any operation of the API.
    if (!operation.isPage || !errorPage || operation.role !== 'open') return failed(known);
    const { status, headers } = responseOf(known);
    const page = await errorPage({ status }, context.progress);
    return rawDraft(operation, { status, content: page.content, headers: { ...page.headers, ...headers } });
  };
  return {
    after: async (request) => {
      const { event, context } = request;
      const draft = success(operation, request.response as unknown, event, context);
      const response = finish(operation, event, context, draft);
      request.response = fits(response)
        ? response
        : finish(operation, event, context, await errorDraft(tooLarge(), event, context));
    },
    onError: async (request) => {
      const { event, context } = request;
      request.response = finish(operation, event, context, await errorDraft(request.error, event, context));
    },
  };
}

/** The envelope escapes quotes and other characters of the body, so the length of the body is not enough. */
function fits(response: APIGatewayProxyResult): boolean {
  if (response.body.length < maxResponseBytes / 6) return true; // escaping makes a body at most six times longer
  return Buffer.byteLength(JSON.stringify(response)) <= maxResponseBytes;
}

interface ResponseDraft {
  statusCode: number;
  headers?: Record<string, string>;
  body: string;
}

function success(
  operation: RuntimeOperation,
  result: unknown,
  { headers }: GatewayEvent,
  { progress }: PathContext,
): ResponseDraft {
  const { status: statusCode, csv } = operation;
  if (operation.mediaType !== 'application/json' || isRaw(result)) return rawDraft(operation, result as RawResponse);
  const value = downgradeResponse(operation.id, progress.version, result);
  if (csv && prefersCsv(headers.accept)) {
    return { statusCode, headers: { 'Content-Type': csvMediaType }, body: csvText(csv, value as unknown[]) };
  }
  const body = jsonOf(value);
  return body === undefined ? failed(tooLarge()) : { statusCode, body };
}

/** Undefined if the text would be far too long to send, or longer than a string can be. */
function jsonOf(value: unknown): string | undefined {
  if (isJsonLongerThan(value, maxResponseBytes)) return undefined;
  try {
    return JSON.stringify(value) ?? '';
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const tooLarge = () =>
  new ServiceError('payload_too_large', {
    message:
      'The response is too large. If you read a list, use a smaller per_page. If you read figures, ask for fewer days.',
  });

const rawDraft = (operation: RuntimeOperation, { status, content, headers }: RawResponse): ResponseDraft => ({
  statusCode: status ?? operation.status,
  headers: { 'Content-Type': operation.mediaType, ...headers },
  body: content,
});

const isRaw = (result: unknown): result is RawResponse =>
  typeof result === 'object' && result !== null && 'content' in result && 'headers' in result;

async function failure(error: unknown, event: GatewayEvent, context: PathContext): Promise<ServiceError> {
  const known = knownError(error);
  if (known?.key === 'bad_gateway') await countOne(ownMetrics.badGateways);
  if (known) return known;
  logger.error('unexpected error', { correlation_id: correlationId(event, context), error: describeError(error) });
  await countOne(ownMetrics.unexpectedErrors);
  return new ServiceError('unexpected');
}

function failed(error: ServiceError): ResponseDraft {
  const { status, headers } = responseOf(error);
  return { statusCode: status, headers, body: JSON.stringify(errorBody(error.key, error.details)) };
}

function finish(
  operation: RuntimeOperation,
  event: GatewayEvent,
  context: PathContext,
  { statusCode, headers, body }: ResponseDraft,
): APIGatewayProxyResult {
  const { progress } = context;
  const correlation_id = correlationId(event, context);
  // A stage that logs from WARN on keeps the lines of requests that failed, which are those that somebody asks about.
  logger[statusCode < 400 ? 'info' : 'warn']('request', {
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
      // Error texts are English. Everything else is in the chosen language.
      'Content-Language': statusCode < 400 ? progress.language : 'en',
      Vary: operation.csv ? 'Accept, Accept-Language' : 'Accept-Language',
      'X-Correlation-Id': correlation_id,
      ...(progress.etag !== undefined && { ETag: `"${progress.etag}"` }),
      ...(progress.cookie !== undefined && { 'Set-Cookie': progress.cookie }),
      ...(operation.anyOrigin && { 'Access-Control-Allow-Origin': '*' }),
      ...headers,
    },
    body,
  };
}

export const correlationId = (event: GatewayEvent, context: Pick<PathContext, 'awsRequestId'>): string =>
  event.requestContext?.requestId ?? context.awsRequestId ?? 'unknown';
