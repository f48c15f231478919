import { createHmac } from 'node:crypto';
import { automationIn } from '#domain/automations/automation-store.ts';
import { automationOf, automationTarget, isAutomationTarget } from '#domain/automations/model.ts';
import type { AttemptResult, Delivery } from '#domain/deliveries/delivery-rules.ts';
import { type CredentialScheme, integrationTarget } from '#domain/deliveries/integration-targets.ts';
import { endpointOf, secretsInForce } from '#domain/endpoints/endpoint-store.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { type CallOptions, type CallResult, callDeadlineMs, createCall } from '#platform/outgoing/call.ts';
import { decryptOnce } from '#platform/secrets/cipher.ts';
import { gatheredGet } from '#platform/table/gathered-reads.ts';
import { keyOf } from '#platform/table/keys.ts';
import { extrasOf, type NotifiedIntegration, notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';

/** Where the deliveries of a target go, and how each shows that it comes from us. */
export interface Destination {
  url: string;
  headersFor(id: string, body: Uint8Array, now: Date): Promise<Record<string, string>>;
}

type Place = Pick<Delivery, 'shop_slug' | 'target'>;

export type DestinationOf = (place: Place) => Promise<Destination | undefined>;

/** Undefined where the target no longer takes deliveries. */
export const destinationOf: DestinationOf = async ({ shop_slug, target }) => {
  if (isIntegration(target)) return integration(shop_slug, target);
  const read = isAutomationTarget(target) ? automationEndpoint : endpointOf;
  return signed(await read(shop_slug, target));
};

const isIntegration = (target: string): target is NotifiedIntegration =>
  (notifiedIntegrations as readonly string[]).includes(target);

type SignedEndpoint = Parameters<typeof secretsInForce>[0] & { url: string; status: string };

function signed(endpoint: SignedEndpoint | undefined): Destination | undefined {
  if (endpoint?.status !== 'active') return undefined;
  return {
    url: endpoint.url,
    headersFor: async (id, body, now) =>
      signatureHeaders({ id, body, secrets: await secretsInForce(endpoint, now), now }),
  };
}

async function integration(slug: string, id: NotifiedIntegration): Promise<Destination | undefined> {
  const keys = [keyOf.shop(slug), keyOf.settings(slug), keyOf.integrationKey(slug, id)];
  const [shop, settings = {}, key] = await gatheredGet(keys);
  const target = integrationTarget(id, settings);
  if (!target || !shop || !key) return undefined;
  const plaintext = await decryptOnce(key.ciphertext as Uint8Array, { shop: shop.uuid as string, integration: id });
  const own = {
    ...extraHeaders(id, settings),
    ...credentialHeader(target.scheme, JSON.parse(plaintext) as Credential),
  };
  return {
    url: target.url,
    headersFor: async (deliveryId, _body, now) => ({
      ...own,
      'webhook-id': deliveryId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    }),
  };
}

/** What the shop set for this integration alone, such as its account there; where events go is no news to who gets them. */
function extraHeaders(id: NotifiedIntegration, { trigger_settings }: StoredSettings): Record<string, string> {
  const { rest_endpoint: _address, ...own } = trigger_settings?.[id] ?? {};
  const extras = Object.entries(own).filter(([name]) => extrasOf(id).includes(name));
  return Object.fromEntries(extras.map(([name, value]) => [headerOf(name), String(value)]));
}

const headerOf = (name: string) => `x-integration-${name.replaceAll('_', '-')}`;

/** What a target of an automation is now: its address and who signs. Undefined where it no longer takes deliveries. */
async function automationEndpoint(slug: string, target: string) {
  const automation = await automationIn(slug, automationOf(target));
  if (automation?.status !== 'active') return undefined;
  for (const action of automation.actions) {
    if (action.type !== 'webhook' || automationTarget(automation.uuid, action.params.url) !== target) continue;
    return { ...automation, url: action.params.url, holder: 'automation' as const };
  }
  return undefined;
}

/** A credential as it was stored: its parts, the secret one last. */
export type Credential = Record<string, string | null>;

/** The header that shows an integration who we are. */
export function credentialHeader(scheme: CredentialScheme, credential: Credential): Record<string, string> {
  const parts = partNames.flatMap((name) => credential[name] ?? []);
  const secret = inHeader(parts.at(-1) ?? '');
  if (scheme === 'bearer') return { authorization: `Bearer ${secret}` };
  if (scheme === 'basic') return { authorization: `Basic ${Buffer.from(userAndPassword(parts)).toString('base64')}` };
  return { [scheme.slice('header:'.length).toLowerCase()]: secret };
}

/** Headers hold bytes, and a text stands for them letter by letter: what is beyond ASCII goes as UTF-8. */
const inHeader = (text: string) => Buffer.from(text).toString('latin1');

const partNames = ['client_id', 'client_secret', 'username', 'password', 'api_key'];

/** A lone key is the username, with no password. */
const userAndPassword = (parts: readonly string[]) => (parts.length === 1 ? `${parts[0]}:` : parts.join(':'));

interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends and answers; never throws. */
export type Post = (outgoing: Outgoing) => Promise<AttemptResult>;

export type PostOptions = Omit<CallOptions, 'maxBytesKept'>;

export const attemptDeadlineMs = callDeadlineMs;

export function createPost(options: PostOptions = {}): Post {
  const call = createCall({ ...options, maxBytesKept });
  return async (outgoing) => attemptResultOf(await call({ method: 'POST', ...outgoing }));
}

function attemptResultOf({ status, headers = {}, body, failure }: CallResult): AttemptResult {
  if (status === undefined) return { error: failure };
  const read = body === undefined ? { error: failure } : { response: textOf(body, headers['content-encoding']) };
  if (status >= 200 && status < 300) return { status, ...read };
  return { status, ...read, error: `http_${status}`, retryAfter: [headers['retry-after']].flat()[0] };
}

/** What of an answer is kept for the merchant to see. */
const { answerBytes: maxBytesKept } = deliveryLimits;

/** As text of at most 1 KB; undefined where there is none to show. */
function textOf(beginning: Buffer, encoding: string | string[] | undefined): string | undefined {
  if (beginning.length === 0 || (encoding !== undefined && encoding !== 'identity')) return undefined;
  // A byte that is no text became three.
  return decoded(Buffer.from(decoded(beginning)).subarray(0, maxBytesKept));
}

/** Without the letter that the limit cut, if it cut one: a stream would go on with it. */
const decoded = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });

export interface Signed {
  id: string;
  body: Uint8Array;
  /** Those in force, the current one first: during a rotation both sign. */
  secrets: readonly string[];
  now: Date;
}

/** The contract's signature, and that of the Standard Webhooks specification beside it, over the exact bytes sent. */
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

/** A secret in the form of that specification is base64 behind its prefix; any other is taken as its text is. */
const standardKey = (secret: string): Key =>
  secret.startsWith(standardPrefix) ? [secret.slice(standardPrefix.length), 'base64'] : ownKey(secret);

// A key that comes as bytes costs Node several times as much as one that comes as text.
const hmac = ([key, encoding]: Key, prefix: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key, { encoding }).update(prefix).update(body).digest();
