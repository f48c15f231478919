import type { Endpoint } from '#domain/endpoints/endpoint.ts';
import { endpointOf } from '#domain/endpoints/endpoint-store.ts';
import { ApiError, invalid } from '#platform/http/api-error.ts';

export async function requireEndpoint(slug: string, uuid: string): Promise<Endpoint> {
  const endpoint = await endpointOf(slug, uuid.toLowerCase());
  if (!endpoint) throw new ApiError('webhook_not_found');
  return endpoint;
}

/** What is sent to an inactive endpoint would only be cancelled: better to say so. */
export async function requireActiveEndpoint(slug: string, uuid: string): Promise<Endpoint> {
  const endpoint = await requireEndpoint(slug, uuid);
  if (endpoint.status !== 'active') {
    throw invalid({ loc: ['path', 'uuid'], msg: 'is an inactive endpoint: activate it first', type: 'value_error' });
  }
  return endpoint;
}
