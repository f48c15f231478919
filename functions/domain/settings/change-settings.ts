import { contentTag } from '#platform/content-tag.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem, type Key } from '#platform/table/reads.ts';
import { type Action, commit, putVersion, retryOnConflict } from '#platform/table/writes.ts';
import { loadSettings, type StoredSettings } from './stored-settings.ts';
import { storefrontChanged } from './storefront-version.ts';

/**
 * Customers see the effect of some settings, so the storefront of the shop changes with them.
 * @param also what else the same transaction writes
 */
const changeSettings = (
  slug: string,
  change: (before: StoredSettings) => StoredSettings,
  also: (before: StoredSettings) => Action[] = () => [],
) => changeItem<StoredSettings>(keyOf.settings(slug), change, (before) => [storefrontChanged(slug), ...also(before)]);

interface Versioned {
  version?: number;
}

/**
 * Reads an item, which may not exist yet, and writes it as `change` returns it, with the writes of `also` in the same
 * transaction. If somebody else writes in between, the item is read again and `change` runs again, so that no change is
 * lost.
 */
export function changeItem<T extends Versioned>(
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
  return tagged(part(await loadSettings(shop.slug)), setEtag);
}

/**
 * Changes the settings, and refuses if the part that the caller read has changed since. Returns all settings.
 * @param also what else the same transaction writes
 */
export async function changePart<T>(
  { shop, refuseIfChanged, setEtag }: SettingsRequest,
  part: Part<T>,
  change: (before: StoredSettings) => StoredSettings,
  also?: (before: StoredSettings) => Action[],
): Promise<StoredSettings> {
  const checked = (before: StoredSettings) => {
    refuseIfChanged(contentTag(part(before)));
    return change(before);
  };
  const after = await changeSettings(shop.slug, checked, also);
  tagged(part(after), setEtag);
  return after;
}

function tagged<T>(part: T, setEtag: SettingsRequest['setEtag']): T {
  setEtag(contentTag(part));
  return part;
}
