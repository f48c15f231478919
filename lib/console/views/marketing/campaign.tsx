import { type Answer, call } from '../../api/client.ts';
import type { Resource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { can } from '../../app/session.ts';
import { number, t } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { confirm } from '../../ui/confirm.tsx';
import { CheckField, SelectField, TextArea, TextField, TimeField } from '../../ui/fields.tsx';
import { type Form, FormView } from '../../ui/form.tsx';
import { languageName } from '../../ui/languages.ts';
import { Facts } from '../../ui/parts.tsx';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import { inRow, Rows } from '../../ui/rows.tsx';
import { Loaded } from '../../ui/states.tsx';
import { fullDate } from '../../ui/time.tsx';
import { effectOf } from './campaign-situation.ts';
import {
  type CampaignValues,
  fieldOf,
  newProduct,
  newTranslation,
  toBody,
  toDraft,
  toValues,
} from './campaign-values.ts';
import { CampaignState, rateOf } from './campaigns.tsx';
import { DiscountField, ImageField, LanguageField, SegmentField } from './fields.tsx';
import { act, RecordPage, RemoveButton, useRecord, useRecordForm } from './records.tsx';
import { short } from './typed-texts.ts';

type Stored = Answer<'getCampaign'>;

export default function Campaign({ params }: ViewProps) {
  const campaign = useRecord(params.uuid, (uuid, signal) =>
    call('getCampaign', { params: { uuid }, query: { untranslated: true }, signal }),
  );
  return (
    <Loaded resource={campaign} tried={t('marketing.campaigns.triedOne')}>
      {() => <CampaignForm resource={campaign} />}
    </Loaded>
  );
}

function CampaignForm({ resource }: { resource: Resource<Stored | null> }) {
  const mayChange = can('updateCampaign');
  const { form, record, onSaved, ifMatch } = useRecordForm({
    kind: 'campaigns',
    resource,
    toValues,
    fieldOf,
    isReadOnly: !mayChange,
    effect: (saved) => effectText(saved as Stored),
    create: (values) => call('createCampaign', { body: toBody(values) }),
    update: ({ uuid }, values, ifMatch) => call('updateCampaign', { params: { uuid }, body: toBody(values), ifMatch }),
  });
  const values = form.values.value;
  return (
    <RecordPage
      kind="campaigns"
      title={record ? short(record.name) : t('marketing.campaigns.new')}
      state={record && <CampaignState campaign={record} />}
      actions={record && mayChange && <Actions record={record} resource={resource} form={form} ifMatch={ifMatch} />}
    >
      {record && <Counts counts={record.counts} />}
      <div class="columns">
        <FormView
          form={form}
          tried={t('marketing.campaigns.notSaved')}
          action={record ? t('common.save') : t('marketing.campaigns.create')}
          before={() => askWhetherToRun(form, record)}
          onSaved={onSaved}
        >
          <Basics form={form} />
          <Contents form={form} />
          <Translations form={form} />
          {values.promotion_type === 'product' && <Products form={form} />}
        </FormView>
        <PreviewFrame draft={toDraft(values)} part="promotion" />
      </div>
    </RecordPage>
  );
}

/** When the campaign runs, as a sentence. */
function effectText(campaign: Pick<Stored, 'status' | 'start_date' | 'end_date'>): string {
  const { start_date, end_date } = campaign;
  return t(`marketing.campaigns.effects.${effectOf(campaign, Date.now())}`, {
    start: fullDate(start_date),
    end: end_date === null ? '' : fullDate(end_date),
  });
}

/** Dates alone do not make a campaign run. Whoever sets them is asked once. */
async function askWhetherToRun(form: Form<CampaignValues>, record: Stored | null): Promise<boolean> {
  const { enabled, start_date, end_date } = form.values.value;
  const isSame = record?.start_date === start_date && (record.end_date ?? '') === end_date;
  const isOver = end_date !== '' && Date.parse(end_date) <= Date.now();
  if (enabled || isSame || isOver || (start_date === '' && end_date === '')) return true;
  const isLater = Date.parse(start_date) > Date.now();
  const answer = await confirm({
    title: t('marketing.campaigns.askTitle'),
    text: t('marketing.campaigns.askText'),
    action: isLater
      ? t('marketing.campaigns.runFrom', { start: fullDate(start_date) })
      : t('marketing.campaigns.runNow'),
    otherwise: t('marketing.campaigns.leaveOff'),
    kind: 'main',
  });
  if (answer) form.set({ enabled: true });
  return answer !== undefined;
}

const Counts = ({ counts }: Pick<Stored, 'counts'>) => (
  <Facts
    facts={[
      [t('marketing.shown'), number(counts.shown)],
      [t('marketing.clicked'), number(counts.clicked)],
      [t('marketing.rate'), rateOf(counts)],
    ]}
  />
);

interface ActionsProps {
  record: Stored;
  resource: Resource<Stored | null>;
  form: Form<CampaignValues>;
  ifMatch: () => Promise<string | undefined>;
}

function Actions({ record, resource, form, ifMatch }: ActionsProps) {
  const { uuid, enabled, end_date, name } = record;
  /** What is typed elsewhere in the form stays, and is based on the new state. */
  const change = async (body: { enabled?: boolean; end_date?: string }, done: string) => {
    const update = async () => call('updateCampaign', { params: { uuid }, body, ifMatch: await ifMatch() });
    const isDone = await act(update, (saved) => `${done} ${effectText(saved)}`);
    await resource.reload();
    const fresh = resource.value.value;
    if (!isDone || !fresh) return;
    if (form.isChanged) form.set({ enabled: fresh.enabled, end_date: fresh.end_date ?? '' });
    else form.reset(toValues(fresh), fresh.updated_at);
    form.basedOn(fresh.updated_at);
  };
  const hasEnded = end_date !== null && Date.parse(end_date) <= Date.now();
  return (
    <>
      <Button
        onClick={() =>
          change({ enabled: !enabled }, t(enabled ? 'marketing.campaigns.disabled' : 'marketing.campaigns.enabled'))
        }
      >
        {t(enabled ? 'marketing.campaigns.disable' : 'marketing.campaigns.enable')}
      </Button>
      {!hasEnded && Date.parse(record.start_date) < Date.now() && (
        <Button onClick={() => change({ end_date: new Date().toISOString() }, t('marketing.campaigns.ended'))}>
          {t('marketing.campaigns.stop')}
        </Button>
      )}
      {can('deleteCampaign') && (
        <RemoveButton
          kind="campaigns"
          name={short(name)}
          remove={async () => call('deleteCampaign', { params: { uuid }, ifMatch: await ifMatch() })}
        />
      )}
    </>
  );
}

const types = ['basic', 'product'] as const satisfies Stored['promotion_type'][];

interface PartProps {
  form: Form<CampaignValues>;
}

const Basics = ({ form }: PartProps) => (
  <>
    <TextField
      label={t('marketing.name')}
      help={t('marketing.campaigns.nameHelp')}
      maxLength={255}
      required
      {...form.field('name')}
    />
    <div class="fields">
      <SegmentField help={t('marketing.campaigns.segmentHelp')} {...form.field('segment')} />
      <SelectField
        label={t('marketing.type')}
        options={types.map((value) => ({ value, label: t(`marketing.campaigns.types.${value}`) }))}
        {...form.field('promotion_type')}
      />
    </div>
    <div class="fields">
      <TimeField
        label={t('marketing.start')}
        help={t('marketing.campaigns.startHelp')}
        isOptional
        {...form.field('start_date')}
      />
      <TimeField
        label={t('marketing.end')}
        help={t('marketing.campaigns.endHelp')}
        isOptional
        {...form.field('end_date')}
      />
    </div>
    <CheckField
      label={t('marketing.campaigns.isEnabled')}
      help={t('marketing.campaigns.isEnabledHelp')}
      {...form.field('enabled')}
    />
  </>
);

const Contents = ({ form }: PartProps) => (
  <fieldset>
    <legend>{t('marketing.campaigns.contents')}</legend>
    <TextField label={t('marketing.headline')} isOptional maxLength={500} {...form.field('title')} />
    <TextArea
      label={t('marketing.campaigns.subtitle')}
      isOptional
      rows={2}
      maxLength={1000}
      {...form.field('subtitle')}
    />
    <div class="fields">
      <TextField label={t('marketing.campaigns.button')} isOptional maxLength={255} {...form.field('cta_label')} />
      <TextField
        label={t('marketing.campaigns.link')}
        isOptional
        type="url"
        help={t('marketing.linkHelp')}
        {...form.field('cta_url')}
      />
    </div>
    <ImageField label={t('marketing.image')} {...form.field('image_url')} />
    <div class="fields">
      <DiscountField isOptional {...form.field('discount_id')} />
      <TextField
        label={t('marketing.campaigns.code')}
        isOptional
        maxLength={255}
        help={t('marketing.campaigns.codeHelp')}
        {...form.field('discount_code')}
      />
    </div>
  </fieldset>
);

const Translations = ({ form }: PartProps) => (
  <Rows
    legend={t('marketing.translations')}
    help={t('marketing.translationsHelp')}
    rows={form.values.value.translations}
    nameOf={({ language }) => languageName(language)}
    add={t('marketing.addTranslation')}
    make={newTranslation}
    onRows={(translations) => form.set({ translations })}
    isReadOnly={form.isReadOnly}
  >
    {(row, i, change) => (
      <>
        <LanguageField {...inRow(form, 'translations', i, 'language', row.language, change)} />
        <TextField label={t('marketing.headline')} {...inRow(form, 'translations', i, 'title', row.title, change)} />
        <TextField
          label={t('marketing.campaigns.subtitle')}
          {...inRow(form, 'translations', i, 'subtitle', row.subtitle, change)}
        />
        <TextField
          label={t('marketing.campaigns.button')}
          {...inRow(form, 'translations', i, 'cta_label', row.cta_label, change)}
        />
      </>
    )}
  </Rows>
);

const Products = ({ form }: PartProps) => (
  <Rows
    legend={t('marketing.campaigns.products')}
    help={t('marketing.campaigns.productsHelp')}
    rows={form.values.value.products}
    nameOf={({ title }, i) => short(title, 40) || String(i + 1)}
    add={t('marketing.campaigns.addProduct')}
    make={newProduct}
    onRows={(products) => form.set({ products })}
    isReadOnly={form.isReadOnly}
  >
    {(row, i, change) => (
      <>
        <TextField label={t('marketing.headline')} {...inRow(form, 'products', i, 'title', row.title, change)} />
        <TextField
          label={t('marketing.campaigns.link')}
          type="url"
          isOptional
          {...inRow(form, 'products', i, 'product_url', row.product_url, change)}
        />
        <ImageField label={t('marketing.image')} {...inRow(form, 'products', i, 'image_url', row.image_url, change)} />
      </>
    )}
  </Rows>
);
