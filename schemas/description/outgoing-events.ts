import { fanOutLimits, payloadLimits, sizeText } from '../catalogues/limits.ts';
import { createdClaimEvent, declaredWithdrawalEvent, deliveredEvent } from '../examples/outgoing-events.ts';
import { ids } from '../examples/story.ts';
import { ClaimEventPayload, ShipmentEventPayload, WithdrawalEventPayload } from '../shapes/event-payloads.ts';

/** How a receiver checks our requests, and how the service treats its responses. */
const rules = [
  'The service sends this request to each active endpoint whose `enabled_events` match.',
  [
    '**Check the signature first.** `Service-Signature` has the form `t=<unix seconds>,v1=<signature>`. It has one `v1` for',
    'each valid secret. During a rotation there are several, and one match is enough. Each signature is the HMAC-SHA-256 of',
    '`<t>.<body>` in hex. The key is the complete secret, including `whsec_`. Use the raw bytes of the body, before a JSON',
    'parser changes them. Compare in constant time. Refuse a `t` that differs from your clock by more than five minutes.',
    'Libraries for Standard Webhooks work with the `webhook-…` headers and the unchanged secret.',
  ].join(' '),
  [
    '**Answer with 2xx within 10 seconds**, and process the event afterwards. The service treats every other response as a',
    'failure, also a redirect, and tries again. It makes up to 15 attempts. It waits 10 s, 20 s, 40 s and so on between',
    'them, 12 h at most, and never less than your `Retry-After` asks for. After the last attempt the delivery is `failed`.',
    'You can send it again for 30 days.',
  ].join(' '),
  [
    '**Expect repeated requests, in any order.** `webhook-id` is the same in every attempt, also when you send a delivery',
    'again. Use it to recognise repetitions. `webhook-subject-version` is an integer that rises with every change of the',
    'shipment or claim that the event is about. Drop what has a lower version than what you have of the same one. A request',
    'with the same version shows the same state.',
  ].join(' '),
  [
    '**Prove that you have everything.** While the feed of events is on, every event that is sent belongs to an hour of its',
    'ledger, which `webhook-hour` names. Sum up what you got of each hour, and compare it with the ledger of the endpoint.',
    'What comes without that header, such as a test event, is not in the ledger.',
  ].join(' '),
  [
    `**Expect large bodies.** The context has up to ${sizeText(payloadLimits.bytes)}. If an order has more, the oldest`,
    'events of its shipments are left out. An event that concerns many shipments is sent once for each of them, at up to',
    `${fanOutLimits.unitsPerSecond} requests a second for all your endpoints together.`,
  ].join(' '),
].join('\n\n');

/** The requests that the service makes, by the name that the description gives them. */
export const outgoingEvents = {
  shipmentEvent: {
    summary: 'Something happened to a shipment',
    description: rules,
    payload: ShipmentEventPayload,
    example: deliveredEvent,
  },
  claimEvent: {
    summary: 'A claim was created or updated',
    description: rules,
    payload: ClaimEventPayload,
    example: createdClaimEvent,
  },
  withdrawalEvent: {
    summary: 'A customer withdrew from the contract, or the shop settled it',
    description: rules,
    payload: WithdrawalEventPayload,
    example: declaredWithdrawalEvent,
  },
};

/** The headers in addition to those of every JSON request. Some requests come without those that are sent `isSometimes`. */
export const outgoingHeaders = {
  'Service-Signature': {
    description: 'The time and the signatures.',
    example: 't=1794819895,v1=6c7f2f0d3a5d1c9be0b1f4a8d2c6e7f90a1b2c3d4e5f60718293a4b5c6d7e8f9',
  },
  'webhook-id': { description: 'The id of the delivery.', example: ids.deliveredDelivery },
  'webhook-timestamp': { description: 'The time of the attempt, in Unix seconds.', example: '1794819895' },
  'webhook-subject-version': {
    description:
      'Which state of its shipment, claim or withdrawal the event shows: an integer that rises with every change of it, and is the same ' +
      'in every attempt. A draft that nothing happened to has 0. An event about several shipments is sent once for each, ' +
      'with the version of that shipment. An event that is no change, such as that of an internal trigger, has the version of the last ' +
      'change. Events that were made before there were versions come without the header.',
    example: '3',
    isSometimes: true,
  },
  'webhook-hour': {
    description:
      'The hour of the feed in which the ledger counts this delivery. It is the same in every attempt, also when you send a delivery again. ' +
      'Only deliveries of events that are in the feed have it.',
    example: '2026-11-16T09:00:00Z',
    isSometimes: true,
  },
  'webhook-signature': {
    description:
      'The signatures in the format of Standard Webhooks, one for each valid secret, separated by spaces. Each has the form ' +
      '`v1,<signature>`. The signature is the HMAC-SHA-256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64. The key is ' +
      'the part of the secret after `whsec_`, decoded from base64. If the secret does not start with `whsec_`, the key is its text.',
    example: 'v1,bH8vDTpdHJvgsfSo0sbn+QobLD1OX2BxgpOktcbX6Pk=',
  },
};

/** The responses of a receiver. */
export const outgoingAnswers = {
  '2XX': 'The delivery is `delivered`.',
  '429': 'The service tries again, but not before the time in `Retry-After`.',
  default: 'The service tries again.',
};
