/**
 * Which links the service takes: somebody will open them, so no script (`javascript:`), no page of the sender (`data:`)
 * and no name before an `@` that looks like another host. An empty text means that there is no link.
 */

const scheme = '[hH][tT][tT][pP][sS]?://';

export const maxLinkLength = 2048;

/** For the addresses that the service itself calls. The guard of addresses checks the rest of them. */
export const callableUrlPattern = `^${scheme}`;

export const linkPattern = `^(${scheme}[^@/?#\\\\\\s\\u0000-\\u001f\\u007f]+([/?#][^\\u0000-\\u001f\\u007f]*)?)?$`;

const links = new RegExp(linkPattern, 'u');

export const isLink = (text: string): boolean => text.length <= maxLinkLength && links.test(text);

/** What a caller reads instead of the pattern. */
export const linkFaults: Record<string, string> = {
  [callableUrlPattern]: 'must begin with http:// or https://',
  [linkPattern]:
    'must be a valid link that begins with http:// or https://, without a username, a password or control characters',
};
