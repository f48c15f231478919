import { isIP } from 'node:net';

/**
 * Whether we may call an address that a caller gave us. Here only what the text itself tells; whoever dials checks the
 * address that a name resolves to once more, since names can change their mind.
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

/** The URL parser has already turned decimal, octal and hexadecimal forms of IPv4 into the dotted one. */
async function isPublicHost(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) === 0) return fullName.test(host) && !privateNames.test(host);
  const { isPublicAddress } = await import('./public-address.ts');
  return isPublicAddress(host);
}

/** As names of the internet are: no part empty, no name and no part longer than a name server takes. */
const fullName = /^(?=.{1,253}$)([^.]{1,63}\.)+[^.]{1,63}$/;

/** Names that never lead outside. */
const privateNames =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|lan|home|corp|test|invalid|example|onion|home\.arpa)$/i;
