import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { NoSuchKey, type S3Client } from '@aws-sdk/client-s3';
import type { FunctionPool } from '../functions/function-pool.ts';
import { matchesPattern } from '../iam/patterns.ts';
import type { StackTemplate } from '../template/template.ts';
import { apiBehavior, behaviorsOf, type ContentBehavior, type UrlBehavior } from './behaviors.ts';
import type { EdgeFunction, EdgeRequest } from './edge-function.ts';
import { isOpenToAll, serveUrl } from './function-url.ts';
import { answerObject, forbidden, readObject } from './objects.ts';
import { splitUrl } from './proxy-event.ts';

/**
 * Emulates CloudFront, at one address for all distributions of the template. A path with a behavior is served from its bucket
 * or from the URL of its function, and any other path goes to the API. Nothing is cached.
 */
export function createDistributions(
  stack: StackTemplate,
  s3: S3Client,
  api: RequestListener,
  pools: ReadonlyMap<string, FunctionPool>,
): RequestListener {
  const behaviors = behaviorsOf(stack);
  const toApi = apiBehavior(stack);
  const open = new Set([...pools.keys()].filter((arn) => isOpenToAll(stack, arn)));
  return (request, response) => {
    const { path } = splitUrl(request.url ?? '/');
    const behavior = behaviors.find(({ pathPattern }) => matchesPattern(`/${pathPattern}`, path));
    if (!behavior) {
      forward(request, toApi);
      api(request, response);
      return;
    }
    serveFrom(behavior).catch(() => response.writeHead(502).end());

    async function serveFrom(behavior: ContentBehavior | UrlBehavior): Promise<void> {
      if ('functionArn' in behavior) {
        const { functionArn, timeoutMs } = behavior;
        forward(request, behavior);
        return serveUrl(open.has(functionArn) ? pools.get(functionArn) : undefined, request, response, timeoutMs);
      }
      request.resume();
      return answer(s3, behavior, request, response);
    }
  };
}

async function answer(
  s3: S3Client,
  behavior: ContentBehavior,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { path } = splitUrl(request.url ?? '/');
  const seen = behavior.onRequest?.(edgeRequestOf(request));
  if (seen && 'status' in seen) {
    response.writeHead(seen.status, { ...seen.headers, ...behavior.headers }).end(seen.body);
    return;
  }
  const object = await find(s3, behavior, request.method ?? 'GET', seen?.path ?? path);
  if (object) answerObject(request, response, object, behavior.headers);
  else forbidden(response, behavior.headers);
}

function edgeRequestOf({ method = 'GET', url = '/', headers, socket }: IncomingMessage): EdgeRequest {
  return { method, ...splitUrl(url), headers, viewer: socket.remoteAddress ?? '' };
}

/** The headers that a function before the API sets. It may do nothing else. */
function setBy(onRequest: EdgeFunction | undefined, request: IncomingMessage): Record<string, string> {
  const edgeRequest = edgeRequestOf(request);
  const seen = onRequest?.(edgeRequest);
  if (seen && ('status' in seen || seen.path !== edgeRequest.path)) {
    throw new Error('The local stack runs a function before the API only for the headers that it sets.');
  }
  return seen?.headers ?? {};
}

/** Replaces the headers of the distribution, and adds the caller to X-Forwarded-For, so that no caller can forge them. */
function forward(request: IncomingMessage, { onRequest, sent }: Pick<UrlBehavior, 'onRequest' | 'sent'>): void {
  const added = { ...setBy(onRequest, request), ...sent };
  const { rawHeaders, headers, socket } = request;
  const forwarded = [headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? []].flat().join(', ');
  const own = new Set([...Object.keys(added), 'x-forwarded-for']);
  const kept = rawHeaders.filter((_, i) => !own.has(rawHeaders[i - (i % 2)]!.toLowerCase()));
  request.rawHeaders = [...kept, ...Object.entries(added).flat(), 'X-Forwarded-For', forwarded];
}

async function find(s3: S3Client, behavior: ContentBehavior, method: string, path: string) {
  const key = keyOf(behavior, path);
  if (!['GET', 'HEAD'].includes(method) || key === undefined || !behavior.mayRead(key)) return undefined;
  try {
    return await readObject(s3, behavior.bucket, key);
  } catch (error) {
    // Without permission to list the bucket, S3 does not reveal that an object is missing.
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

function keyOf({ originPath }: ContentBehavior, path: string): string | undefined {
  try {
    return decodeURIComponent(`${originPath}${path}`.slice(1));
  } catch {
    return undefined;
  }
}
