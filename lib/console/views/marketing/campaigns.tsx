import type { CampaignStatus } from '#schemas/families/campaigns.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { number, percent, t } from '../../texts/texts.ts';
import { SelectField, TextInput } from '../../ui/fields.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Filters, filter, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State, type Tone } from '../../ui/tone.tsx';
import { ListOf, NewLink, pathOf } from './records.tsx';
import { short } from './typed-texts.ts';

type Row = Answer<'searchCampaigns'>[number];

export default function Campaigns() {
  const page = pageOf();
  const [status, segment] = [filter('status'), filter('segment')];
  const query = { page, per_page: perPage, counts: true, status, segment };
  const campaigns = useResource(JSON.stringify(query), (signal) => call('searchCampaigns', { query, signal }));
  return (
    <Page
      title={t('marketing.campaigns.title')}
      actions={
        <>
          {can('getPromotion') && (
            <a class="button" href={href(inShop('/campaigns/explain'))}>
              {t('marketing.explain.title')}
            </a>
          )}
          {can('createCampaign') && <NewLink kind="campaigns" />}
        </>
      }
    >
      <Filters names={['status', 'segment']}>
        <SelectField
          label={t('marketing.status')}
          name="status"
          value={status}
          onValue={() => {}}
          options={[
            { value: '', label: t('common.all') },
            ...statuses.map((one) => ({ value: one, label: word(one) })),
          ]}
        />
        <TextInput label={t('marketing.segment')} name="segment" defaultValue={segment} key={segment} />
      </Filters>
      <Loaded resource={campaigns} tried={t('marketing.campaigns.tried')}>
        {(rows) => (
          <ListOf
            kind="campaigns"
            rows={rows}
            isNarrowed={page > 1 || status !== '' || segment !== ''}
            mayCreate={can('createCampaign')}
          >
            <Table
              caption={t('marketing.campaigns.title')}
              columns={columns()}
              rows={rows}
              rowKey={({ uuid }) => uuid}
            />
          </ListOf>
        )}
      </Loaded>
    </Page>
  );
}

const columns = () => [
  {
    title: t('marketing.name'),
    cell: ({ uuid, name }: Row) => <RowLink to={href(pathOf('campaigns', uuid))}>{short(name)}</RowLink>,
  },
  { title: t('marketing.status'), cell: ({ status }: Row) => <CampaignState status={status} /> },
  { title: t('marketing.segment'), cell: ({ segment }: Row) => short(segment, 40) },
  { title: t('marketing.start'), cell: ({ start_date }: Row) => <Time at={start_date} />, isMinor: true },
  { title: t('marketing.end'), cell: ({ end_date }: Row) => <Time at={end_date} />, isMinor: true },
  { title: t('marketing.shown'), cell: ({ counts }: Row) => number(counts?.shown ?? 0), isNumber: true },
  { title: t('marketing.clicked'), cell: ({ counts }: Row) => number(counts?.clicked ?? 0), isNumber: true },
  { title: t('marketing.rate'), cell: ({ counts }: Row) => rateOf(counts), isNumber: true },
];

const statuses = ['active', 'scheduled', 'paused', 'inactive'] as const satisfies CampaignStatus[];
const tones: Record<CampaignStatus, Tone> = {
  active: 'arrived',
  scheduled: 'moving',
  paused: 'arrived',
  inactive: 'quiet',
};

const word = (status: CampaignStatus) => t(`marketing.campaigns.statuses.${status}`);

const icons: Partial<Record<CampaignStatus, IconName>> = { scheduled: 'clock', paused: 'gift', inactive: 'close' };

export const CampaignState = ({ status }: { status: CampaignStatus }) => (
  <State tone={tones[status]} icon={icons[status]}>
    {word(status)}
  </State>
);

/** How many of those who saw it followed its link. */
export function rateOf(counts: { shown: number; clicked: number } | undefined): string {
  if (!counts || counts.shown === 0) return '–';
  return percent(counts.clicked / counts.shown);
}
