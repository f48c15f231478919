import { shopProviders } from '#schemas/catalogues/enumerations.ts';
import { call } from '../../api/client.ts';
import { go } from '../../app/router.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { languageOptions } from '../../ui/languages.ts';
import { notify } from '../../ui/notices.tsx';
import { Page } from '../../ui/parts.tsx';

/** A slug that a name suggests: letters and digits, with hyphens between them. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100);

export default function NewShop() {
  const form = useForm({
    initial: { name: '', slug: '', language: 'en', shop_provider: '', organization: '', carriers_enabled: true },
    save: ({ carriers_enabled, shop_provider, organization, language, ...values }) =>
      call('createShop', {
        body: {
          ...values,
          language: language as 'en',
          shop_provider: (shop_provider || null) as 'api' | null,
          organization: organization || null,
          settings: { carriers_enabled } as never,
        },
      }),
  });
  const { name, slug } = form.values.value;
  return (
    <Page title={t('operator.newShop.title')} up={{ path: '/operator/shops', label: t('operator.shops.title') }}>
      <FormView
        form={form}
        tried={t('operator.newShop.tried')}
        action={t('operator.newShop.create')}
        onSaved={() => {
          notify(t('operator.newShop.created', { name }));
          go(`/s/${encodeURIComponent(slug)}/settings/api-keys`, { force: true });
        }}
      >
        <TextField
          label={t('operator.shops.name')}
          {...form.field('name')}
          // The slug follows the name until somebody writes another one.
          onValue={(next) => form.set({ name: next, ...(slug === slugOf(name) && { slug: slugOf(next) }) })}
          required
          maxLength={255}
        />
        <TextField
          label={t('operator.shops.slug')}
          help={t('operator.newShop.slugHelp')}
          {...form.field('slug')}
          required
          maxLength={100}
        />
        <div class="fields">
          <SelectField
            label={t('admin.shop.language')}
            help={t('admin.shop.languageHelp')}
            {...form.field('language')}
            options={languageOptions()}
          />
          <SelectField
            label={t('admin.shop.provider')}
            {...form.field('shop_provider')}
            options={[
              { value: '', label: t('admin.notSet') },
              ...shopProviders.map((value) => ({ value, label: wordOf('admin.providers', value) })),
            ]}
          />
        </div>
        <TextField
          label={t('admin.shop.organization')}
          help={t('admin.shop.organizationHelp')}
          {...form.field('organization')}
          isOptional
        />
        <CheckField
          label={t('admin.services.updates')}
          help={t('operator.newShop.updatesHelp')}
          {...form.field('carriers_enabled')}
        />
      </FormView>
    </Page>
  );
}
