import type { Customer } from '#domain/segments/segment-rules.ts';
import { fieldsOf, listOf } from '#platform/foreign-json.ts';
import { type Credential, secretOf } from './credential.ts';
import { eventName, oneByOne, refused, skipWithoutProfile, usualResult, type VendorRequest } from './dialect.ts';
import { factsOf, profileOf } from './event-facts.ts';
import { faultIn, isFault, malformed, type SegmentSource, type Step, textsOf } from './segment-source.ts';

/** How requests to Klaviyo authenticate. Source: github.com/klaviyo/openapi, revision 2026-07-15. */
const revision = '2026-07-15';

const headersFor = (credential: Credential): Record<string, string> => ({
  authorization: `Klaviyo-API-Key ${secretOf(credential)}`,
  revision,
  accept: 'application/vnd.api+json',
  'content-type': 'application/vnd.api+json',
});

/** Klaviyo's "Create Event". Source: github.com/klaviyo/openapi, stable/apis/create_event.json. */
export const dialect = oneByOne({
  // The vendor allows 350 a second and 3,500 a minute, for all integrations of an account together.
  rate: { perMinute: 3_000, burst: 300 },
  skipReason: skipWithoutProfile,
  requestFor({ id, payload }, account) {
    const facts = factsOf(payload);
    const { total_order_value: value, order_currency: value_currency } = facts;
    const attributes = {
      unique_id: id,
      time: payload.triggered_at,
      ...(typeof value === 'number' && { value, ...(value_currency && { value_currency }) }),
      properties: facts,
      metric: { data: { type: 'metric', attributes: { name: eventName(account, payload) } } },
      profile: { data: { type: 'profile', attributes: profileOf(payload) } },
    };
    return {
      method: 'POST',
      path: '/api/events',
      headers: headersFor(account.credential),
      body: { data: { type: 'event', attributes } },
    };
  },
  resultOf({ status, body }) {
    const namesProfile = listOf(fieldsOf(body).errors).some(({ source }) =>
      String(fieldsOf(source).pointer).includes('/profile'),
    );
    return status === 400 && namesProfile ? refused('profile_refused') : undefined;
  },
});

/**
 * Klaviyo's "Get Profiles" and "Get Segments for Profile". Source: github.com/klaviyo/openapi,
 * stable/apis/get_profiles.json and get_segments_for_profile.json.
 */
export const segments: SegmentSource = {
  // The vendor allows 3 requests for segments a second and 60 a minute, for all integrations of an account together.
  rate: { perMinute: 50, burst: 2 },
  *exchange(customer, { credential }, now) {
    const get = (path: string): VendorRequest => ({ method: 'GET', path, headers: headersFor(credential) });
    const profile = yield* profileIdOf(customer, get, now);
    if (isFault(profile)) return profile;
    if (profile === undefined) return { kind: 'found', segments: [] };
    const found = yield* dataOf(get(`/api/profiles/${encodeURIComponent(profile)}/segments?fields[segment]=name`), now);
    if (isFault(found)) return found;
    return { kind: 'found', segments: textsOf(found.map(({ attributes }) => fieldsOf(attributes).name)) };
  },
};

/** The id of the customer's profile: by e-mail address, and if there is none with it, by our own id of the customer. */
function* profileIdOf(
  { email, external_id }: Customer,
  get: (path: string) => VendorRequest,
  now: Date,
): Step<string | undefined> {
  for (const [field, value] of Object.entries({ email, external_id })) {
    if (value === undefined) continue;
    const filter = encodeURIComponent(`equals(${field},${JSON.stringify(value)})`);
    const found = yield* dataOf(get(`/api/profiles?filter=${filter}&fields[profile]=id&page[size]=1`), now);
    if (isFault(found)) return found;
    const id = found[0]?.id;
    if (typeof id === 'string') return id;
  }
  return undefined;
}

function* dataOf(request: VendorRequest, now: Date): Step<ReturnType<typeof listOf>> {
  const answer = yield request;
  const { data } = fieldsOf(answer.body);
  return faultIn(usualResult(answer, now)) ?? (Array.isArray(data) ? listOf(data) : malformed);
}
