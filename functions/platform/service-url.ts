export interface Address {
  domainName?: string | undefined;
  /** The first part of the path at API Gateway. A distribution has none. */
  stage?: string | undefined;
}

/**
 * The public URL of the service: the one that the function was given, otherwise the address that the request was sent to.
 * A function of the API cannot get the URL of the distribution from the template, because that is created after it.
 */
export function serviceUrl(address?: Address): string {
  const configured = process.env.PUBLIC_URL;
  if (configured) return configured;
  if (!address) throw new Error('PUBLIC_URL is not set');
  const { domainName, stage } = address;
  return stage === undefined ? `https://${domainName}` : `https://${domainName}/${stage}`;
}
