import { call, callWithEtag } from '../../api/client.ts';
import { currentShop, href, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { CopyText } from '../../ui/copy.tsx';
import { CheckField, TextField } from '../../ui/fields.tsx';
import { Page } from '../../ui/parts.tsx';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import { SettingsForm, type Stored, withNulls, withoutNulls } from './settings-form.tsx';

const links = ['support_url', 'privacy_url', 'imprint_url'] as const;
const switches = ['enabled', 'claims_enabled', 'show_products', 'ratings_enabled'] as const;

type Values = Record<(typeof links)[number], string> & Record<(typeof switches)[number], boolean>;

async function read(): Promise<Stored<Values>> {
  const { answer, etag } = await callWithEtag('getTrackingPageSettings');
  return { values: { ...answer, ...withoutNulls(links, answer) }, etag };
}

/** What is half typed is not a link yet. */
const draftOf = (values: Values) => ({
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
        save={(changes, ifMatch) => call('updateTrackingPageSettings', { body: withNulls(changes), ifMatch })}
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
