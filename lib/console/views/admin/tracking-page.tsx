import { call, callWithEtag } from '../../api/client.ts';
import { currentShop, href, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { CopyText } from '../../ui/copy.tsx';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { Page } from '../../ui/parts.tsx';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import { SettingsForm, type Stored, withNulls, withoutNulls } from './settings-form.tsx';

const links = ['support_url', 'privacy_url', 'imprint_url'] as const;
const switches = [
  'enabled',
  'claims_enabled',
  'show_products',
  'show_predictions',
  'ratings_enabled',
  'withdrawal_enabled',
] as const;

type Values = Record<(typeof links)[number] | 'withdrawal_days', string> & Record<(typeof switches)[number], boolean>;

async function read(): Promise<Stored<Values>> {
  const { answer, etag } = await callWithEtag('getTrackingPageSettings');
  const withdrawal_days = String(answer.withdrawal_days);
  return { values: { ...answer, withdrawal_days, ...withoutNulls(links, answer) }, etag };
}

/** As the API takes them. An empty field restores the default. */
const changed = ({ withdrawal_days, ...others }: Partial<Values>) => ({
  ...withNulls(others),
  ...(withdrawal_days !== undefined && { withdrawal_days: withdrawal_days === '' ? null : Number(withdrawal_days) }),
});

/** What is half typed is not a link yet, and no number of days. */
const draftOf = ({ withdrawal_days: _days, ...values }: Values) => ({
  ...values,
  ...Object.fromEntries(links.map((name) => [name, URL.canParse(values[name]) ? values[name] : null])),
});

export default function TrackingPageSettings() {
  const lookup = `${location.origin}/lookup/${encodeURIComponent(currentShop.value ?? '')}`;
  return (
    <Page title={t('admin.page.title')}>
      <p>
        {t('admin.page.intro')} <a href={href(inShop('/settings/palette'))}>{t('admin.page.colours')}</a>
      </p>
      <SettingsForm<Values>
        read={read}
        save={(changes, ifMatch) => call('updateTrackingPageSettings', { body: changed(changes), ifMatch })}
        needs="updateTrackingPageSettings"
        aside={(values) => <PreviewFrame draft={{ page_settings: draftOf(values) }} />}
      >
        {(form) => (
          <>
            {switches.map((name) => (
              <CheckField
                key={name}
                label={t(`admin.page.${name}`)}
                help={t(`admin.page.${name}Help`)}
                {...form.field(name)}
              />
            ))}
            <TextField
              label={t('admin.page.withdrawal_days')}
              help={t('admin.page.withdrawal_daysHelp')}
              {...form.field('withdrawal_days')}
              type="number"
              min={14}
              max={365}
            />
            {links.map((name) => (
              <TextField
                key={name}
                label={t(`admin.page.${name}`)}
                help={t(`admin.page.${name}Help`)}
                {...form.field(name)}
                type="url"
                isOptional
              />
            ))}
            <div class="field">
              <span>{t('admin.page.lookup')}</span>
              <CopyText text={lookup} />
              <p class="help">{t('admin.page.lookupHelp')}</p>
            </div>
          </>
        )}
      </SettingsForm>
    </Page>
  );
}
