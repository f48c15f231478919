import { FakeVendor, type VendorRequest, type VendorResponse } from './fake-vendor.ts';

/** Requests of a workspace. */
export const brazeLimits = [{ requests: 3_000, seconds: 3 }];

export const brazeKey = 'a-rest-key-of-braze';

/** Takes custom events. Written after braze.com/docs/api/endpoints/user_data/post_user_track. */
export class FakeBraze extends FakeVendor {
  /** Each event counts: the vendor knows no doubles. */
  readonly events: Record<string, unknown>[] = [];

  constructor() {
    super('https://rest.iad-01.braze.com');
  }

  protected serve({ method, path, headers, body }: VendorRequest): VendorResponse {
    if (method !== 'POST' || path !== '/users/track') return { status: 404, body: { message: 'Not Found' } };
    if (headers.authorization !== `Bearer ${brazeKey}`) return { status: 401, body: { message: 'Invalid API key' } };
    const events: Record<string, unknown>[] = body?.events;
    if (!Array.isArray(events) || events.length > 75) return { status: 400, body: { message: 'too many events' } };
    if (events.some(({ time }) => Number.isNaN(Date.parse(String(time))))) {
      return { status: 400, body: { message: "'time' is not a valid datetime" } };
    }
    const errors = events.flatMap((event, index) =>
      isValid(event) ? [] : [{ type: 'the event is invalid', input_array: 'events', index }],
    );
    this.events.push(...events.filter(isValid));
    const found = errors.length > 0 ? { errors } : {};
    return { status: 201, body: { message: 'success', events_processed: events.length - errors.length, ...found } };
  }
}

function isValid({ external_id, email, name, properties }: Record<string, unknown>): boolean {
  const identifiers = [external_id, email].filter((value) => typeof value === 'string' && value !== '');
  const texts = Object.values((properties ?? {}) as object).filter((value) => typeof value === 'string');
  const hasIdentity = identifiers.length === 1 && external_id !== 'blocked';
  return hasIdentity && typeof name === 'string' && texts.every((value) => value.length <= 255);
}
