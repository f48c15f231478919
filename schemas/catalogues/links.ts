/**
 * Which links the service takes and which of them a page shows. It takes what the contract calls a string as it is, except
 * what could run a script or show a page of the sender: whoever gets it from us may open it. An empty text is no link.
 */

export const maxLinkLength = 2048;

/** For the addresses that the service itself calls. The guard of addresses checks the rest of them. */
export const callableUrlPattern = '^[hH][tT][tT][pP][sS]?://';

/** A pattern of JSON Schema has no flags. */
const inAnyCase = (word: string) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const refusedSchemes = ['javascript', 'data', 'vbscript', 'file', 'blob'];

/** Browsers leave out spaces at the beginning. They also leave out some control characters, so none is taken. */
export const linkPattern = `^(?!\\s*(?:${refusedSchemes.map(inAnyCase).join('|')}):)[^\\u0000-\\u001f\\u007f-\\u009f]*$`;

const links = new RegExp(linkPattern, 'u');

export const isLink = (text: string): boolean => text.length <= maxLinkLength && links.test(text);

/** What a caller reads instead of the pattern. */
export const linkFaults: Record<string, string> = {
  [callableUrlPattern]: 'must begin with http:// or https://',
  [linkPattern]: `must not begin with ${refusedSchemes.map((scheme) => `${scheme}:`).join(', ')} and must not contain control characters`,
};

const webSchemes = ['http:', 'https:'];

/** The link as a page may show it; null for a text that no page links. */
export const pageLink = (text: string | null | undefined): string | null =>
  linkWith([...webSchemes, 'mailto:', 'tel:'], text);

/** The same for a picture, or for what is added to the query of a link. */
export const webLink = (text: string | null | undefined): string | null => linkWith(webSchemes, text);

/** Of a link without a scheme the page's own would be used, which is https. A name before an `@` looks like another host. */
function linkWith(schemes: readonly string[], text: string | null | undefined): string | null {
  const given = text?.trim() ?? '';
  const whole = /^\/\/[^/\\]/.test(given) ? `https:${given}` : given;
  const url = URL.canParse(whole) && new URL(whole);
  return url && schemes.includes(url.protocol) && url.username === '' && url.password === '' ? whole : null;
}
