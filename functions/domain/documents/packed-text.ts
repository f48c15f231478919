import { promisify } from 'node:util';
import { deflate, deflateSync, gunzip, gunzipSync, inflate, inflateSync } from 'node:zlib';
import { dictionaries } from './dictionary.ts';

/**
 * Texts as the table stores them: compressed, with a dictionary of what they have in common. A write costs a unit for each
 * kilobyte, twice in a transaction. Without the dictionary the order of a usual checkout has more than one, with it a
 * third of one.
 */

/** Few bytes decide about a unit of a short text, so it is worth the best compression. A long text would take too long. */
const levelOf = ({ length }: string): number => (length <= maxShort ? 9 : 6);
const maxShort = 16 * 1024;

const newest = dictionaries.at(-1)!;

export const packText = (text: string): Buffer => deflateSync(text, { dictionary: newest, level: levelOf(text) });

export const unpackText = (packed: Uint8Array): Buffer =>
  isGzip(packed) ? gunzipSync(packed) : inflateSync(packed, dictionaryOf(packed));

/** The same for long texts, in another thread. */
export const packLongText = (text: string): Promise<Buffer> =>
  promisify(deflate)(text, { dictionary: newest }) as Promise<Buffer>;

export const unpackLongText = (packed: Uint8Array): Promise<Buffer> =>
  isGzip(packed) ? promisify(gunzip)(packed) : (promisify(inflate)(packed, dictionaryOf(packed)) as Promise<Buffer>);

/** The format names the dictionary in these bytes. */
const idOf = (packed: Uint8Array): string => packed.subarray(2, 6).join();

const byId = new Map(dictionaries.map((dictionary) => [idOf(deflateSync('', { dictionary })), { dictionary }]));

/** Inflation fails if there is none. */
const dictionaryOf = (packed: Uint8Array) => byId.get(idOf(packed)) ?? {};

/** What was stored before there was a dictionary, and what is in the bucket. */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;
