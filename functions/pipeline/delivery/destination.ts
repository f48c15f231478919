import { automationIn } from '#domain/automations/automation-store.ts';
import { automationOf, automationTarget, isAutomationTarget } from '#domain/automations/model.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { type CredentialScheme, integrationTarget } from '#domain/deliveries/integration-targets.ts';
import { endpointOf, secretsInForce } from '#domain/endpoints/endpoint-store.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { decryptOnce } from '#platform/secrets/cipher.ts';
import { gatheredGet } from '#platform/table/gathered-reads.ts';
import { keyOf } from '#platform/table/keys.ts';
import { extrasOf, type NotifiedIntegration, notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { signatureHeaders } from './post.ts';

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
