import {
  type Dialect,
  fieldOf,
  listOf,
  refused,
  usualResult,
  type VendorAccount,
  type VendorAnswer,
  type VendorDelivery,
  type VendorResult,
  vendorName,
} from '#domain/dialects/dialect.ts';
import { factsOf, groupOf, noProfile, profileOf } from '#domain/dialects/event-facts.ts';
import { klaviyoHeaders } from './klaviyo-api.ts';

/** Klaviyo's "Create Event". Source: github.com/klaviyo/openapi, stable/apis/create_event.json. */
export const dialect: Dialect = {
  maxBatch: 1,
  // The vendor allows 350 a second and 3,500 a minute, for all integrations of an account together.
  rate: { perMinute: 3_000, burst: 300 },
  skipReason: ({ payload }) => (Object.keys(profileOf(payload)).length === 0 ? noProfile : undefined),
  *exchange([delivery], account, now) {
    const answer = yield {
      method: 'POST',
      path: '/api/events',
      headers: klaviyoHeaders(account.credential),
      body: eventOf(delivery!, account),
    };
    return [resultOf(answer, now)];
  },
};

function eventOf({ id, payload }: VendorDelivery, account: VendorAccount): object {
  const facts = factsOf(payload);
  const { total_order_value: value, order_currency: value_currency } = facts;
  const group = groupOf(payload);
  return {
    data: {
      type: 'event',
      attributes: {
        unique_id: id,
        time: payload.triggered_at,
        ...(typeof value === 'number' && { value, ...(value_currency && { value_currency }) }),
        properties: facts,
        metric: { data: { type: 'metric', attributes: { name: vendorName(account, group) ?? group } } },
        profile: { data: { type: 'profile', attributes: profileOf(payload) } },
      },
    },
  };
}

function resultOf(answer: VendorAnswer, now: Date): VendorResult {
  const namesProfile = listOf(fieldOf(answer.body, 'errors')).some((error) =>
    String(fieldOf(fieldOf(error, 'source'), 'pointer')).includes('/profile'),
  );
  return answer.status === 400 && namesProfile ? refused('profile_refused') : usualResult(answer, now);
}
