import { createHash } from 'node:crypto';
import { fieldsOf } from '#platform/foreign-json.ts';
import { inHeader } from './credential.ts';
import {
  accepted,
  type Dialect,
  givenName,
  refused,
  skipWithoutEmail,
  usualResult,
  type VendorAccount,
  type VendorAnswer,
  type VendorDelivery,
  type VendorRequest,
  type VendorResult,
} from './dialect.ts';
import { factsOf, profileOf, textsOf } from './event-facts.ts';

/**
 * Emarsys' "Trigger an External Event". Source: dev.emarsys.com, Core API reference, events, error codes and
 * authentication. A credential of client id and secret uses OAuth and version 3, one of username and password WSSE and
 * version 2, which the vendor ends with 2026.
 */
export const dialect: Dialect = {
  // The vendor takes 1,000. A batch of our queue has fewer.
  maxBatch: 50,
  // The vendor allows 1,000 a minute for an API user.
  rate: { perMinute: 900, burst: 90 },
  skipReason: (delivery, account) =>
    skipWithoutEmail(delivery) ?? (eventIdOf(delivery.payload, account) ? undefined : 'no_external_event'),
  // The id of the event is in the path.
  batchKey: ({ payload }, account) => eventIdOf(payload, account)!,
  tokenRequest({ target, credential }) {
    const { client_id, client_secret } = credential;
    if (!client_id) return undefined;
    return {
      url: `${(target.auth_url ?? 'https://auth.emarsys.net').replace(/\/+$/, '')}/oauth2/token`,
      headers: {
        authorization: `Basic ${Buffer.from(`${client_id}:${client_secret ?? ''}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    };
  },
  *exchange(deliveries, account, now) {
    const answer = yield requestFor(deliveries, account, now);
    return deliveries.map((delivery) => resultOf(answer, delivery, now));
  },
};

/** `instance_id` is the shop's own setting for the one external event of all groups. */
const eventIdOf = (payload: VendorDelivery['payload'], account: VendorAccount): string | undefined =>
  [givenName(account, payload), account.extras.instance_id].find((id) => id && /^\d+$/.test(id));

/** The id of the contact field that holds the e-mail address. */
const emailField = 3;

const requestFor = (deliveries: readonly VendorDelivery[], account: VendorAccount, now: Date): VendorRequest => ({
  method: 'POST',
  path: `/api/${hasClient(account) ? 'v3' : 'v2'}/event/${eventIdOf(deliveries[0]!.payload, account)}/trigger`,
  headers: {
    'content-type': 'application/json',
    ...(hasClient(account) ? {} : wsseHeader(account, deliveries[0]!.id, now)),
  },
  body: {
    key_id: emailField,
    contacts: deliveries.map(({ id, payload }) => ({
      external_id: profileOf(payload).email,
      trigger_id: id,
      event_time: payload.triggered_at,
      data: { global: textsOf(factsOf(payload)) },
    })),
  },
});

const hasClient = ({ credential }: VendorAccount): boolean => Boolean(credential.client_id);

/** The digest proves the secret without sending it. The nonce differs with every attempt. */
function wsseHeader({ credential }: VendorAccount, deliveryId: string, now: Date): Record<string, string> {
  const { username, password } = credential;
  const created = now.toISOString();
  const nonce = createHash('sha256').update(`${deliveryId} ${created}`).digest('hex').slice(0, 32);
  const digest = createHash('sha1').update(`${nonce}${created}${password}`).digest('hex');
  const parts = {
    Username: inHeader(username ?? ''),
    PasswordDigest: Buffer.from(digest).toString('base64'),
    Nonce: nonce,
    Created: created,
  };
  const list = Object.entries(parts).map(([name, value]) => `${name}="${value.replaceAll('"', '')}"`);
  return { 'x-wsse': `UsernameToken ${list.join(', ')}` };
}

/** The vendor answers 200 to a request whose contacts failed, and lists those by their address. */
function resultOf(answer: VendorAnswer, { payload }: VendorDelivery, now: Date): VendorResult {
  const result = usualResult(answer, now);
  const { replyCode, data } = fieldsOf(answer.body);
  const code = Number(replyCode ?? 0);
  if ((result.kind === 'refused' || result.kind === 'accepted') && code !== 0) return refused(`reply_${code}`);
  if (result.kind !== 'accepted') return result;
  const faults = fieldsOf(fieldsOf(data).errors)[profileOf(payload).email!];
  const [fault] = Object.keys((faults ?? {}) as object);
  return fault === undefined || fault === alreadyTriggered ? accepted : refused(`reply_${fault}`);
}

/** "Trigger ID already triggered." */
const alreadyTriggered = '9003';
