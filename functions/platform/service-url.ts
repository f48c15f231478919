interface Gateway {
  domainName?: string | undefined;
  stage?: string | undefined;
}

/**
 * The public URL of the service: the one that the function was given, otherwise the gateway's URL of the request. A
 * function of the API cannot get the URL of the API from the template, because the API is created after it. API Gateway
 * accepts no other host, so a caller cannot choose the URL.
 */
export function serviceUrl(gateway?: Gateway): string {
  const configured = process.env.PUBLIC_URL;
  if (configured) return configured;
  if (!gateway) throw new Error('PUBLIC_URL is not set');
  return `https://${gateway.domainName}/${gateway.stage}`;
}
