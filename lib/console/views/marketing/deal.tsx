import type { Deal as Stored } from '#schemas/families/deals.ts';
import type { PageDraft } from '#schemas/families/pages.ts';
import { call } from '../../api/client.ts';
import type { Resource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { TextArea, TextField } from '../../ui/fields.tsx';
import { FormView } from '../../ui/form.tsx';
import { languageName } from '../../ui/languages.ts';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import { inRow, Rows } from '../../ui/rows.tsx';
import { Loaded } from '../../ui/states.tsx';
import { dealName } from './deals.tsx';
import { DiscountField, ImageField, LanguageField } from './fields.tsx';
import { only, RecordPage, RemoveButton, useRecord, useRecordForm } from './records.tsx';
import { linkOrNull, orNull } from './typed-texts.ts';

export default function Deal({ params }: ViewProps) {
  const deal = useRecord(params.uuid, async (uuid, signal) =>
    only(await call('listDeals', { query: { uuid, untranslated: true }, signal })),
  );
  return (
    <Loaded resource={deal} tried={t('marketing.deals.triedOne')}>
      {() => <DealForm resource={deal} />}
    </Loaded>
  );
}

interface Translation {
  language: string;
  title: string;
  description: string;
  /** Texts under other names, which this form does not show and keeps. */
  others: Record<string, string>;
}

interface Values {
  discount_id: string;
  title: string;
  description: string;
  cta_url: string;
  brand_image_url: string;
  brand_logo_url: string;
  rank: string;
  translations: Translation[];
}

const toValues = (deal: Stored | null): Values => ({
  discount_id: deal?.discount_id ?? '',
  title: deal?.title ?? '',
  description: deal?.description ?? '',
  cta_url: deal?.cta_url ?? '',
  brand_image_url: deal?.brand_image_url ?? '',
  brand_logo_url: deal?.brand_logo_url ?? '',
  rank: deal ? String(deal.rank) : '',
  translations: (deal?.translations ?? []).map(({ language, data }) => {
    const { title = '', description = '', ...others } = data;
    return { language, title, description, others };
  }),
});

function toBody(values: Values, link: (text: string) => string | null) {
  const { title, description, cta_url, brand_image_url, brand_logo_url, translations } = values;
  return {
    title: orNull(title),
    description: orNull(description),
    cta_url: link(cta_url),
    brand_image_url: link(brand_image_url),
    brand_logo_url: link(brand_logo_url),
    translations: translations.map(({ language, others, ...texts }) => ({
      language,
      data: { ...others, ...filled(texts) },
    })),
  };
}

const filled = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''));

const toRequest = (values: Values) => ({ ...toBody(values, orNull), discount_id: values.discount_id });

const toDraft = (values: Values): Partial<PageDraft> => ({
  deals: [{ ...toBody(values, linkOrNull), discount_id: orNull(values.discount_id) }],
});

function DealForm({ resource }: { resource: Resource<Stored | null> }) {
  const mayChange = can('updateDeal');
  const { form, record, onSaved, ifMatch } = useRecordForm<Stored, Values>({
    kind: 'deals',
    resource,
    toValues,
    isReadOnly: !mayChange,
    fieldOf: (place) => place.replace('.data.', '.'),
    create: (values) => call('createDeal', { body: toRequest(values) }),
    update: ({ uuid }, values, ifMatch) =>
      call('updateDeal', {
        params: { deal_id: uuid },
        body: { ...toRequest(values), ...(values.rank !== '' && { rank: Number(values.rank) }) },
        ifMatch,
      }),
  });
  return (
    <RecordPage
      kind="deals"
      title={record ? dealName(record.title) : t('marketing.deals.new')}
      actions={
        record &&
        can('deleteDeal') && (
          <RemoveButton
            kind="deals"
            name={dealName(record.title)}
            remove={async () => call('deleteDeal', { params: { deal_id: record.uuid }, ifMatch: await ifMatch() })}
          />
        )
      }
    >
      <div class="columns">
        <FormView
          form={form}
          tried={t('marketing.deals.notSaved')}
          action={record ? t('common.save') : t('marketing.deals.create')}
          onSaved={onSaved}
        >
          <DiscountField {...form.field('discount_id')} />
          <TextField label={t('marketing.headline')} isOptional maxLength={500} {...form.field('title')} />
          <TextArea
            label={t('marketing.deals.description')}
            isOptional
            rows={3}
            maxLength={5000}
            {...form.field('description')}
          />
          <TextField
            label={t('marketing.deals.link')}
            isOptional
            type="url"
            help={t('marketing.linkHelp')}
            {...form.field('cta_url')}
          />
          <ImageField label={t('marketing.image')} {...form.field('brand_image_url')} />
          <ImageField label={t('marketing.deals.logo')} {...form.field('brand_logo_url')} />
          {record && (
            <TextField
              label={t('marketing.deals.rank')}
              help={t('marketing.deals.rankHelp')}
              type="number"
              min={0}
              {...form.field('rank')}
            />
          )}
          <Rows
            legend={t('marketing.translations')}
            help={t('marketing.translationsHelp')}
            rows={form.values.value.translations}
            nameOf={({ language }) => languageName(language)}
            add={t('marketing.addTranslation')}
            make={() => ({ language: 'de', title: '', description: '', others: {} })}
            onRows={(translations) => form.set({ translations })}
            isReadOnly={form.isReadOnly}
          >
            {(row, i, change) => (
              <>
                <LanguageField {...inRow(form, 'translations', i, 'language', row.language, change)} />
                <TextField
                  label={t('marketing.headline')}
                  {...inRow(form, 'translations', i, 'title', row.title, change)}
                />
                <TextArea
                  label={t('marketing.deals.description')}
                  rows={2}
                  {...inRow(form, 'translations', i, 'description', row.description, change)}
                />
              </>
            )}
          </Rows>
        </FormView>
        <PreviewFrame draft={toDraft(form.values.value)} part="deals" />
      </div>
    </RecordPage>
  );
}
