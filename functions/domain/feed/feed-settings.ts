import { nextVersion } from '#domain/settings/change-settings.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import type { Feed } from './blocks.ts';

/** The feed of a shop. Undefined if it is off, which is the default. */
export function feedIn(slug: string, { events }: StoredSettings): Feed | undefined {
  const { feed_enabled, generation } = events ?? {};
  return feed_enabled && generation !== undefined ? { slug, generation } : undefined;
}

/** Each time that the feed is switched on, another one begins: nobody wrote what happened while it was off. */
export function withFeed(before: StoredSettings, feed_enabled: boolean): StoredSettings {
  if (feed_enabled === (before.events?.feed_enabled ?? false)) return before;
  return {
    ...before,
    events: { ...before.events, feed_enabled, ...(feed_enabled && { generation: nextVersion(before) }) },
  };
}
