import { promisify } from 'node:util';
import { deflate, deflateSync, gunzip, gunzipSync, inflate, inflateSync } from 'node:zlib';
import { UnknownForm } from '#platform/unknown-form.ts';
import { orderLimits } from '#schemas/catalogues/limits.ts';
import { dictionaries, written } from './dictionary.ts';

/**
 * Texts as the table stores them: compressed, with a dictionary of what they have in common. A write costs a unit for each
 * kilobyte, twice in a transaction. Without the dictionary the order of a usual checkout has more than one, with it a
 * third of one.
 */

/** Few bytes decide about a unit of a short text, so it is worth the best compression. A long text would take too long. */
const levelOf = ({ length }: string): number => (length <= maxShort ? 9 : 6);
const maxShort = 16 * 1024;

export const packText = (text: string): Buffer => deflateSync(text, { dictionary: written, level: levelOf(text) });

export const unpackText = (packed: Uint8Array): Buffer =>
  isGzip(packed) ? gunzipSync(packed) : inflateSync(packed, dictionaryOf(packed));

/** No text of this many bytes, for each byte that is allowed, becomes so small. */
const bestRatio = 30;

/** Each value as one line of JSON. Undefined if that has more bytes. */
export function packLines(values: readonly object[], maxBytes: number): Buffer | undefined {
  const maxLength = Math.min(maxBytes * bestRatio, orderLimits.textBytes);
  const lines: string[] = [];
  let length = 0;
  for (const value of values) {
    const line = JSON.stringify(value);
    length += line.length;
    if (length > maxLength) return undefined;
    lines.push(line);
  }
  const packed = packText(lines.join('\n'));
  return packed.length > maxBytes ? undefined : packed;
}

export const linesOf = (packed: Uint8Array): object[] =>
  unpackText(packed)
    .toString('utf8')
    .split('\n')
    .map((line) => JSON.parse(line));

/** As `packText`, for long texts, in another thread. */
export const packLongText = (text: string): Promise<Buffer> =>
  promisify(deflate)(text, { dictionary: written }) as Promise<Buffer>;

export const unpackLongText = (packed: Uint8Array): Promise<Buffer> =>
  isGzip(packed) ? promisify(gunzip)(packed) : (promisify(inflate)(packed, dictionaryOf(packed)) as Promise<Buffer>);

/** The format names the dictionary in these bytes. */
const idOf = (packed: Uint8Array): string => packed.subarray(2, 6).join();

const byId = new Map(dictionaries.map((dictionary) => [idOf(deflateSync('', { dictionary })), { dictionary }]));

/** Everything that was ever packed without gzip has a dictionary. What has another one, or none, is of a newer version. */
function dictionaryOf(packed: Uint8Array): { dictionary: Buffer } {
  const found = isDeflate(packed) ? byId.get(idOf(packed)) : undefined;
  if (!found) throw new UnknownForm('A text is packed in a way that this version does not know.');
  return found;
}

/** The first byte says so, and the second that a dictionary is needed. */
const isDeflate = ([first = 0, second = 0]: Uint8Array): boolean => (first & 0x0f) === 8 && (second & 0x20) !== 0;

/** What was stored before there was a dictionary, and what is in the bucket. */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;
