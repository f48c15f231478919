import { createHmac } from 'node:crypto';
import { automationIn } from '#domain/automations/automation-store.ts';
import { automationOf, automationTarget, isAutomationTarget } from '#domain/automations/model.ts';
import type { AttemptResult, Delivery } from '#domain/deliveries/delivery-rules.ts';
import { integrationTarget } from '#domain/deliveries/integration-targets.ts';
import { hasSender } from '#domain/emails/email-settings.ts';
import { endpointOf } from '#domain/endpoints/endpoint-store.ts';
import { secretsInForce } from '#domain/endpoints/secrets.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { type Credential, credentialParts, secretOf, secretsOf } from '#domain/vendors/credential.ts';
import type { Dialect, VendorAccount, VendorDelivery } from '#domain/vendors/dialect.ts';
import { loadDialect } from '#domain/vendors/dialects.ts';
import { type CallOptions, type CallResult, callDeadlineMs, createCall } from '#platform/outgoing/call.ts';
import { decryptOnce } from '#platform/secrets/cipher.ts';
import { gatheredGet } from '#platform/table/gathered-reads.ts';
import { keyOf } from '#platform/table/keys.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import type { CredentialScheme } from '#schemas/catalogues/integration-targets.ts';
import { extrasOf, type NotifiedIntegration, notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';

interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends a request. Never throws: a failure is part of the result. */
export type Post = (outgoing: Outgoing) => Promise<AttemptResult>;

export type PostOptions = Omit<CallOptions, 'maxBytesKept'>;

export const attemptDeadlineMs = callDeadlineMs;

export function createPost(options: PostOptions = {}): Post {
  const call = createCall({ ...options, maxBytesKept });
  return async (outgoing) => attemptResultOf(await call({ method: 'POST', ...outgoing }));
}

function attemptResultOf({ status, headers = {}, body, failure }: CallResult): AttemptResult {
  if (status === undefined) return { error: failure };
  const content = body === undefined ? { error: failure } : { response: textOf(body, headers['content-encoding']) };
  if (status >= 200 && status < 300) return { status, ...content };
  return { status, ...content, error: `http_${status}`, retryAfter: [headers['retry-after']].flat()[0] };
}

/** How much of a response is kept for the merchant to see. */
const { answerBytes: maxBytesKept } = deliveryLimits;

/** The kept part of a response as text; undefined if there is no text to show. */
function textOf(kept: Buffer, encoding: string | string[] | undefined): string | undefined {
  if (kept.length === 0 || (encoding !== undefined && encoding !== 'identity')) return undefined;
  // Decoding turns an invalid byte into a character of three bytes, so the text may have to be cut again.
  return beginningOf(Buffer.from(decoded(kept)));
}

export const beginningOf = (text: Buffer): string => decoded(text.subarray(0, maxBytesKept));

/** A character that the limit cut in half is left out: as a stream, the decoder waits for the rest of it. */
const decoded = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });

/** Where the deliveries of a target go, and the headers that prove that they come from us. */
export interface PostDestination {
  url: string;
  headersFor(id: string, body: Uint8Array, now: Date): Promise<Record<string, string>>;
  /** Of an integration: what the headers contain and what must not be kept if the receiver repeats it. */
  secrets?: readonly string[];
}

/** A target that takes events in the form of its vendor. */
export interface VendorDestination {
  dialect: Dialect;
  account: VendorAccount;
}

/** The customers of a shop. */
export interface MailDestination {
  isEmail: true;
}

export type Destination = PostDestination | VendorDestination | MailDestination;

export const isEmail = (destination: Destination): destination is MailDestination => 'isEmail' in destination;

export const isVendor = (destination: Destination): destination is VendorDestination => 'dialect' in destination;

export type DestinationOf = (target: Pick<Delivery, 'shop_slug' | 'target'>) => Promise<Destination | undefined>;

/** Sends deliveries in one exchange. Never throws: a failure is part of the results, which have the order of the deliveries. */
export type SendToVendor = (
  deliveries: readonly VendorDelivery[],
  destination: VendorDestination,
) => Promise<AttemptResult[]>;

/** Returns undefined if the target no longer takes deliveries. */
export const destinationOf: DestinationOf = async ({ shop_slug, target }) => {
  if (isIntegration(target)) return integrationDestination(shop_slug, target);
  if (target === emailTarget) return hasSender() ? { isEmail: true } : undefined;
  const readEndpoint = isAutomationTarget(target) ? automationEndpoint : endpointOf;
  return signedDestination(await readEndpoint(shop_slug, target));
};

const isIntegration = (target: string): target is NotifiedIntegration =>
  (notifiedIntegrations as readonly string[]).includes(target);

type SignedEndpoint = Parameters<typeof secretsInForce>[0] & { url: string; status: string };

