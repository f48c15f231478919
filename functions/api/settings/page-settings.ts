import { hasSender } from '#domain/emails/email-settings.ts';
import { changePart, showPart, withResets } from '#domain/settings/change-settings.ts';
import { toPageSettings } from '#domain/settings/page-settings.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { settings } from '#schemas/families/settings.ts';

/**
 * Here and not with the pages, so that the function that anybody may call writes nothing that lies with a shop.
 */
export const getTrackingPageSettings: Implementation<typeof settings.getTrackingPageSettings> = (request) =>
  showPart(request, toPageSettings);

export const updateTrackingPageSettings: Implementation<typeof settings.updateTrackingPageSettings> = async (
  request,
) => {
  // A withdrawal has to be acknowledged by e-mail.
  if (request.body.withdrawal_enabled && !hasSender()) throw new ServiceError('emails_unavailable');
  const after = await changePart(request, toPageSettings, (before) => ({
    ...before,
    tracking_page: withResets(before.tracking_page, request.body),
  }));
  return toPageSettings(after);
};
