import { eventName, eventNotDefined, oneByOne, skipWithoutProfile } from './dialect.ts';
import { factsOf, profileOf, textsOf } from './event-facts.ts';

/**
 * Marketing Cloud's journey entry events. Source: developer.salesforce.com, "POST /interaction/v1/events", "Access Token
 * for Server-to-Server Integrations" and "Rate Limiting Errors". The vendor knows no key against doubles.
 * `event_id` in the data lets a journey leave out the second.
 */
export const dialect = oneByOne({
  // Our own figure: the vendor publishes none, and slows down those who send too much.
  rate: { perMinute: 3_000, burst: 100 },
  skipReason: skipWithoutProfile,
  /** The address of the tokens differs from that of the API in one part of the host. */
  tokenRequest({ target, credential }) {
    const base = target.auth_url ?? target.url.replace('.rest.marketingcloudapis.com', '.auth.marketingcloudapis.com');
    return {
      url: `${base.replace(/\/+$/, '')}/v2/token`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'client_credentials',
        client_id: credential.client_id,
        client_secret: credential.client_secret,
        ...(target.account_id && { account_id: target.account_id }),
      }),
    };
  },
  requestFor({ id, payload }, account) {
    const { external_id, email } = profileOf(payload);
    return {
      method: 'POST',
      path: '/interaction/v1/events',
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      body: {
        ContactKey: external_id ?? email,
        EventDefinitionKey: eventName(account, payload),
        Data: { event_id: id, event_time: payload.triggered_at, ...textsOf(factsOf(payload)), ...(email && { email }) },
      },
    };
  },
  resultOf: (answer) => eventNotDefined(answer, /event ?definition/i),
});