function signedDestination(endpoint: SignedEndpoint | undefined): PostDestination | undefined {
  if (endpoint?.status !== 'active') return undefined;
  return {
    url: endpoint.url,
    headersFor: async (id, body, now) =>
      signatureHeaders({ id, body, secrets: await secretsInForce(endpoint, now), now }),
  };
}

async function integrationDestination(slug: string, id: NotifiedIntegration): Promise<Destination | undefined> {
  const keys = [keyOf.shop(slug), keyOf.settings(slug), keyOf.integrationKey(slug, id)];
  const [shop, settings = {}, key] = await gatheredGet(keys);
  const target = shop && integrationTarget(id, { shop, settings, key });
  if (!target || !key) return undefined;
  const plaintext = await decryptOnce(key.ciphertext as Uint8Array, { shop: shop.uuid as string, integration: id });
  const credential = JSON.parse(plaintext) as Credential;
  const extras = extrasIn(id, settings);
  const { dialect = 'service' } = target;
  if (dialect !== 'service') {
    return { dialect: await loadDialect(dialect), account: { target, credential, extras } };
  }
  const credentialHeaders = credentialHeader(target.scheme ?? 'bearer', credential);
  const ownHeaders = { ...extraHeaders(extras), ...credentialHeaders };
  return {
    url: target.url,
    secrets: [...Object.values(credentialHeaders).map(withoutScheme), ...secretsOf(credential)],
    headersFor: async (deliveryId, _body, now) => ({
      ...ownHeaders,
      'webhook-id': deliveryId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    }),
  };
}

/**
 * The shop's settings for this integration only, such as its account there. The address is left out, because the
 * receiver knows it.
 */
function extrasIn(id: NotifiedIntegration, { trigger_settings }: StoredSettings): Record<string, string> {
  const { rest_endpoint: _address, ...own } = trigger_settings?.[id] ?? {};
  const extras = Object.entries(own).filter(([name, value]) => extrasOf(id).includes(name) && value !== null);
  return Object.fromEntries(extras.map(([name, value]) => [name, String(value)]));
}

const extraHeaders = (extras: Record<string, string>): Record<string, string> => {
  const headers = Object.entries(extras).map(([name, value]) => [`x-integration-${name.replaceAll('_', '-')}`, value]);
  return Object.fromEntries(headers);
};

/**
 * The current address of an automation's target, and the automation that signs. Undefined if the target no longer takes
 * deliveries.
 */
async function automationEndpoint(slug: string, target: string) {
  const automation = await automationIn(slug, automationOf(target));
  if (automation?.status !== 'active') return undefined;
  for (const action of automation.actions) {
    if (action.type !== 'webhook' || automationTarget(automation.uuid, action.params.url) !== target) continue;
    return { ...automation, url: action.params.url, holder: 'automation' as const };
  }
  return undefined;
}

/** The header that authenticates us to an integration. */
export function credentialHeader(scheme: CredentialScheme, credential: Credential): Record<string, string> {
  const secret = secretOf(credential);
  if (scheme === 'bearer') return { authorization: `Bearer ${secret}` };
  if (scheme === 'basic')
    return { authorization: `Basic ${Buffer.from(userAndPassword(credential)).toString('base64')}` };
  return { [scheme.slice('header:'.length).toLowerCase()]: secret };
}

/** A single key is the username, with an empty password. */
function userAndPassword(credential: Credential): string {
  const parts = credentialParts.flatMap((name) => credential[name] ?? []);
  return parts.length === 1 ? `${parts[0]}:` : parts.join(':');
}

const withoutScheme = (header: string): string => header.replace(/^(Bearer|Basic) /, '');

export interface Signed {
  id: string;
  body: Uint8Array;
  /** The valid secrets, the current one first. During a rotation both the old and the new one sign. */
  secrets: readonly string[];
  now: Date;
}

/**
 * Signs the exact bytes that are sent, in two ways: as our API contract says and as the Standard Webhooks specification
 * says.
 */
export function signatureHeaders({ id, body, secrets, now }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const ours = secrets.map((secret) => hmac(ownKey(secret), `${timestamp}.`, body).toString('hex'));
  const standard = secrets.map((secret) => hmac(standardKey(secret), `${id}.${timestamp}.`, body).toString('base64'));
  return {
    'service-signature': [`t=${timestamp}`, ...ours.map((signature) => `v1=${signature}`)].join(','),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.map((signature) => `v1,${signature}`).join(' '),
  };
}

const standardPrefix = 'whsec_';

type Key = [text: string, encoding: 'utf8' | 'base64'];

const ownKey = (secret: string): Key => [secret, 'utf8'];

/** A secret in the form of that specification is base64 after its prefix. Any other secret is used as plain text. */
const standardKey = (secret: string): Key =>
  secret.startsWith(standardPrefix) ? [secret.slice(standardPrefix.length), 'base64'] : ownKey(secret);

// Node takes several times longer for a key that is given as bytes than for one that is given as text.
const hmac = ([key, encoding]: Key, prefix: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key, { encoding }).update(prefix).update(body).digest();
