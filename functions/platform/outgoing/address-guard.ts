import { isIP } from 'node:net';

/**
 * Why we may not call a URL that a caller gave us, or undefined if we may. This checks only the text. The connector
 * checks the resolved address again, because DNS answers can change.
 */
export async function addressFault(
  url: string,
  allowLocal = process.env.ALLOW_LOCAL_TARGETS === 'true',
): Promise<string | undefined> {
  if (!URL.canParse(url)) return 'must be an absolute URL';
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return 'must not contain a username or a password';
  if (allowLocal && ['http:', 'https:'].includes(protocol)) return undefined;
  if (protocol !== 'https:') return 'must be an https URL';
  return (await isPublicHost(hostname)) ? undefined : 'must be a public address';
}

/** The URL parser has already converted decimal, octal and hexadecimal forms of IPv4 to the dotted form. */
async function isPublicHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) === 0) return fullName.test(host) && !privateNames.test(host);
  const { isPublicAddress } = await import('./public-address.ts');
  return isPublicAddress(host);
}

/** A name with at least one dot, without empty parts, within the length limits of DNS. */
const fullName = /^(?=.{1,253}$)([^.]{1,63}\.)+[^.]{1,63}$/;

/** Names that are never public. */
const privateNames =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|lan|home|corp|test|invalid|example|onion|home\.arpa)$/i;
