import { createHash } from 'node:crypto';
import { keyOf } from '#platform/table/keys.ts';
import { accessLimits } from '#schemas/catalogues/limits.ts';
import { maxUsernameLength, newSecret } from './api-key.ts';

/** A session as it is stored, without its secret. */
export interface SessionItem {
  /** In Unix seconds. */
  expires_at: number;
  /** Where its pages come from. The cookie is of one host, so there is only one such origin. */
  origin: string;
}

/** What a browser holds of a session: whose it is, and what proves it. */
export interface SessionToken {
  username: string;
  tokenId: string;
  secret: string;
}

const sessionSeconds = accessLimits.sessionHours * 3600;

/** The caller, by a key that expires then (0: never). */
interface KeyOwner {
  username: string;
  tokenId: string;
  expiration: number;
}

/** It ends no later than its key. */
export function newSession({ username, tokenId, expiration }: KeyOwner, origin: string, now: Date) {
  const token: SessionToken = { username, tokenId, secret: newSecret() };
  const latest = Math.floor(now.getTime() / 1000) + sessionSeconds;
  const session: SessionItem = { expires_at: expiration === 0 ? latest : Math.min(latest, expiration), origin };
  return { token, session, item: { ...keyOf.session(tokenId, hashOf(token)), ...session } };
}

export const hasEnded = ({ expires_at }: SessionItem, now: Date) => expires_at * 1000 <= now.getTime();

/**
 * The hash is part of the key of the stored session, beside the token id. It is of the whole token, so that a secret is
 * right for its own key only.
 */
export const hashOf = ({ username, tokenId, secret }: SessionToken): string =>
  createHash('sha256').update(`${tokenId}:${secret}:${username}`).digest('base64url');

export const writeToken = ({ username, tokenId, secret }: SessionToken): string =>
  [Buffer.from(username).toString('base64url'), tokenId, secret].join('.');

/** Undefined if the text is not of the form that `writeToken` gives. */
export function readToken(text: string): SessionToken | undefined {
  const [, name, tokenId, secret] = /^([\w-]+)\.([0-9a-v]{16})\.([\w-]{43})$/.exec(text) ?? [];
  if (name === undefined || tokenId === undefined || secret === undefined) return undefined;
  const username = Buffer.from(name, 'base64url').toString('utf8');
  return username === '' || username.length > maxUsernameLength ? undefined : { username, tokenId, secret };
}
