import type { IncomingMessage } from 'node:http';
import { accessLogTime, hopByHop, splitUrl } from './proxy-event.ts';

/** The event of a function URL: https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads. */
export function urlEvent(request: IncomingMessage, body: Buffer, requestId: string): Record<string, unknown> {
  const { path, query } = splitUrl(request.url ?? '/');
  const { cookie, ...headers } = headersOf(request);
  const isText = textual.test(headers['content-type'] ?? '');
  const now = new Date();
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split(/;\s*/) }),
    headers,
    ...(query !== '' && { queryStringParameters: joined(new URLSearchParams(query)) }),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'local',
      domainName: request.headers.host ?? '127.0.0.1',
      domainPrefix: 'local',
      http: {
        method: request.method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: accessLogTime(now),
      timeEpoch: now.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/**
 * Every other body is in base64, also that of a form. AWS names no types; others tried them:
 * https://github.com/ministackorg/ministack/pull/766
 */
const textual = /^(text\/|application\/(json|xml|javascript)\s*(;|$))/i;

/** With names in lower case, and several values of one name joined by commas. */
function headersOf({ rawHeaders, socket }: IncomingMessage): Record<string, string> {
  const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1]!]] : [],
  );
  const headers = joined(pairs.filter(([name]) => !hopByHop.has(name)));
  // AWS does not say what becomes of what the distribution sent. The worst would be that only the distribution is named.
  return { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '127.0.0.1', 'x-forwarded-proto': 'https' };
}

function joined(pairs: Iterable<[string, string]>): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of pairs) values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  return Object.fromEntries(values);
}
