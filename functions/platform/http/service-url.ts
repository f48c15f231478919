import type { GatewayEvent } from './request.ts';

/**
 * Where the service is reached from outside: the domain of its own, if it has one, else the gateway's address that the
 * request came to. The function cannot be told the distribution's address: that is made after the API, which is made
 * after the function. API Gateway lets no other host through, so the address is not the caller's to choose.
 */
export function serviceUrl({ requestContext }: Pick<GatewayEvent, 'requestContext'>): string {
  const configured = process.env.PUBLIC_URL;
  if (configured) return configured;
  const { domainName, stage } = requestContext ?? {};
  return `https://${domainName}/${stage}`;
}
