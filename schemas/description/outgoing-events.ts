import { ClaimEventPayload, ShipmentEventPayload } from '../shapes/event-payloads.ts';

/** How a receiver tells our requests from others, and what we make of its answers. */
const rules = [
  'Posted to each active endpoint whose `enabled_events` match.',
  [
    '**Check it before you use it.** `Service-Signature` is `t=<unix seconds>,v1=<signature>`, with one `v1` for each secret',
    'in force: during a rotation there are several, and one that matches is enough. A signature is the HMAC-SHA-256 of',
    '`<t>.<body>` in hex, keyed with the secret as you were given it, `whsec_` included. Take the body as it came, byte for',
    'byte, before any JSON parser; compare in constant time; refuse a `t` that is more than five minutes off your clock.',
    'Libraries of Standard Webhooks take the `webhook-…` headers and the secret as they are.',
  ].join(' '),
  [
    '**Answer with 2xx within 10 seconds**, and work afterwards. Everything else, a redirect too, is tried again: 15 attempts',
    'in all, after 10 s, 20 s, 40 s and so on, 12 h at most, and not before the time of a `Retry-After`. 410 ends it. Then the delivery is',
    '`failed`, and you can send it again for 30 days.',
  ].join(' '),
  [
    '**It can arrive twice and in any order.** `webhook-id` is the same in every attempt, also when you send it again; `triggered_at`',
    'tells what came first.',
  ].join(' '),
].join('\n\n');

/** The requests that the service makes, by the name that the description gives them. */
export const outgoingEvents = {
  shipmentEvent: { summary: 'Something happened to a shipment', description: rules, payload: ShipmentEventPayload },
  claimEvent: { summary: 'A claim was made or changed', description: rules, payload: ClaimEventPayload },
};

/** Beside those of every POST of JSON. */
export const outgoingHeaders = {
  'Service-Signature': 'Time and signatures: `t=1794729916,v1=e9dd41…`.',
  'webhook-id': 'The id of the delivery.',
  'webhook-timestamp': 'The time of the attempt in Unix seconds.',
  'webhook-signature':
    'As Standard Webhooks has it: `v1,` and base64 of the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed ' +
    'with the bytes that follow `whsec_` in base64; a secret without `whsec_` is taken as its text. One for each secret, with a space between.',
};

/** What a receiver can say. */
export const outgoingAnswers = {
  '2XX': 'Delivered.',
  '410': 'Not wanted: `failed` at once.',
  '429': 'Tried again, not before `Retry-After`.',
  default: 'Tried again.',
};
