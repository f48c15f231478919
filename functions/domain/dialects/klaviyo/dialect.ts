import { eventName, fieldOf, listOf, oneByOne, refused, skipWithoutProfile } from '#domain/dialects/dialect.ts';
import { factsOf, profileOf } from '#domain/dialects/event-facts.ts';
import { klaviyoHeaders } from './klaviyo-api.ts';

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
      headers: klaviyoHeaders(account.credential),
      body: { data: { type: 'event', attributes } },
    };
  },
  resultOf({ status, body }) {
    const namesProfile = listOf(fieldOf(body, 'errors')).some((error) =>
      String(fieldOf(fieldOf(error, 'source'), 'pointer')).includes('/profile'),
    );
    return status === 400 && namesProfile ? refused('profile_refused') : undefined;
  },
});
