import { isIP } from 'node:net';
import { invalidValue } from '#platform/errors.ts';

/**
 * Why we may not call a URL that a caller gave us, or undefined if we may. This checks only the text. The connector
 * checks the resolved address again, because DNS answers can change. The local stack may also call its own machine, and
 * use http.
 */
export async function addressFault(
  url: string,
  allowLocal = process.env.ALLOW_LOCAL_TARGETS === 'true',
): Promise<string | undefined> {
  const writtenHost = hostAsWritten(url);
  if (writtenHost === undefined || !URL.canParse(url))
    return 'must be an absolute URL, such as https://example.com/path';
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return 'must not contain a username or a password';
  if (protocol !== 'https:' && !(allowLocal && protocol === 'http:')) return 'must be an https URL';
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0 && writtenHost.toLowerCase() !== hostname) {
    return 'must have the IP address in its usual form, as in https://203.0.113.7 or https://[2001:db8::7]';
  }
  if (await isPublicHost(host)) return undefined;
  return allowLocal && (await isOwnMachine(host)) ? undefined : 'must be a public address';
}

/** Refuses the request if a field of its body has an address that we may not call. */
export async function checkAddress(field: string, url: string | null | undefined): Promise<void> {
  const fault = url ? await addressFault(url) : undefined;
  if (fault) throw invalidValue(['body', field], fault);
}

/**
 * The host before the URL parser changes it. The parser turns `0127.0.0.1` into 87.0.0.1, and other programs read the
 * same text as 127.0.0.1, so a merchant who writes it may mean another machine than the one that we call. The parser
 * also reads backslashes, line breaks and missing slashes as something else; such a text has no host here.
 */
function hostAsWritten(url: string): string | undefined {
  return /^[a-z]+:\/\/(?:[^/?#\\\s]*@)?(\[[^\]/?#\\\s]*\]|[^/?#\\\s:]+)(?::\d*)?(?:[/?#]\S*)?$/i.exec(url)?.[1];
}

async function isPublicHost(host: string): Promise<boolean> {
  if (isIP(host) === 0) return fullName.test(host) && !privateNames.test(host);
  const { isPublicAddress } = await import('./public-address.ts');
  return isPublicAddress(host);
}

async function isOwnMachine(host: string): Promise<boolean> {
  if (isIP(host) === 0) return /^(.+\.)?localhost$/i.test(host);
  const { isLoopback } = await import('./public-address.ts');
  return isLoopback(host);
}

/** A name with at least one dot, without empty parts, within the length limits of DNS. */
const fullName = /^(?=.{1,253}$)([^.]{1,63}\.)+[^.]{1,63}$/;

/**
 * Names of private networks. `.example` is not among them: documents use it and no network does, so our own examples can
 * be sent as they are written.
 */
const privateNames =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|lan|home|corp|test|invalid|onion|home\.arpa)$/i;
