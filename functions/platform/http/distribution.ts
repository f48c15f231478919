import { distributionHeader } from '#schemas/catalogues/distribution.ts';
import { ApiError } from './errors.ts';
import type { GatewayEvent, Middleware } from './request.ts';

/** Nobody but our distribution knows the mark. */
export function cameThroughDistribution(headers: GatewayEvent['headers']): boolean {
  const mark = process.env.DISTRIBUTION_MARK;
  return mark !== undefined && mark !== '' && headers[distributionHeader] === mark;
}

/**
 * Where the service has a domain of its own, the address of the REST API answers nothing: a web ACL of the distribution
 * must see every request. Without a domain the service gives out links to that address.
 */
export function distributionOnly(): Middleware {
  return {
    before: ({ event }) => {
      if (process.env.DISTRIBUTION_ONLY === 'true' && !cameThroughDistribution(event.headers)) {
        throw new ApiError('route_not_found');
      }
    },
  };
}
