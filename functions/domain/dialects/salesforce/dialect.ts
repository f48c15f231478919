import {
  type Dialect,
  eventNotDefined,
  fieldOf,
  type TokenRequest,
  usualResult,
  type VendorAccount,
  type VendorAnswer,
  type VendorDelivery,
  type VendorResult,
  vendorName,
} from '#domain/dialects/dialect.ts';
import { factsOf, groupOf, noProfile, profileOf, textsOf } from '#domain/dialects/event-facts.ts';

/**
 * Marketing Cloud's journey entry events. Source: developer.salesforce.com, "POST /interaction/v1/events", "Access Token
 * for Server-to-Server Integrations" and "Rate Limiting Errors". The vendor knows no key against doubles.
 * `event_id` in the data lets a journey leave out the second.
 */
export const dialect: Dialect = {
  maxBatch: 1,
  // Our own figure: the vendor publishes none, and slows down those who send too much.
  rate: { perMinute: 3_000, burst: 100 },
  skipReason: ({ payload }) => (Object.keys(profileOf(payload)).length === 0 ? noProfile : undefined),
  tokenRequest,
  *exchange([delivery], account, now) {
    const answer = yield {
      method: 'POST',
      path: '/interaction/v1/events',
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      body: entryOf(delivery!, account),
    };
    return [resultOf(answer, now)];
  },
};

/** The address of the tokens differs from that of the API in one part of the host. */
function tokenRequest({ target, credential }: VendorAccount): TokenRequest {
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
}

function entryOf({ id, payload }: VendorDelivery, account: VendorAccount): object {
  const { external_id, email } = profileOf(payload);
  const group = groupOf(payload);
  return {
    ContactKey: external_id ?? email,
    EventDefinitionKey: vendorName(account, group) ?? group,
    Data: { event_id: id, event_time: payload.triggered_at, ...textsOf(factsOf(payload)), ...(email && { email }) },
  };
}

/** The merchant can create the missing entry event. An inactive contact stays inactive. */
function resultOf(answer: VendorAnswer, now: Date): VendorResult {
  if (answer.status === 400 && /event ?definition/i.test(String(fieldOf(answer.body, 'message') ?? ''))) {
    return eventNotDefined;
  }
  return usualResult(answer, now);
}
