import { ApiError } from '#platform/http/api-error.ts';
import { logger } from '#platform/logger.ts';
import type { Outcome } from '#platform/outgoing/call.ts';

/** A hook as the shop's system describes it. */
export interface RemoteHook {
  id: number;
  topic: string;
  address: string;
  fields: string[];
}

/** The hook of an answer; undefined where the answer holds none that can be used. */
export function toHook(value: unknown): RemoteHook | undefined {
  const { id, topic, address, fields } = (value ?? {}) as Record<string, unknown>;
  if (!Number.isSafeInteger(id) || typeof topic !== 'string' || typeof address !== 'string') return undefined;
  const names = Array.isArray(fields) ? fields.filter((field) => typeof field === 'string') : [];
  return { id: id as number, topic, address, fields: names };
}

/** The JSON of an answer, as far as it is an object. */
export function jsonOf({ body }: Outcome): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body?.toString('utf8') ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The address has a hook of the topic already. */
export const isTaken = (outcome: Outcome): boolean =>
  outcome.status === 422 && /already been taken/i.test(JSON.stringify(faultsOf(outcome).address ?? ''));

/** What the caller is told of an answer that is no success. */
export function refusal(outcome: Outcome): ApiError {
  if (isForbidden(outcome)) return new ApiError('partner_key_missing_permissions');
  const { status, failure } = outcome;
  logger.warn('shop system', { status, failure });
  return new ApiError('bad_gateway', { message: 'The system of the shop did not do what it was asked for.' });
}

/** A topic that the key has no scope for is as unknown to the shop's system as one that does not exist. */
const isForbidden = (outcome: Outcome): boolean =>
  outcome.status === 401 || outcome.status === 403 || (outcome.status === 422 && 'topic' in faultsOf(outcome));

function faultsOf(outcome: Outcome): Record<string, unknown> {
  const { errors } = jsonOf(outcome);
  return typeof errors === 'object' && errors !== null ? (errors as Record<string, unknown>) : {};
}
