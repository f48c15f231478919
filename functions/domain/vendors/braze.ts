import { fieldsOf, listOf } from '#platform/foreign-json.ts';
import { secretOf } from './credential.ts';
import {
  accepted,
  again,
  type Dialect,
  type Exchange,
  eventName,
  NoAnswer,
  refused,
  skipWithoutProfile,
  usualResult,
  type VendorAccount,
  type VendorAnswer,
  type VendorDelivery,
  type VendorRequest,
  type VendorResult,
} from './dialect.ts';
import { type Fact, factsOf, profileOf } from './event-facts.ts';

/**
 * Braze's "Track users". Source: braze.com/docs/api/endpoints/user_data/post_user_track and
 * braze.com/docs/api/objects_filters/event_object. Braze knows no key against doubles: each event counts. `event_id` in
 * the properties lets a merchant leave out the second.
 */
export const dialect: Dialect = {
  // The vendor takes 75 in one request, 50 in some plans. A batch of our queue has fewer.
  maxBatch: 50,
  // The vendor allows 3,000 in three seconds for a workspace.
  rate: { perMinute: 40_000, burst: 900 },
  skipReason: skipWithoutProfile,
  *exchange(deliveries, account, now) {
    const answer = yield requestFor(deliveries, account);
    if (answer.status !== 400 || deliveries.length === 1) return resultsOf(answer, deliveries, now);
    // One bad event spoils the request, and the answer does not say which.
    const results: VendorResult[] = [];
    for (const delivery of deliveries) results.push(yield* alone(delivery, account, now));
    return results;
  },
};

/** What others have got stays so: they are not sent again because this one had no answer. */
function* alone(delivery: VendorDelivery, account: VendorAccount, now: Date): Exchange<VendorResult> {
  try {
    return resultsOf(yield requestFor([delivery], account), [delivery], now)[0]!;
  } catch (error) {
    if (error instanceof NoAnswer) return { ...again(error.message), answer: error };
    throw error;
  }
}

const requestFor = (deliveries: readonly VendorDelivery[], account: VendorAccount): VendorRequest => ({
  method: 'POST',
  path: '/users/track',
  headers: { authorization: `Bearer ${secretOf(account.credential)}`, 'content-type': 'application/json' },
  body: { events: deliveries.map((delivery) => eventOf(delivery, account)) },
  isForOne: deliveries.length === 1,
});

function eventOf({ id, payload }: VendorDelivery, account: VendorAccount): object {
  const { external_id, email } = profileOf(payload);
  const properties = { event_id: id, ...factsOf(payload) };
  return {
    // One of the two: the vendor finds a profile by one identifier.
    ...(external_id ? { external_id } : { email }),
    name: eventName(account, payload),
    time: payload.triggered_at,
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, shortened(value)])),
  };
}

const maxTextLength = 255;

const shortened = (value: Fact): Fact => (typeof value === 'string' ? value.slice(0, maxTextLength) : value);

/** A success may name single events that were wrong, by their place in the request. */
function resultsOf(answer: VendorAnswer, deliveries: readonly VendorDelivery[], now: Date): VendorResult[] {
  const result = usualResult(answer, now);
  if (result.kind !== 'accepted') return deliveries.map(() => ({ ...result, answer }));
  const wrong = listOf(fieldsOf(answer.body).errors).map(({ index }) => index);
  return deliveries.map((_, place) => ({
    ...(wrong.includes(place) ? refused('event_refused') : accepted),
    answer,
  }));
}
