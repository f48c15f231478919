import type { CampaignStatus } from '#schemas/families/campaigns.ts';
import { type Answer, call } from '../../api/client.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { number, percent, t } from '../../texts/texts.ts';
import type { Column } from '../../ui/list.tsx';
import { now, Time } from '../../ui/time.tsx';
import { State, tones } from '../../ui/tone.tsx';
import { situationOf } from './campaign-situation.ts';
import { RecordList } from './record-list.tsx';
import { short } from './typed-texts.ts';

type Row = Answer<'searchCampaigns'>[number];

export default function Campaigns() {
  return (
    <RecordList
      kind="campaigns"
      create="createCampaign"
      read={(query, signal) => call('searchCampaigns', { query: { ...query, counts: true }, signal })}
      filters={[
        {
          name: 'status',
          label: t('marketing.status'),
          options: statuses.map((value) => ({ value, label: t(`marketing.campaigns.statuses.${value}`) })),
        },
        { name: 'segment', label: t('marketing.segment') },
      ]}
      actions={
        can('getPromotion') && (
          <a class="button" href={href(inShop('/campaigns/explain'))}>
            {t('marketing.explain.title')}
          </a>
        )
      }
      name={{ title: t('marketing.name'), textOf: ({ name }) => short(name), csv: ({ name }) => name }}
      columns={columns()}
    />
  );
}

const columns = (): Column<Row>[] => [
  {
    title: t('marketing.status'),
    cell: (row) => <CampaignState campaign={row} />,
    csv: (row) => t(`marketing.campaigns.situations.${situationOf(row, Date.now())}`),
  },
  { title: t('marketing.segment'), cell: ({ segment }) => short(segment, 40), csv: ({ segment }) => segment },
  {
    title: t('marketing.start'),
    cell: ({ start_date }) => <Time at={start_date} isFull />,
    csv: ({ start_date }) => start_date,
  },
  { title: t('marketing.end'), cell: ({ end_date }) => <Time at={end_date} isFull />, csv: ({ end_date }) => end_date },
  {
    title: t('marketing.shown'),
    cell: ({ counts }) => number(counts?.shown ?? 0),
    isNumber: true,
    csv: ({ counts }) => counts?.shown ?? 0,
  },
  {
    title: t('marketing.clicked'),
    cell: ({ counts }) => number(counts?.clicked ?? 0),
    isNumber: true,
    csv: ({ counts }) => counts?.clicked ?? 0,
  },
  { title: t('marketing.rate'), cell: ({ counts }) => rateOf(counts), isNumber: true },
];

const statuses = ['active', 'scheduled', 'paused', 'inactive'] as const satisfies CampaignStatus[];

export function CampaignState({ campaign }: { campaign: Parameters<typeof situationOf>[0] }) {
  const situation = situationOf(campaign, now.value);
  return (
    <State tone={tones.campaign[situation]} icon={situation === 'testing' ? 'split' : undefined}>
      {t(`marketing.campaigns.situations.${situation}`)}
    </State>
  );
}

/** How many of those who saw it followed its link. */
export function rateOf(counts: { shown: number; clicked: number } | undefined): string {
  if (!counts || counts.shown === 0) return '–';
  return percent(counts.clicked / counts.shown);
}
