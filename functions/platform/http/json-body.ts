import httpJsonBodyParser from '@middy/http-json-body-parser';
import { upgradeRequest } from '#schemas/catalogues/versions.ts';
import type { Middleware } from './middleware.ts';
import type { RuntimeOperation } from './runtime-operation.ts';

/** The JSON body of an operation that takes one, lifted to the newest version. */
export function jsonBody({ id, bodyType }: RuntimeOperation): Middleware | undefined {
  if (bodyType !== 'json') return undefined;
  const parser = httpJsonBodyParser() as { before: (request: object) => void };
  return {
    before: (request) => {
      const { event, context } = request;
      // No body is like an object without fields: validation then names each field that is missing.
      if (event.body === null || event.body === undefined || event.body === '') event.body = {};
      else parser.before(request);
      event.body = upgradeRequest(id, context.progress.version, event.body);
    },
  };
}
