import { type Endpoint, endpointItem } from '#domain/endpoints/endpoint.ts';

export const endpointUuid = '01930000-0000-7000-8000-00000000000a';

/** An endpoint of the shop `blue`, as the service knows it. */
export function endpoint(fields: Partial<Endpoint> = {}): Endpoint {
  return {
    uuid: endpointUuid,
    shop_slug: 'blue',
    url: 'https://example.com/hook',
    enabled_events: ['*'],
    description: null,
    status: 'active',
    secrets: [{ ciphertext: Buffer.from('sealed'), created_at: '2026-11-01T00:00:00.000Z', expires_at: null }],
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
    ...fields,
  };
}

export const storedEndpoint = (fields: Partial<Endpoint> = {}) => endpointItem(endpoint(fields));
