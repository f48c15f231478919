import { createHash } from 'node:crypto';

/** One spelling for addresses that lead to the same place. The fragment never leaves the client. */
export function sameUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

/** An address may be longer than a key of the table. */
export const urlHash = (url: string): string => createHash('sha256').update(sameUrl(url)).digest('hex');
