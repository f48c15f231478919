import { vendorsOfIntegrations } from '#domain/deliveries/integration-targets.ts';
import type { Caller } from '#platform/access/caller.ts';
import { hashOf, newSession, readToken, type SessionItem, writeToken } from '#platform/access/session.ts';
import type { Implementation } from '#platform/http/request.ts';
import { readSessionCookie, sessionCookie } from '#platform/http/session-cookie.ts';
import { keyOf } from '#platform/table/keys.ts';
import { commit, put, remove } from '#platform/table/writes.ts';
import type { Session, sessions } from '#schemas/families/sessions.ts';

type Operations = typeof sessions;

/**
 * Every log-in makes a new secret, so nobody can prepare a session for somebody else. A browser has one session: the
 * log-in ends the one before, whosever it was.
 */
export const createSession: Implementation<Operations['createSession']> = async (request) => {
  const { caller, headers, serviceUrl, setCookie, now } = request;
  const { item, session, token } = newSession(caller, originOf(headers, serviceUrl), now);
  await commit([put(item)]);
  const before = readToken(readSessionCookie(headers.cookie, serviceUrl) ?? '');
  if (before) await endSession(before.tokenId, hashOf(before));
  const seconds = session.expires_at - Math.floor(now.getTime() / 1000);
  setCookie(sessionCookie(serviceUrl, writeToken(token), seconds));
  return toResponse(caller, session);
};

export const getSession: Implementation<Operations['getSession']> = ({ caller }) => toResponse(caller, caller.session);

export const deleteSession: Implementation<Operations['deleteSession']> = async ({ caller, serviceUrl, setCookie }) => {
  await endSession(caller.tokenId, caller.session.hash);
  setCookie(sessionCookie(serviceUrl));
  return null;
};

const endSession = (tokenId: string, hash: string): Promise<void> => commit([remove(keyOf.session(tokenId, hash))]);

/**
 * A distribution may have two addresses, its own and that of a domain. A browser says where the page of a log-in comes
 * from, and lets no page of another origin send an API key.
 */
function originOf({ origin, 'sec-fetch-site': site }: Record<string, string | undefined>, serviceUrl: string): string {
  const isOwnPage = origin !== undefined && (site === undefined || site === 'same-origin') && URL.canParse(origin);
  return new URL(isOwnPage ? origin : serviceUrl).origin;
}

const toResponse = ({ username, superAdmin, shops }: Caller, { expires_at }: SessionItem): Session => ({
  username,
  role: superAdmin ? 'superadmin' : null,
  shops,
  expires_at: new Date(expires_at * 1000).toISOString(),
  vendors: vendorsOfIntegrations(),
});
