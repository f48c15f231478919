import { contentTag } from '#platform/content-tag.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem, type Key } from '#platform/table/reads.ts';
import { type Action, commit, putVersion, retryOnConflict } from '#platform/table/writes.ts';
import { loadSettings, type StoredSettings } from './stored-settings.ts';
import { storefrontChanged } from './storefront-version.ts';

/**
 * Reads an item, which may not exist yet, and writes it as `change` returns it, with the writes of `also` in the same
 * transaction. If somebody else writes in between, the item is read again and `change` runs again, so that no change is
 * lost.
 */
export function changeItem<T extends { version?: number }>(
  key: Key,
  change: (before: Partial<T>) => T,
  also: (before: Partial<T>) => Action[] = () => [],
): Promise<T> {
  return retryOnConflict(async () => {
    const before = (await getItem<Partial<T>>(key)) ?? {};
    const after = { ...change(before), version: nextVersion(before) };
    // The settings that a shop is created with have no version yet.
    await commit([putVersion({ ...after, ...key }), ...also(before)]);
    return after;
  });
}

export const nextVersion = ({ version = 0 }: { version?: number | undefined }): number => version + 1;

/** Applies an update in which null restores the default. Defaults are not stored. */
export const withResets = <T extends object>(before: T | undefined, changes: object): T =>
  Object.fromEntries(
    Object.entries({ ...before, ...withoutUndefined(changes) }).filter(([, value]) => value !== null),
  ) as T;

const withoutUndefined = (changes: object) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

/**
 * The part of the settings that an operation shows. Its ETag depends on this part only, so that a change of the colours
 * does not refuse a change of the mappings that somebody else makes.
 */
type Part<T> = (settings: StoredSettings) => T;

interface SettingsRequest {
  shop: { slug: string };
  refuseIfChanged: (etag: string) => void;
  setEtag: (etag: string) => void;
}

export async function showPart<T>({ shop, setEtag }: SettingsRequest, part: Part<T>): Promise<T> {
  const shown = part(await loadSettings(shop.slug));
  setEtag(contentTag(shown));
  return shown;
}

/**
 * Changes the settings, and refuses if the part that the caller read has changed since. Returns all settings.
 * @param also what else the same transaction writes
 */
export async function changePart<T>(
  { shop, refuseIfChanged, setEtag }: SettingsRequest,
  part: Part<T>,
  change: (before: StoredSettings) => StoredSettings,
  also: (before: StoredSettings) => Action[] = () => [],
): Promise<StoredSettings> {
  const checked = (before: StoredSettings) => {
    refuseIfChanged(contentTag(part(before)));
    return change(before);
  };
  // Customers see the effect of some settings, so the storefront of the shop changes with them.
  const alsoWritten = (before: StoredSettings) => [storefrontChanged(shop.slug), ...also(before)];
  const after = await changeItem<StoredSettings>(keyOf.settings(shop.slug), checked, alsoWritten);
  setEtag(contentTag(part(after)));
  return after;
}
