import validator from '@middy/validator';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import { toFieldErrors } from './field-errors.ts';
import type { Middleware } from './middleware.ts';
import type { GatewayEvent } from './request.ts';
import type { BodyValidator, RuntimeOperation, Validator } from './runtime-operation.ts';

/** Checks path, query and body against the declaration and lists everything that is wrong, not only the first. */
export function validation(operation: RuntimeOperation): Middleware | undefined {
  const { params, query } = operation;
  let body: BodyValidator | undefined;
  if (!params && !query && !operation.body) return undefined;
  const check: { (event: GatewayEvent): boolean; errors?: FieldError[] } = (event) => {
    event.pathParameters ??= {};
    event.queryStringParameters ??= {};
    check.errors = [
      ...faultsOf('path', params, event.pathParameters),
      ...faultsOf('query', query, event.queryStringParameters),
      ...faultsOf('body', bodyValidator(body, event), event.body),
    ];
    return check.errors.length === 0;
  };
  const { before } = validator({ eventSchema: check as never }) as { before: (request: object) => void };
  return {
    before: async (request) => {
      body ??= await operation.body?.();
      before(request);
    },
  };
}

function faultsOf(place: string, validate: Validator | undefined, value: unknown): FieldError[] {
  return !validate || validate(value) ? [] : toFieldErrors(place, validate.errors ?? []);
}

/** A body whose shape depends on a path parameter is not checked where that parameter itself is wrong. */
function bodyValidator(body: BodyValidator | undefined, event: GatewayEvent): Validator | undefined {
  if (typeof body !== 'object') return body;
  const value = event.pathParameters?.[body.parameter] ?? '';
  return Object.hasOwn(body.shapes, value) ? body.shapes[value] : undefined;
}
