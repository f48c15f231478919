import { keyOf } from '#platform/table/keys.ts';
import { eventFilters } from '#schemas/catalogues/event-filters.ts';

type EndpointStatus = 'active' | 'inactive';

export interface EndpointSecret {
  ciphertext: Uint8Array;
  created_at: string;
  /** Null for the current secret. */
  expires_at: string | null;
}

/** A merchant's address for events, as it is stored. */
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

const knownFilters: ReadonlySet<string> = new Set(eventFilters);

/** Whether the catalogue of events has this filter. A filter with an event under the wrong phase would never match. */
export const isEventFilter = (text: string): boolean => knownFilters.has(text);

/** Whether an endpoint with these filters receives the event. */
export function matchesEvent(enabledEvents: readonly string[], ref: string): boolean {
  const prefixOf = (filter: string) => (filter.endsWith('/*') ? filter.slice(0, -1) : `${filter}/`);
  return enabledEvents.some((filter) => filter === '*' || filter === ref || ref.startsWith(prefixOf(filter)));
}
