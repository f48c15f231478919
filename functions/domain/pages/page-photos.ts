import { keyOf, photosPrefix } from '#platform/table/keys.ts';
import type { Key } from '#platform/table/reads.ts';
import { commit, put } from '#platform/table/writes.ts';

/**
 * The photos that forms brought, under the token of their page. They are noted before they are stored: if no claim is made
 * of the form, nothing else says whose they are.
 */
export const notePhotos = (token: string, attempt: string, image_urls: readonly string[]): Promise<void> =>
  commit([put({ ...keyOf.pagePhotos(token, attempt), image_urls })]);

/** @param items of the page */
export const photosIn = (items: readonly (Pick<Key, 'sk'> & { image_urls?: readonly string[] })[]): string[] =>
  items.flatMap(({ sk, image_urls = [] }) => (sk.startsWith(photosPrefix) ? image_urls : []));
