import { contentTag } from '#platform/content-tag.ts';
import type { Action } from '#platform/table/writes.ts';
import { changeSettings } from './change-settings.ts';
import { loadSettings, type StoredSettings } from './stored-settings.ts';

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
