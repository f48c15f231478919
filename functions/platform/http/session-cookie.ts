/**
 * Only HTTPS has cookies that are `Secure`, and the local stack has none. A browser takes a cookie whose name begins with
 * `__Host-` from its own host only, so that no other host of the domain can plant one.
 */
const isSecure = (serviceUrl: string) => serviceUrl.startsWith('https:');

const nameFor = (serviceUrl: string) => (isSecure(serviceUrl) ? '__Host-session' : 'session');

/** The value of the header Set-Cookie. Without a value it removes the cookie. */
export function sessionCookie(serviceUrl: string, value = '', maxAgeSeconds = 0): string {
  const attributes = ['HttpOnly', ...(isSecure(serviceUrl) ? ['Secure'] : []), 'SameSite=Strict', 'Path=/'];
  return [`${nameFor(serviceUrl)}=${value}`, ...attributes, `Max-Age=${maxAgeSeconds}`].join('; ');
}

/** The value in the header Cookie. Undefined if there is none; empty if there are several, because one is not ours. */
export function readSessionCookie(header: string | undefined, serviceUrl: string): string | undefined {
  const beginning = `${nameFor(serviceUrl)}=`;
  const cookies = (header ?? '').split(';').map((cookie) => cookie.trim());
  const [value, ...others] = cookies.filter((cookie) => cookie.startsWith(beginning));
  return others.length > 0 ? '' : value?.slice(beginning.length);
}
