import { withFeed } from '#domain/feed/feed-settings.ts';
import { changePart, showPart } from '#domain/settings/change-settings.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { EventSettings, feed } from '#schemas/families/feed.ts';

type Operations = typeof feed;

const shown = ({ events }: StoredSettings): EventSettings => ({ feed_enabled: events?.feed_enabled ?? false });

export const getEventSettings: Implementation<Operations['getEventSettings']> = (request) => showPart(request, shown);

export const updateEventSettings: Implementation<Operations['updateEventSettings']> = async (request) => {
  const { feed_enabled } = request.body;
  const after = await changePart(request, shown, (before) =>
    feed_enabled == null ? before : withFeed(before, feed_enabled),
  );
  return shown(after);
};
