import { retentionOf } from '#domain/privacy/retention-settings.ts';
import { retentionDue } from '#domain/privacy/retention-work.ts';
import { changePart, showPart, withResets } from '#domain/settings/change-settings.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { privacy } from '#schemas/families/privacy.ts';

type Operations = typeof privacy;

export const getRetention: Implementation<Operations['getRetention']> = (request) => showPart(request, retentionOf);

export const updateRetention: Implementation<Operations['updateRetention']> = async (request) => {
  const { shop, body, now } = request;
  const after = await changePart(
    request,
    retentionOf,
    (before) => ({ ...before, retention: withResets(before.retention, body) }),
    () => [retentionDue(shop.slug, now)],
  );
  return retentionOf(after);
};
