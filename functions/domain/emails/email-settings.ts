import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { groupsOnFromTheStart, type MailedGroup, mailedGroups } from '#schemas/catalogues/emails.ts';

/** What a shop has decided about the e-mails to its customers. */
export interface EmailSettings {
  enabled: boolean;
  /** Null: the name of the shop. */
  sender_name: string | null;
  /** Where the answers of customers go. */
  reply_to: string | null;
  groups: Record<MailedGroup, boolean>;
}

export function toEmailSettings({ emails = {} }: StoredSettings): EmailSettings {
  const { enabled = false, sender_name = null, reply_to = null, groups = {} } = emails;
  const switches = mailedGroups.map((group) => [group, groups[group] ?? groupsOnFromTheStart.has(group)]);
  return { enabled, sender_name, reply_to, groups: Object.fromEntries(switches) as EmailSettings['groups'] };
}

/** Whether the deployment can send e-mails at all: its stage names a sender. */
export const hasSender = (): boolean => Boolean(process.env.EMAIL_FROM);
