import { authentication } from './authentication.ts';
import { limitRate, timeIsCounted } from './rate-limit.ts';
import type { Middleware, Progress, RuntimeOperation } from './request.ts';

/** A request of another system, before its body is parsed. */
interface SignedRequest {
  operationId: string;
  /** With names in lower case. */
  headers: Record<string, string | undefined>;
  params: Record<string, string | undefined>;
  query: Record<string, string | undefined>;
  rawBody: Uint8Array;
}

/**
 * Returns what it read to check the signature. Throws if the signature is missing or wrong. It may also return the raw body:
 * then nothing of the request path looks at the body, and the function reads it.
 */
export type CheckSignature = (request: SignedRequest) => Promise<Pick<Progress, 'signed'> & Partial<Progress>>;

/** For a family in which some operations take an API key and others the signature of another system. */
export const keyOrSignature =
  (check: CheckSignature) =>
  (operation: RuntimeOperation): Middleware | undefined =>
    operation.role === 'signed' ? signature(operation.id, check) : authentication(operation);

/** The signature is over the raw bytes, so it is checked before the body is parsed. */
function signature(operationId: string, check: CheckSignature): Middleware {
  return {
    before: async ({ event, context: { progress } }) => {
      const { headers, pathParameters, queryStringParameters, body, isBase64Encoded } = event;
      const rawBody = Buffer.from(typeof body === 'string' ? body : '', isBase64Encoded ? 'base64' : 'utf8');
      const [params, query] = [pathParameters ?? {}, queryStringParameters ?? {}];
      Object.assign(progress, await check({ operationId, headers, params, query, rawBody }));
      if (progress.signed?.rawBody) event.body = progress.signed.rawBody;
      if (progress.shop) await limitRate(progress.shop.uuid, progress);
    },
    ...timeIsCounted,
  };
}
