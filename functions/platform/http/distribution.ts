import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '#platform/errors.ts';
import type { Address } from '#platform/service-url.ts';
import { distributionDomainHeader, distributionHeader } from '#schemas/catalogues/distribution.ts';
import type { GatewayEvent, Middleware } from './request.ts';

type Sent = Pick<GatewayEvent, 'headers' | 'requestContext'>;

/** Nobody but our distribution knows a mark. While it is changed, there are two. */
export function cameThroughDistribution(headers: GatewayEvent['headers']): boolean {
  const sent = headers[distributionHeader];
  if (!sent) return false;
  return (process.env.DISTRIBUTION_MARK ?? '').split(',').some((mark) => isSame(sent, mark));
}

/** In the same time for each wrong text of this length. */
function isSame(sent: string, mark: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(mark)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * The addresses of the REST API and of function URLs answer nothing: what protects the distribution, such as a web ACL, must see every request.
 * A function that was told of no distribution runs outside of the stack, in a test of its handler.
 */
export function distributionOnly(): Middleware {
  return {
    before: ({ event }) => {
      if (process.env.DISTRIBUTION_MARK === undefined) return;
      if (!cameThroughDistribution(event.headers)) throw new ServiceError('route_not_found');
    },
  };
}

/**
 * Where the request was sent to. API Gateway knows only the address by which the distribution calls it, so the distribution
 * names its own. A caller can choose neither: the distribution replaces a header that the caller sent, and API Gateway
 * accepts no other host.
 */
export function addressOf({ headers, requestContext }: Sent): Address {
  const domainName = cameThroughDistribution(headers) ? headers[distributionDomainHeader] : undefined;
  return domainName ? { domainName } : (requestContext ?? {});
}
