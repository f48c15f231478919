import type { APIGatewayProxyResult, LambdaFunctionURLEvent } from 'aws-lambda';
import Negotiator from 'negotiator';
import { distributionViewerHeader } from '#schemas/catalogues/distribution.ts';
import type { GatewayEvent } from './request.ts';

/**
 * Anonymous callers come by the URL of a function, not by API Gateway. Its events have another form (payload 2.0:
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads), and it knows no routes. Only this file
 * knows of it.
 */
export const isFromUrl = (event: GatewayEvent | LambdaFunctionURLEvent): event is LambdaFunctionURLEvent =>
  'rawPath' in event;

/** The event as API Gateway would have made it, for the routes of one family. An unknown path has no route. */
export function asGatewayEvent(event: LambdaFunctionURLEvent, paths: readonly string[]): GatewayEvent {
  const { requestContext, body = null, isBase64Encoded } = event;
  const { resource, parameters } = routeOf(event.rawPath, paths);
  return {
    resource,
    path: event.rawPath,
    httpMethod: requestContext.http.method,
    headers: headersOf(event),
    pathParameters: parameters,
    // Not `queryStringParameters` of the event, which joins the values of a repeated name. Of those the last one counts.
    queryStringParameters: Object.fromEntries(new URLSearchParams(event.rawQueryString)),
    requestContext: {
      requestId: requestContext.requestId,
      domainName: requestContext.domainName,
      identity: { sourceIp: requestContext.http.sourceIp },
    },
    body,
    isBase64Encoded,
  } as unknown as GatewayEvent;
}

/**
 * Names are in lower case already. Cookies may be beside the headers. AWS does not say what becomes of X-Forwarded-For on
 * this way, so the distribution names the caller in a header of its own.
 */
function headersOf({ headers, cookies, requestContext }: LambdaFunctionURLEvent): Record<string, string | undefined> {
  const viewer = headers[distributionViewerHeader];
  return {
    ...headers,
    ...(cookies && { cookie: cookies.join('; ') }),
    ...(viewer && { 'x-forwarded-for': `${viewer}, ${requestContext.http.sourceIp}` }),
  };
}

interface Route {
  resource: string;
  parameters: Record<string, string>;
}

function routeOf(path: string, paths: readonly string[]): Route {
  const segments = path.split('/');
  // A brace sorts after letters and digits, so a path with a text wins over one with a parameter in its place.
  for (const resource of paths.toSorted()) {
    const parameters = match(resource.split('/'), segments);
    if (parameters) return { resource, parameters };
  }
  return { resource: '', parameters: {} };
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === '') return undefined;
    if (name !== undefined) parameters[name] = decoded(segment);
  }
  return parameters;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As API Gateway has it (`minCompressionSize` in api.ts). */
const worthCompressing = 1024;

/** API Gateway compresses answers. A function URL does not, and neither does CloudFront, because it caches none of them. */
export async function compressed(
  result: APIGatewayProxyResult,
  accepted: string | undefined,
): Promise<APIGatewayProxyResult> {
  if (result.body.length < worthCompressing || !takesGzip(accepted)) return result;
  const { gzipSync } = await import('node:zlib');
  const headers = { ...result.headers, 'Content-Encoding': 'gzip' };
  return { ...result, headers, body: gzipSync(result.body).toString('base64'), isBase64Encoded: true };
}

const takesGzip = (accepted = ''): boolean =>
  new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['gzip', 'identity'])[0] === 'gzip';
