import {
  type AdminApi,
  adminPorts,
  adminSender,
  baseOf,
  isForbidden,
  jsonOf,
  keyLacksPermission,
  type RemoteHook,
  shopSystemFailed,
} from '#domain/shop-systems/admin-api.ts';
import type { ServiceError } from '#platform/errors.ts';
import { fieldsOf, listOf } from '#platform/foreign-json.ts';
import type { CallResult } from '#platform/outgoing/call.ts';

export function adminApi(url: string, token: string, ports = adminPorts): AdminApi {
  const send = adminSender(baseOf(url), { 'x-shopify-access-token': token }, ports);

  const find = async (topic: string, address: string): Promise<RemoteHook> => {
    const query = new URLSearchParams({ topic, address, limit: '250' });
    const result = await send('GET', `/webhooks.json?${query}`);
    const hooks = result.status === 200 ? listOf(answerOf(result).webhooks).map(toHook) : [];
    const found = hooks.find((hook) => hook?.topic === topic && hook.address === address);
    if (!found) throw refusal(result);
    return found;
  };

  return {
    register: async (topic, address) => {
      const result = await send('POST', '/webhooks.json', { webhook: { topic, address, format: 'json' } });
      if (isTaken(result)) return { hook: await find(topic, address), isNew: false };
      const hook = result.status === 201 || result.status === 200 ? toHook(answerOf(result).webhook) : undefined;
      if (!hook) throw refusal(result);
      return { hook: { ...hook, topic, address }, isNew: true };
    },
    remove: async (id) => {
      const result = await send('DELETE', `/webhooks/${encodeURIComponent(id)}.json`);
      const { status = 0 } = result;
      if (status !== 404 && (status < 200 || status >= 300)) throw refusal(result);
    },
  };
}

/** The hook in a response; undefined if the response holds no valid one. */
function toHook(value: unknown): RemoteHook | undefined {
  const { id, topic, address, fields } = fieldsOf(value);
  if (!Number.isSafeInteger(id) || typeof topic !== 'string' || typeof address !== 'string') return undefined;
  const names = Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [];
  return { id: id as number, topic, address, fields: names };
}

const answerOf = (result: CallResult) => fieldsOf(jsonOf(result));

/** The address already has a hook for the topic. */
const isTaken = (result: CallResult): boolean =>
  result.status === 422 && /already been taken/i.test(JSON.stringify(faultsOf(result).address ?? ''));

/** If the key has no scope for a topic, the shop's system reports the topic as unknown. */
const refusal = (result: CallResult): ServiceError =>
  isForbidden(result) || (result.status === 422 && 'topic' in faultsOf(result))
    ? keyLacksPermission()
    : shopSystemFailed(result);

const faultsOf = (result: CallResult) => fieldsOf(answerOf(result).errors);
