/** What of an answer is kept for the merchant to see. */
export const mostKept = 1024;

/** As text of at most 1 KB; undefined where there is none to show. */
export function textOf(beginning: Buffer, encoding: string | string[] | undefined): string | undefined {
  if (beginning.length === 0 || (encoding !== undefined && encoding !== 'identity')) return undefined;
  // A byte that is no text became three.
  return decoded(Buffer.from(decoded(beginning)).subarray(0, mostKept));
}

/** Without the letter that the limit cut, if it cut one: a stream would go on with it. */
const decoded = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });
