import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '#platform/http/errors.ts';
import { logger } from '#platform/logging.ts';
import { type Call, type CallResult, callDeadlineMs, createCall, type Outgoing } from '#platform/outgoing/call.ts';

/** The webhooks of a shop's own system, at its `shop_admin_url`. Every failure is an error of the catalogue. */
export interface AdminApi {
  /** The hook, and whether it is new: one that was there already is taken over. */
  register(topic: string, address: string): Promise<{ hook: RemoteHook; isNew: boolean }>;
  /** One that is gone already is as good. */
  remove(id: number): Promise<void>;
}

export interface AdminPorts {
  call: Call;
  pause(ms: number): Promise<unknown>;
  now(): number;
}

/** The gateway gives up after 29 s: whatever is asked, something is to be left for the table and for the answer. */
const timeForAllMs = 22_000;
/** What asks to be left alone for longer gets its wish. */
const maxPauseMs = 5_000;
const maxAttempts = 4;

const ports: AdminPorts = { call: createCall(), pause: wait, now: Date.now };

export function adminApi(url: string, token: string, { call, pause, now }: AdminPorts = ports): AdminApi {
  const endsAt = now() + timeForAllMs;
  const base = baseOf(url);

  /** Waits where the shop's system asks for it, as long as there is time. */
  const ask = async (method: Outgoing['method'], path: string, body?: object): Promise<CallResult> => {
    const request = requestOf(method, base + path, token, body);
    for (let attempt = 1; ; attempt++) {
      const leftMs = endsAt - now();
      if (leftMs <= 0) return { failure: 'timeout' };
      const outcome = await call({ ...request, deadlineMs: Math.min(leftMs, callDeadlineMs) });
      const pauseMs = pauseOf(outcome);
      if (pauseMs === undefined || attempt === maxAttempts || now() + pauseMs >= endsAt) return outcome;
      await pause(pauseMs);
    }
  };

  const find = async (topic: string, address: string): Promise<RemoteHook> => {
    const query = new URLSearchParams({ topic, address, limit: '250' });
    const outcome = await ask('GET', `/webhooks.json?${query}`);
    const { webhooks } = jsonOf(outcome);
    const hooks = outcome.status === 200 && Array.isArray(webhooks) ? webhooks.map(toHook) : [];
    const found = hooks.find((hook) => hook?.topic === topic && hook.address === address);
    if (!found) throw refusal(outcome);
    return found;
  };

  return {
    register: async (topic, address) => {
      const outcome = await ask('POST', '/webhooks.json', { webhook: { topic, address, format: 'json' } });
      if (isTaken(outcome)) return { hook: await find(topic, address), isNew: false };
      const hook = outcome.status === 201 || outcome.status === 200 ? toHook(jsonOf(outcome).webhook) : undefined;
      if (!hook) throw refusal(outcome);
      return { hook: { ...hook, topic, address }, isNew: true };
    },
    remove: async (id) => {
      const outcome = await ask('DELETE', `/webhooks/${id}.json`);
      const { status = 0 } = outcome;
      if (status !== 404 && (status < 200 || status >= 300)) throw refusal(outcome);
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

/** How long the shop's system wants to be left alone; undefined where it does not, or for too long. */
function pauseOf({ status, headers = {} }: CallResult): number | undefined {
  if (status !== 429) return undefined;
  const seconds = Number([headers['retry-after']].flat()[0] ?? 1);
  const ms = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 1000;
  return ms <= maxPauseMs ? ms : undefined;
}

/** A hook as the shop's system describes it. */
export interface RemoteHook {
  id: number;
  topic: string;
  address: string;
  fields: string[];
}

/** The hook of an answer; undefined where the answer holds none that can be used. */
function toHook(value: unknown): RemoteHook | undefined {
  const { id, topic, address, fields } = (value ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(id) || typeof topic !== 'string' || typeof address !== 'string') return undefined;
  const names = Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [];
  return { id: id as number, topic, address, fields: names };
}

/** The JSON of an answer, as far as it is an object. */
function jsonOf({ body }: CallResult): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body?.toString('utf8') ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The address has a hook of the topic already. */
const isTaken = (outcome: CallResult): boolean =>
  outcome.status === 422 && /already been taken/i.test(JSON.stringify(faultsOf(outcome).address ?? ''));

/** What the caller is told of an answer that is no success. */
function refusal(outcome: CallResult): ApiError {
  if (isForbidden(outcome)) return new ApiError('partner_key_missing_permissions');
  const { status, failure } = outcome;
  logger.warn('shop system', { status, failure });
  return new ApiError('bad_gateway', {
    message: "The shop's own system failed or refused the request. Try again later.",
  });
}

/** A topic that the key has no scope for is as unknown to the shop's system as one that does not exist. */
const isForbidden = (outcome: CallResult): boolean =>
  outcome.status === 401 || outcome.status === 403 || (outcome.status === 422 && 'topic' in faultsOf(outcome));

function faultsOf(outcome: CallResult): Record<string, unknown> {
  const { errors } = jsonOf(outcome);
  return typeof errors === 'object' && errors !== null ? (errors as Record<string, unknown>) : {};
}
