import type { IncomingHttpHeaders } from 'node:http';
import { createContext, Script } from 'node:vm';

export interface EdgeRequest {
  method: string;
  path: string;
  query: string;
  headers: IncomingHttpHeaders;
  /** The address of the caller. */
  viewer: string;
}

interface EdgeAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface ChangedRequest {
  path: string;
  /** Those that the function set. */
  headers: Record<string, string>;
}

/** The request as the function leaves it, or the function's own answer. */
export type EdgeFunction = (request: EdgeRequest) => ChangedRequest | EdgeAnswer;

interface Values {
  [name: string]: { value: string };
}

/** What a function returns: a request, or an answer. Both are in the shapes of CloudFront. */
interface Returned {
  uri?: string;
  statusCode?: number;
  headers?: Values;
  body?: { data?: string } | string;
}

/** Code that never ends is noticed when it is loaded. On a busy machine, time also passes while something else runs. */
const usualTimeout = 30_000;

/**
 * Runs the code of a CloudFront function as it is, in a context of its own without anything of Node.js. A call has no time
 * limit: it would start a thread each time, which took an eighth of the main thread's time under load.
 */
export function edgeFunction(code: string, timeout = usualTimeout): EdgeFunction {
  const context = createContext({});
  new Script(code).runInContext(context, { timeout });
  const call = new Script('(event) => JSON.stringify(handler(JSON.parse(event)))').runInContext(context) as (
    event: string,
  ) => string;
  return (request) => {
    const event = eventOf(request);
    return read(JSON.parse(call(JSON.stringify(event))) as Returned, event.request.headers);
  };
}

function read({ uri, statusCode, headers = {}, body = '' }: Returned, sent: Values): ReturnType<EdgeFunction> {
  const plain = Object.entries(headers).map(([name, { value }]): [string, string] => [name, value]);
  if (statusCode === undefined) {
    const set = plain.filter(([name, value]) => sent[name]?.value !== value);
    return { path: String(uri), headers: Object.fromEntries(set) };
  }
  return {
    status: statusCode,
    headers: Object.fromEntries(plain),
    body: typeof body === 'string' ? body : (body.data ?? ''),
  };
}

function eventOf({ method, path, query, headers, viewer }: EdgeRequest) {
  const values = (entries: Iterable<[string, string]>): Values =>
    Object.fromEntries([...entries].map(([name, value]) => [name, { value }]));
  const single = Object.entries(headers).map(([name, value]): [string, string] => [name, [value].flat().join(', ')]);
  return {
    version: '1.0',
    context: { eventType: 'viewer-request', distributionDomainName: headers.host ?? '' },
    viewer: { ip: viewer },
    request: {
      method,
      uri: path,
      querystring: values(new URLSearchParams(query)),
      headers: values(single.filter(([name]) => name !== 'cookie')),
      cookies: {},
    },
  };
}
