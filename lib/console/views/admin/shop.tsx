import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { industries, shopProviders } from '#schemas/catalogues/enumerations.ts';
import { webLink } from '#schemas/catalogues/links.ts';
import { call } from '../../api/client.ts';
import { currentShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { nameShop } from '../../app/shop-name.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import type { Form } from '../../ui/form.tsx';
import { languageOptions } from '../../ui/languages.ts';
import { Page } from '../../ui/parts.tsx';
import { textOf } from '../../ui/states.tsx';
import { SettingsForm, type Stored, withNulls, withoutNulls } from './settings-form.tsx';

const shown = [
  'name',
  'description',
  'organization',
  'language',
  'industry',
  'contact_phone',
  'shop_provider',
  'shop_faq_url',
  'shop_service_url',
] as const;

/** Only an administrator sees these. */
const addresses = ['contact_email', 'shop_url', 'shop_admin_url', 'logo_url'] as const;

type Values = Record<(typeof shown)[number] | (typeof addresses)[number], string>;

async function read(): Promise<Stored<Values>> {
  const [shop, more] = await Promise.all([call('getShop'), can('getShopAddresses') ? call('getShopAddresses') : {}]);
  return { values: { ...withoutNulls(shown, shop), ...withoutNulls(addresses, more) }, etag: shop.updated_at };
}

export default function ShopSettings() {
  const options = (group: string, values: readonly string[]) => [
    { value: '', label: t('admin.notSet') },
    ...values.map((value) => ({ value, label: wordOf(group, value) })),
  ];
  return (
    <Page title={t('admin.shop.title')}>
      <SettingsForm<Values>
        read={read}
        needs="updateShop"
        save={async (changes, ifMatch) => {
          await call('updateShop', { body: withNulls(changes), ifMatch });
          if (changes.name) nameShop(currentShop.value!, changes.name);
          return null;
        }}
      >
        {(form) => (
          <>
            <TextField label={t('admin.shop.name')} {...form.field('name')} required maxLength={255} />
            <TextArea
              label={t('admin.shop.description')}
              help={t('admin.shop.descriptionHelp')}
              {...form.field('description')}
              isOptional
            />
            <div class="fields">
              <SelectField
                label={t('admin.shop.language')}
                help={t('admin.shop.languageHelp')}
                {...form.field('language')}
                options={[{ value: '', label: t('admin.notSet') }, ...languageOptions()]}
              />
              <SelectField
                label={t('admin.shop.industry')}
                {...form.field('industry')}
                options={options('admin.industries', industries)}
              />
            </div>
            {can('getShopAddresses') && <LogoField form={form} />}
            <h2>{t('admin.shop.contact')}</h2>
            <div class="fields">
              {can('getShopAddresses') && (
                <TextField label={t('admin.shop.email')} {...form.field('contact_email')} type="email" isOptional />
              )}
              <TextField label={t('admin.shop.phone')} {...form.field('contact_phone')} isOptional />
            </div>
            <TextField label={t('admin.shop.service')} {...form.field('shop_service_url')} isOptional />
            <TextField label={t('admin.shop.faq')} {...form.field('shop_faq_url')} isOptional />
            <h2>{t('admin.shop.system')}</h2>
            <div class="fields">
              <SelectField
                label={t('admin.shop.provider')}
                {...form.field('shop_provider')}
                options={options('admin.providers', shopProviders)}
              />
              <TextField
                label={t('admin.shop.organization')}
                help={t('admin.shop.organizationHelp')}
                {...form.field('organization')}
                isOptional
              />
            </div>
            {can('getShopAddresses') && (
              <>
                <TextField label={t('admin.shop.url')} {...form.field('shop_url')} type="url" isOptional />
                <TextField
                  label={t('admin.shop.adminUrl')}
                  help={t('admin.shop.adminUrlHelp')}
                  {...form.field('shop_admin_url')}
                  type="url"
                  isOptional
                />
              </>
            )}
          </>
        )}
      </SettingsForm>
    </Page>
  );
}

/** The address of the logo, and a way to upload one. */
function LogoField({ form }: { form: Form<Values> }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isBusy = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);
  const upload = async (file: File | undefined) => {
    if (!file) return;
    isBusy.value = true;
    fault.value = undefined;
    const body = new FormData();
    body.set('image_type', 'logo');
    body.set('image', file);
    try {
      form.set({ logo_url: (await call('uploadImage', { body })).url });
    } catch (error) {
      fault.value = textOf(error);
    }
    isBusy.value = false;
    if (input.current) input.current.value = '';
  };
  const picture = webLink(form.values.value.logo_url);
  return (
    <div class="logo-field">
      {picture && <img class="logo" src={picture} alt={t('admin.shop.logoNow')} referrerpolicy="no-referrer" />}
      <div class="stack">
        <TextField
          label={t('admin.shop.logo')}
          help={t('admin.shop.logoHelp')}
          {...form.field('logo_url')}
          fault={fault.value ?? form.faultOf('logo_url')}
          type="url"
          isOptional
        />
        {!form.isReadOnly && can('uploadImage') && (
          <div class="actions">
            <label class="hidden" for={id}>
              {t('admin.shop.logoFile')}
            </label>
            <input
              id={id}
              ref={input}
              class="hidden"
              type="file"
              tabIndex={-1}
              accept="image/png,image/jpeg,image/gif,image/webp"
              onChange={(event) => upload(event.currentTarget.files?.[0])}
            />
            <Button isBusy={isBusy.value} onClick={() => input.current?.click()}>
              {t('admin.shop.logoUpload')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
