import { fieldOf, listOf, usualResult, type VendorAnswer, type VendorRequest } from '#domain/dialects/dialect.ts';
import { klaviyoHeaders } from '#domain/dialects/klaviyo/klaviyo-api.ts';
import type { Customer } from './segment-rules.ts';
import { faultIn, isFault, malformed, type SegmentSource, type Step, textsOf } from './segment-source.ts';

/**
 * Klaviyo's "Get Profiles" and "Get Segments for Profile". Source: github.com/klaviyo/openapi,
 * stable/apis/get_profiles.json and get_segments_for_profile.json.
 */
export const source: SegmentSource = {
  // The vendor allows 3 requests for segments a second and 60 a minute, for all integrations of an account together.
  rate: { perMinute: 50, burst: 2 },
  *exchange(customer, { credential }, now) {
    const get = (path: string): VendorRequest => ({ method: 'GET', path, headers: klaviyoHeaders(credential) });
    const profile = yield* profileOf(customer, get, now);
    if (isFault(profile)) return profile;
    if (profile === undefined) return { kind: 'found', segments: [] };
    const found = yield* dataOf(get(`/api/profiles/${encodeURIComponent(profile)}/segments?fields[segment]=name`), now);
    if (isFault(found)) return found;
    return {
      kind: 'found',
      segments: textsOf(found.map((segment) => fieldOf(fieldOf(segment, 'attributes'), 'name'))),
    };
  },
};

/** The id of the customer's profile: by e-mail address, and if there is none with it, by our own id of the customer. */
function* profileOf(
  { email, external_id }: Customer,
  get: (path: string) => VendorRequest,
  now: Date,
): Step<string | undefined> {
  for (const [field, value] of [
    ['email', email],
    ['external_id', external_id],
  ] as const) {
    if (value === undefined) continue;
    const filter = encodeURIComponent(`equals(${field},${JSON.stringify(value)})`);
    const found = yield* dataOf(get(`/api/profiles?filter=${filter}&fields[profile]=id&page[size]=1`), now);
    if (isFault(found)) return found;
    const id = fieldOf(found[0], 'id');
    if (typeof id === 'string') return id;
  }
  return undefined;
}

function* dataOf(request: VendorRequest, now: Date): Step<unknown[]> {
  const answer: VendorAnswer = yield request;
  const data = fieldOf(answer.body, 'data');
  return faultIn(usualResult(answer, now)) ?? (Array.isArray(data) ? listOf(data) : malformed);
}
