import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '#platform/errors.ts';
import { parsed } from '#platform/foreign-json.ts';
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
  remove(id: string | number): Promise<void>;
}

/** A hook as the shop's system describes it. */
export interface RemoteHook {
  id: number;
  topic: string;
  address: string;
  fields: string[];
}

interface AdminPorts {
  call: Call;
  pause(ms: number): Promise<unknown>;
  now(): number;
}

/** The gateway gives up after 29 s. The rest of that time is for the table and for our response. */
const totalTimeMs = 22_000;
/** If the shop's system asks for a longer pause, the request is not tried again. */
const maxPauseMs = 5_000;
const maxAttempts = 4;

export const adminPorts: AdminPorts = { call: createCall(), pause: wait, now: Date.now };

/** @param path with its query */
type Send = (method: Outgoing['method'], path: string, body?: object) => Promise<CallResult>;

/** All that is sent together has one deadline. Waits and tries again if the shop's system asks for it. */
export function adminSender(base: string, access: Record<string, string>, { call, pause, now }: AdminPorts): Send {
  const endsAt = now() + totalTimeMs;
  return async (method, path, body) => {
    const request = requestOf(method, base + path, access, body);
    for (let attempt = 1; ; attempt++) {
      const leftMs = endsAt - now();
      if (leftMs <= 0) return { failure: 'timeout' };
      const result = await call({ ...request, deadlineMs: Math.min(leftMs, callDeadlineMs) });
      const pauseMs = pauseOf(result);
      if (pauseMs === undefined || attempt === maxAttempts || now() + pauseMs >= endsAt) return result;
      await pause(pauseMs);
    }
  };
}

/** The address without query and slashes at its end. */
export function baseOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}

function requestOf(
  method: Outgoing['method'],
  url: string,
  access: Record<string, string>,
  body: object | undefined,
): Outgoing {
  return {
    method,
    url,
    headers: {
      accept: 'application/json',
      'user-agent': 'post-purchase-service',
      ...access,
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

/** The JSON of a response; undefined if it has none. */
export const jsonOf = ({ body }: CallResult): unknown => parsed(body?.toString('utf8') ?? '');

export const isForbidden = ({ status }: CallResult): boolean => status === 401 || status === 403;

export const isSuccess = ({ status = 0, failure }: CallResult): boolean =>
  failure === undefined && status >= 200 && status < 300;

export const keyLacksPermission = () => new ServiceError('partner_key_missing_permissions');

/** The error that our caller gets for a failed response. */
export function shopSystemFailed({ status, failure }: CallResult): ServiceError {
  logger.warn('shop system', { status, failure });
  return new ServiceError('bad_gateway', {
    message: "The shop's own system failed or refused the request. Try again later.",
  });
}
