import { createHash } from 'node:crypto';
import {
  type AdminApi,
  adminPorts,
  adminSender,
  baseOf,
  isForbidden,
  isSuccess,
  jsonOf,
  keyLacksPermission,
  type RemoteHook,
  shopSystemFailed,
} from '#domain/shop-systems/admin-api.ts';
import type { ServiceError } from '#platform/errors.ts';
import { fieldsOf, listOf } from '#platform/foreign-json.ts';
import type { CallResult } from '#platform/outgoing/call.ts';

/** A key of the REST API: its consumer key and consumer secret. */
interface ConsumerKey {
  client_id: string;
  client_secret: string;
}

/** Of hooks that have the name of ours. There is one, unless requests at once made more. */
const pageSize = 10;
const maxPages = 5;

/**
 * The webhooks of shop_system_3 at `<shop>/wp-json/wc/v3/webhooks`.
 * @param url the address of the shop. That of its dashboard or of its REST API is understood too.
 * @param secret with which the hooks sign
 */
export function adminApi(url: string, key: ConsumerKey, secret: string, ports = adminPorts): AdminApi {
  const send = adminSender(`${shopOf(url)}/wp-json/wc/v3`, { authorization: basic(key) }, ports);

  const find = async (topic: string, address: string): Promise<RemoteHook | undefined> => {
    for (let page = 1; page <= maxPages; page++) {
      const query = new URLSearchParams({
        search: nameOf(topic, address),
        per_page: String(pageSize),
        page: String(page),
      });
      const result = await send('GET', `/webhooks?${query}`);
      const listed = jsonOf(result);
      if (!isSuccess(result) || !Array.isArray(listed)) throw refusal(result);
      const found = listOf(listed).map(toHook);
      const ours = found.find((hook) => hook?.topic === topic && hook.address === address);
      if (ours || listed.length < pageSize) return ours;
    }
    return undefined;
  };

  const saved = async (path: string, body: object): Promise<RemoteHook> => {
    const result = await send('POST', path, body);
    const hook = isSuccess(result) ? toHook(jsonOf(result)) : undefined;
    if (!hook) throw refusal(result);
    return hook;
  };

  return {
    // WooCommerce takes a second hook for the same address and topic, and would send everything twice.
    register: async (topic, address) => {
      const known = await find(topic, address);
      const hook = known
        ? await saved(`/webhooks/${known.id}`, { secret, status: 'active' })
        : await saved('/webhooks', { name: nameOf(topic, address), topic, delivery_url: address, secret });
      return { hook: { ...hook, topic, address }, isNew: known === undefined };
    },
    remove: async (id) => {
      const result = await send('DELETE', `/webhooks/${encodeURIComponent(id)}?force=true`);
      if (!isSuccess(result) && !isGone(result)) throw refusal(result);
    },
  };
}

const shopOf = (url: string): string => baseOf(url).replace(/\/wp-(?:admin|json)(?:\/.*)?$/, '');

const basic = ({ client_id, client_secret }: ConsumerKey): string =>
  `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;

/** WooCommerce searches hooks by name only, so the name tells the address too. */
function nameOf(topic: string, address: string): string {
  const digest = createHash('sha256').update(`${topic} ${address}`).digest('hex');
  return `Post-purchase ${topic} ${digest.slice(0, 16)}`;
}

/** The hook in a response; undefined if the response holds no valid one. */
function toHook(value: unknown): RemoteHook | undefined {
  const { id, topic, delivery_url: address } = fieldsOf(value);
  if (!Number.isSafeInteger(id) || typeof topic !== 'string' || typeof address !== 'string') return undefined;
  return { id: id as number, topic, address, fields: [] };
}

/**
 * The shop has no such hook, or no WooCommerce. A page that says that there is no page does not mean so: the address may
 * be wrong.
 */
const goneCodes: unknown[] = ['woocommerce_rest_shop_webhook_invalid_id', 'rest_no_route'];

const isGone = (result: CallResult): boolean =>
  result.status === 404 && goneCodes.includes(fieldsOf(jsonOf(result)).code);

const refusal = (result: CallResult): ServiceError =>
  isForbidden(result) ? keyLacksPermission() : shopSystemFailed(result);
