import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '#platform/errors.ts';
import { fieldsOf, listOf, parsed } from '#platform/foreign-json.ts';
import { logger } from '#platform/logging.ts';
import { type Call, type CallResult, callDeadlineMs, createCall, type Outgoing } from '#platform/outgoing/call.ts';

/**
 * Manages the webhooks of a shop's own system, at its `shop_admin_url`. Every failure is thrown as an error of the
 * catalogue.
 */
export interface AdminApi {
  /** Returns the hook and whether it is new. A hook that already exists is reused. */
  register(topic: string, address: string): Promise<{ hook: RemoteHook; isNew: boolean }>;
  /** Succeeds if the hook no longer exists. */
  remove(id: number): Promise<void>;
}

export interface AdminPorts {
  call: Call;
  pause(ms: number): Promise<unknown>;
  now(): number;
}

/** The gateway gives up after 29 s. The rest of that time is for the table and for our response. */
const totalTimeMs = 22_000;
/** If the shop's system asks for a longer pause, the request is not tried again. */
const maxPauseMs = 5_000;
const maxAttempts = 4;

const ports: AdminPorts = { call: createCall(), pause: wait, now: Date.now };

export function adminApi(url: string, token: string, { call, pause, now }: AdminPorts = ports): AdminApi {
  const endsAt = now() + totalTimeMs;
  const base = baseOf(url);

  /** Waits and tries again if the shop's system asks for it, as long as there is time. */
  const send = async (method: Outgoing['method'], path: string, body?: object): Promise<CallResult> => {
    const request = requestOf(method, base + path, token, body);
    for (let attempt = 1; ; attempt++) {
      const leftMs = endsAt - now();
      if (leftMs <= 0) return { failure: 'timeout' };
      const result = await call({ ...request, deadlineMs: Math.min(leftMs, callDeadlineMs) });
      const pauseMs = pauseOf(result);
      if (pauseMs === undefined || attempt === maxAttempts || now() + pauseMs >= endsAt) return result;
      await pause(pauseMs);
    }
  };

  const find = async (topic: string, address: string): Promise<RemoteHook> => {
    const query = new URLSearchParams({ topic, address, limit: '250' });
    const result = await send('GET', `/webhooks.json?${query}`);
    const hooks = result.status === 200 ? listOf(jsonOf(result).webhooks).map(toHook) : [];
    const found = hooks.find((hook) => hook?.topic === topic && hook.address === address);
    if (!found) throw refusal(result);
    return found;
  };

  return {
    register: async (topic, address) => {
      const result = await send('POST', '/webhooks.json', { webhook: { topic, address, format: 'json' } });
      if (isTaken(result)) return { hook: await find(topic, address), isNew: false };
      const hook = result.status === 201 || result.status === 200 ? toHook(jsonOf(result).webhook) : undefined;
      if (!hook) throw refusal(result);
      return { hook: { ...hook, topic, address }, isNew: true };
    },
    remove: async (id) => {
      const result = await send('DELETE', `/webhooks/${id}.json`);
      const { status = 0 } = result;
      if (status !== 404 && (status < 200 || status >= 300)) throw refusal(result);
    },
  };
}

function baseOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}

function requestOf(method: Outgoing['method'], url: string, token: string, body: object | undefined): Outgoing {
  return {
    method,
    url,
    headers: {
      accept: 'application/json',
      'user-agent': 'post-purchase-service',
      'x-shopify-access-token': token,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: Buffer.from(JSON.stringify(body)) }),
  };
}

/** The pause that the shop's system asks for; undefined if it asks for none, or for too long. */
function pauseOf({ status, headers = {} }: CallResult): number | undefined {
  if (status !== 429) return undefined;
  const seconds = Number([headers['retry-after']].flat()[0] ?? 1);
  const ms = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 1000;
  return ms <= maxPauseMs ? ms : undefined;
}

/** A hook as the shop's system describes it. */
interface RemoteHook {
  id: number;
  topic: string;
  address: string;
  fields: string[];
}

/** The hook in a response; undefined if the response holds no valid one. */
function toHook(value: unknown): RemoteHook | undefined {
  const { id, topic, address, fields } = fieldsOf(value);
  if (!Number.isSafeInteger(id) || typeof topic !== 'string' || typeof address !== 'string') return undefined;
  const names = Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [];
  return { id: id as number, topic, address, fields: names };
}

/** The JSON object of a response; empty if it has none. */
const jsonOf = ({ body }: CallResult) => fieldsOf(parsed(body?.toString('utf8') ?? ''));

/** The address already has a hook for the topic. */
const isTaken = (result: CallResult): boolean =>
  result.status === 422 && /already been taken/i.test(JSON.stringify(faultsOf(result).address ?? ''));

/** The error that our caller gets for a failed response. */
function refusal(result: CallResult): ServiceError {
  if (isForbidden(result)) return new ServiceError('partner_key_missing_permissions');
  const { status, failure } = result;
  logger.warn('shop system', { status, failure });
  return new ServiceError('bad_gateway', {
    message: "The shop's own system failed or refused the request. Try again later.",
  });
}

/** If the key has no scope for a topic, the shop's system reports the topic as unknown. */
const isForbidden = (result: CallResult): boolean =>
  result.status === 401 || result.status === 403 || (result.status === 422 && 'topic' in faultsOf(result));

const faultsOf = (result: CallResult) => fieldsOf(jsonOf(result).errors);
