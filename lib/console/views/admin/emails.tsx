import type { MailedGroup } from '#schemas/catalogues/emails.ts';
import { emailLimits } from '#schemas/catalogues/limits.ts';
import type { EmailSettingsUpdate } from '#schemas/families/emails.ts';
import { call, callWithEtag } from '../../api/client.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { EmailTabs } from '../../ui/email-tabs.tsx';
import { groupText } from '../../ui/event-refs.ts';
import { CheckField, TextField } from '../../ui/fields.tsx';
import type { Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/parts.tsx';
import {
  changedGroups,
  countOn,
  type EmailSection,
  emailSectionNames,
  emailSections,
  type Switches,
} from './email-groups.ts';
import { EmailPreview } from './email-preview.tsx';
import { SettingsForm, type Stored, withNulls, withoutNulls } from './settings-form.tsx';

const texts = ['sender_name', 'reply_to'] as const;

interface Values {
  /** Whether the deployment can send e-mails. Nobody changes it here. */
  available: boolean;
  enabled: boolean;
  sender_name: string;
  reply_to: string;
  groups: Switches;
}

async function read(): Promise<Stored<Values>> {
  const { answer, etag } = await callWithEtag('getEmailSettings');
  return { values: { ...answer, ...withoutNulls(texts, answer) }, etag };
}

function save({ groups, ...changes }: Partial<Values>, before: Values, ifMatch: string | undefined) {
  const body = { ...withNulls(changes), ...(groups && { groups: changedGroups(before.groups, groups) }) };
  return call('updateEmailSettings', { body: body as EmailSettingsUpdate, ifMatch });
}

/** What customers get from now on. */
function effectOf({ available, enabled, groups }: Values): string {
  const count = countOn(groups);
  if (!available) return t('admin.emails.savedUnavailable');
  if (!enabled) return t('admin.emails.savedOff');
  return count === 0 ? t('admin.emails.savedNothing') : t('admin.emails.savedOn', { count });
}

/** Which e-mails the customers of the shop get, and how they look. */
export default function EmailSettings() {
  return (
    <Page title={t('admin.emails.title')}>
      <EmailTabs />
      <p>
        {t('admin.emails.intro')} <a href={href(inShop('/settings/palette'))}>{t('admin.emails.colours')}</a>
      </p>
      <SettingsForm<Values>
        read={read}
        save={(changes, ifMatch, { before }) => save(changes, before, ifMatch)}
        needs="updateEmailSettings"
        effect={effectOf}
        aside={(values) => <EmailPreview {...values} mayTest={values.available && can('sendTestEmail')} />}
      >
        {(form) => (
          <>
            {!form.values.value.available && <Unavailable />}
            <CheckField
              label={t('admin.emails.enabled')}
              help={t('admin.emails.enabledHelp')}
              {...form.field('enabled')}
              // What is on can be switched off, whatever became of the sender.
              isReadOnly={form.isReadOnly || !(form.values.value.available || form.values.value.enabled)}
            />
            <TextField
              label={t('admin.emails.sender')}
              help={t('admin.emails.senderHelp')}
              {...form.field('sender_name')}
              maxLength={emailLimits.nameCharacters}
              isOptional
            />
            <TextField
              label={t('admin.emails.replyTo')}
              help={t('admin.emails.replyToHelp')}
              {...form.field('reply_to')}
              type="email"
              isOptional
            />
            <h2>{t('admin.emails.groups')}</h2>
            <p class="help">{t('admin.emails.groupsHelp')}</p>
            {emailSectionNames.map((section) => (
              <Groups key={section} section={section} form={form} />
            ))}
          </>
        )}
      </SettingsForm>
    </Page>
  );
}

/** The shop can do nothing about it, so it says who can. */
const Unavailable = () => (
  <div class="card email-unavailable">
    <Icon name="warning" />
    <div class="stack tight">
      <p>
        <strong>{t('admin.emails.unavailable')}</strong>
      </p>
      <p>{t('admin.emails.unavailableText')}</p>
    </div>
  </div>
);

function Groups({ section, form }: { section: EmailSection; form: Form<Values> }) {
  const { groups } = form.values.value;
  return (
    <fieldset class="email-groups">
      <legend>{t(`admin.emails.sections.${section}`)}</legend>
      {emailSections[section].map((group: MailedGroup) => (
        <CheckField
          key={group}
          name={`groups.${group}`}
          label={groupText(group)}
          value={groups[group]}
          isReadOnly={form.isReadOnly}
          fault={form.faultOf(`groups.${group}`)}
          onValue={(isOn) => form.set({ groups: { ...form.values.value.groups, [group]: isOn } })}
        />
      ))}
    </fieldset>
  );
}
