import { FakeVendor, type VendorRequest, type VendorResponse } from './fake-vendor.ts';

export const hubspotToken = 'pat-a-token-of-hubspot';

/**
 * Takes occurrences of custom events. Written after github.com/HubSpot/HubSpot-public-api-spec-collection and the limits
 * in HubSpot's guide.
 */
export class FakeHubspot extends FakeVendor {
  readonly occurrences = new Map<string, Record<string, unknown>>();
  readonly definitions: string[];

  constructor(definitions: string[]) {
    super('https://api.hubapi.com');
    this.definitions = definitions;
  }

  protected serve({ method, path, headers, body }: VendorRequest): VendorResponse {
    if (method !== 'POST' || path !== '/events/2026-03/send') return fault(404, 'OBJECT_NOT_FOUND', 'not found');
    if (headers.authorization !== `Bearer ${hubspotToken}`) return fault(401, 'INVALID_AUTHENTICATION', 'bad token');
    const { eventName, email, objectId, properties, uuid } = body;
    if (!this.definitions.includes(eventName))
      return fault(400, 'VALIDATION_ERROR', `No event definition ${eventName}`);
    if (!email && !objectId) return fault(400, 'VALIDATION_ERROR', 'no contact');
    const wrong = Object.entries(properties).find(([name, value]) => !isProperty(name, value));
    if (wrong) return fault(400, 'VALIDATION_ERROR', `bad property ${wrong[0]}`);
    if (this.occurrences.has(uuid)) return fault(409, 'CONFLICT', 'the event exists');
    this.occurrences.set(uuid, body);
    return { status: 204 };
  }
}

const isProperty = (name: string, value: unknown): boolean =>
  /^[a-z][a-z0-9_]{0,49}$/.test(name) && typeof value === 'string' && value.length <= 256;

const fault = (status: number, category: string, message: string): VendorResponse => ({
  status,
  body: { status: 'error', category, message, correlationId: 'c' },
});
