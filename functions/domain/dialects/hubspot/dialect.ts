import { secretOf } from '#domain/dialects/credential.ts';
import {
  type Dialect,
  eventNotDefined,
  fieldOf,
  usualResult,
  type VendorAccount,
  type VendorAnswer,
  type VendorDelivery,
  type VendorResult,
  vendorName,
} from '#domain/dialects/dialect.ts';
import { factsOf, groupOf, noEmail, profileOf, textsOf } from '#domain/dialects/event-facts.ts';

/**
 * HubSpot's "Send a custom event occurrence". Source: github.com/HubSpot/HubSpot-public-api-spec-collection, Send Event
 * Completions 2026-03, and the limits in developers.hubspot.com/docs/api-reference/legacy/events/send-event-data/guide.
 * The batch of that API does not say which of its events is wrong, so each event is a request.
 */
export const dialect: Dialect = {
  maxBatch: 1,
  // Our own figure: the vendor exempts this request from its limits (`x-hubspot-rate-limit-exemptions`).
  rate: { perMinute: 6_000, burst: 200 },
  skipReason({ payload }, account) {
    if (!profileOf(payload).email) return noEmail;
    return eventName(account, groupOf(payload)) === undefined ? 'no_portal_id' : undefined;
  },
  *exchange([delivery], account, now) {
    const answer = yield {
      method: 'POST',
      path: '/events/2026-03/send',
      headers: { authorization: `Bearer ${secretOf(account.credential)}`, 'content-type': 'application/json' },
      body: occurrenceOf(delivery!, account),
    };
    return [resultOf(answer, now)];
  },
};

const occurrenceOf = ({ id, payload }: VendorDelivery, account: VendorAccount): object => ({
  eventName: eventName(account, groupOf(payload)),
  email: profileOf(payload).email,
  occurredAt: payload.triggered_at,
  uuid: id,
  properties: propertiesOf(textsOf(factsOf(payload))),
});

/** An event is named after the account that defines it. */
function eventName(account: VendorAccount, group: string): string | undefined {
  const { portal_id } = account.extras;
  return vendorName(account, group) ?? (portal_id && `pe${portal_id}_${group}`);
}

const maxTextLength = 256;

/** The vendor refuses the request if a value is too long. Half of an address is of no use. */
function propertiesOf(texts: Record<string, string>): Record<string, string> {
  const fits = ([, text]: [string, string]) => text.length <= maxTextLength || !/^https?:/.test(text);
  return Object.fromEntries(
    Object.entries(texts)
      .filter(fits)
      .map(([name, text]) => [name, text.slice(0, maxTextLength)]),
  );
}

/** The merchant can define the missing event. */
function resultOf(answer: VendorAnswer, now: Date): VendorResult {
  const isUndefinedEvent = answer.status === 400 && /event (definition|type|name)/i.test(messageOf(answer));
  return isUndefinedEvent ? eventNotDefined : usualResult(answer, now);
}

const messageOf = ({ body }: VendorAnswer) => String(fieldOf(body, 'message') ?? '');
