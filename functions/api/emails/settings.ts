import { hasSender, toEmailSettings } from '#domain/emails/email-settings.ts';
import { changePart, showPart, withResets } from '#domain/settings/change-settings.ts';
import type { StoredEmailSettings, StoredSettings } from '#domain/settings/stored-settings.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { EmailSettings, EmailSettingsUpdate, emails } from '#schemas/families/emails.ts';

type Operations = typeof emails;

const shown = (settings: StoredSettings): EmailSettings => ({ available: hasSender(), ...toEmailSettings(settings) });

export const getEmailSettings: Implementation<Operations['getEmailSettings']> = (request) => showPart(request, shown);

export const updateEmailSettings: Implementation<Operations['updateEmailSettings']> = async (request) => {
  // Nobody would notice that nothing is sent.
  if (request.body.enabled && !hasSender()) throw new ServiceError('emails_unavailable');
  const after = await changePart(request, shown, (before) => ({
    ...before,
    emails: changed(before.emails, request.body),
  }));
  return shown(after);
};

/** A group that is left out stays as it is. */
function changed(before: StoredEmailSettings | undefined, update: EmailSettingsUpdate): StoredEmailSettings {
  const { groups, ...others } = update;
  return { ...withResets<StoredEmailSettings>(before, others), groups: withResets(before?.groups, groups ?? {}) };
}
