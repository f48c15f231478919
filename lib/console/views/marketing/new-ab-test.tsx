import { everybody } from '#schemas/catalogues/enumerations.ts';
import type { AbTestCreate } from '#schemas/families/ab-tests.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { go } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { SelectField, TextField, TimeField } from '../../ui/fields.tsx';
import { FormView, useForm } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { notify } from '../../ui/notices.tsx';
import { inRow, Rows } from '../../ui/rows.tsx';
import { Loaded } from '../../ui/states.tsx';
import { fullDate } from '../../ui/time.tsx';
import { warningsOf } from './ab-test-warnings.ts';
import { situationOf } from './campaign-situation.ts';
import { SegmentField } from './fields.tsx';
import { pathOf, RecordPage } from './records.tsx';
import { orNull, short } from './typed-texts.ts';

interface Variant {
  campaign_id: string;
  allocation: string;
}

interface Values {
  name: string;
  segment: string;
  campaign_type: string;
  campaigns: Variant[];
  holdout: string;
  start_date: string;
  end_date: string;
}

const initial: Values = {
  name: '',
  segment: everybody,
  campaign_type: 'basic',
  campaigns: [
    { campaign_id: '', allocation: '50' },
    { campaign_id: '', allocation: '50' },
  ],
  holdout: '0',
  start_date: '',
  end_date: '',
};

function toBody(values: Values) {
  const holdout = Number(values.holdout) || 0;
  return {
    name: values.name.trim(),
    segment: values.segment.trim(),
    campaign_type: values.campaign_type as AbTestCreate['campaign_type'],
    campaigns: values.campaigns.map(({ campaign_id, allocation }) => ({
      campaign_id,
      allocation: Number(allocation) || 0,
    })),
    has_holdout: holdout > 0,
    holdout_percentage: holdout,
    start_date: orNull(values.start_date),
    end_date: orNull(values.end_date),
  };
}

export default function NewAbTest() {
  const campaigns = useResource('campaigns', (signal) => call('searchCampaigns', { query: { per_page: 100 }, signal }));
  const form = useForm<Values>({
    initial,
    save: (values) => call('createAbTest', { body: toBody(values) }),
    fieldOf: (place) => (place === 'holdout_percentage' ? 'holdout' : place),
  });
  const { campaigns: variants, campaign_type, holdout } = form.values.value;
  const total = variants.reduce((sum, { allocation }) => sum + (Number(allocation) || 0), Number(holdout) || 0);
  return (
    <RecordPage kind="abTests" title={t('marketing.abTests.new')}>
      <Loaded resource={campaigns} tried={t('marketing.campaigns.tried')}>
        {(found) => (
          <FormView
            form={form}
            tried={t('marketing.abTests.notSaved')}
            action={t('marketing.abTests.create')}
            onSaved={() => {
              notify(t('marketing.abTests.saved'));
              go(pathOf('abTests'));
            }}
          >
            <TextField label={t('marketing.name')} maxLength={255} required {...form.field('name')} />
            <div class="fields">
              <SegmentField help={t('marketing.abTests.segmentHelp')} {...form.field('segment')} />
              <SelectField
                label={t('marketing.type')}
                options={(['basic', 'product'] as const).map((value) => ({
                  value,
                  label: t(`marketing.campaigns.types.${value}`),
                }))}
                {...form.field('campaign_type')}
              />
            </div>
            <Rows
              legend={t('marketing.abTests.variants')}
              help={t('marketing.abTests.variantsHelp', { total })}
              fault={form.faultOfList('campaigns')}
              rows={variants}
              nameOf={(_, i) => String(i + 1)}
              add={t('marketing.abTests.addVariant')}
              make={() => ({ campaign_id: '', allocation: '0' })}
              onRows={(rows) => form.set({ campaigns: rows })}
              isReadOnly={false}
              max={20}
            >
              {(row, i, change) => (
                <div class="fields">
                  <SelectField
                    {...inRow(form, 'campaigns', i, 'campaign_id', row.campaign_id, change)}
                    label={t('marketing.campaigns.one')}
                    options={[
                      { value: '', label: t('marketing.choose') },
                      ...found
                        .filter(({ promotion_type }) => promotion_type === campaign_type)
                        .map((one) => ({ value: one.uuid, label: `${short(one.name)} (${situationWord(one)})` })),
                    ]}
                  />
                  <TextField
                    {...inRow(form, 'campaigns', i, 'allocation', row.allocation, change)}
                    label={t('marketing.abTests.allocation')}
                    type="number"
                    min={0}
                    max={100}
                  />
                </div>
              )}
            </Rows>
            <Warnings values={form.values.value} campaigns={found} />
            <TextField
              label={t('marketing.abTests.holdout')}
              help={t('marketing.abTests.holdoutHelp')}
              type="number"
              min={0}
              max={100}
              {...form.field('holdout')}
            />
            <div class="fields">
              <TimeField
                label={t('marketing.start')}
                help={t('marketing.abTests.startHelp')}
                isOptional
                {...form.field('start_date')}
              />
              <TimeField
                label={t('marketing.end')}
                help={t('marketing.abTests.endHelp')}
                isOptional
                {...form.field('end_date')}
              />
            </div>
          </FormView>
        )}
      </Loaded>
    </RecordPage>
  );
}

type Known = Answer<'searchCampaigns'>[number];

const situationWord = (campaign: Known): string =>
  t(`marketing.campaigns.situations.${situationOf(campaign, Date.now())}`);

/** What the test would do to campaigns, before it is saved. */
function Warnings({ values, campaigns }: { values: Values; campaigns: readonly Known[] }) {
  const { segment, start_date, end_date } = values;
  const campaign_ids = values.campaigns.map(({ campaign_id }) => campaign_id);
  if (campaign_ids.every((id) => id === '')) return null;
  const warnings = warningsOf({ segment, campaign_ids, start_date, end_date }, campaigns, Date.now());
  if (warnings.length === 0) return null;
  return (
    <section class="card stack" role="status" aria-label={t('marketing.abTests.effects')}>
      <h3>{t('marketing.abTests.effects')}</h3>
      <ul class="stack">
        {warnings.map(({ kind, campaign }) => (
          <li key={campaign.uuid}>
            <Icon name="warning" />{' '}
            {t(`marketing.abTests.warnings.${kind}`, {
              name: short(campaign.name),
              segment: short(segment, 40),
              date: fullDate(kind === 'over' ? campaign.end_date! : campaign.start_date),
            })}
          </li>
        ))}
      </ul>
    </section>
  );
}
