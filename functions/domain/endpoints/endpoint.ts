import { keyOf } from '#platform/table/keys.ts';

export type EndpointStatus = 'active' | 'inactive';

export interface EndpointSecret {
  ciphertext: Uint8Array;
  created_at: string;
  /** Null while it is the current one. */
  expires_at: string | null;
}

/** A merchant's address for events, as the table holds it. */
export interface Endpoint {
  uuid: string;
  shop_slug: string;
  url: string;
  enabled_events: string[];
  description: string | null;
  status: EndpointStatus;
  /** Newest first. */
  secrets: EndpointSecret[];
  created_at: string;
  updated_at: string;
}

export type EndpointItem = Endpoint & { pk: string; sk: string };

export const endpointItem = (endpoint: Endpoint): EndpointItem => ({
  ...keyOf.webhook(endpoint.shop_slug, endpoint.uuid),
  ...endpoint,
});

export function toEndpoint(item: Record<string, unknown>): Endpoint {
  const { pk: _pk, sk: _sk, ...endpoint } = item as unknown as EndpointItem;
  return endpoint;
}
