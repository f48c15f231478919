import { secretOf } from './credential.ts';
import { eventNotDefined, givenName, oneByOne, skipWithoutEmail, type VendorAccount } from './dialect.ts';
import { type EventPayload, factsOf, groupOf, profileOf, textsOf } from './event-facts.ts';

/**
 * HubSpot's "Send a custom event occurrence". Source: github.com/HubSpot/HubSpot-public-api-spec-collection, Send Event
 * Completions 2026-03, and the limits in developers.hubspot.com/docs/api-reference/legacy/events/send-event-data/guide.
 * The batch of that API does not say which of its events is wrong, so each event is a request.
 */
export const dialect = oneByOne({
  // Our own figure: the vendor exempts this request from its limits (`x-hubspot-rate-limit-exemptions`).
  rate: { perMinute: 6_000, burst: 200 },
  skipReason: (delivery, account) =>
    skipWithoutEmail(delivery) ?? (nameOfAccount(account, delivery.payload) ? undefined : 'no_portal_id'),
  requestFor: ({ id, payload }, account) => ({
    method: 'POST',
    path: '/events/2026-03/send',
    headers: { authorization: `Bearer ${secretOf(account.credential)}`, 'content-type': 'application/json' },
    body: {
      eventName: nameOfAccount(account, payload),
      email: profileOf(payload).email,
      occurredAt: payload.triggered_at,
      uuid: id,
      properties: propertiesOf(textsOf(factsOf(payload))),
    },
  }),
  resultOf: (answer) => eventNotDefined(answer, /event (definition|type|name)/i),
});

/** An event is named after the account that defines it. */
function nameOfAccount(account: VendorAccount, payload: EventPayload): string | undefined {
  const { portal_id } = account.extras;
  return givenName(account, payload) ?? (portal_id && `pe${portal_id}_${groupOf(payload)}`);
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
