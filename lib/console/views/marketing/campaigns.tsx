import type { CampaignStatus } from '#schemas/families/campaigns.ts';
import { type Answer, call } from '../../api/client.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { number, percent, t } from '../../texts/texts.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Column } from '../../ui/list.tsx';
import { Time } from '../../ui/time.tsx';
import { State, type Tone } from '../../ui/tone.tsx';
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
          options: statuses.map((value) => ({ value, label: word(value) })),
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
      name={{ title: t('marketing.name'), textOf: ({ name }) => short(name) }}
      columns={columns()}
    />
  );
}

const columns = (): Column<Row>[] => [
  { title: t('marketing.status'), cell: ({ status }) => <CampaignState status={status} /> },
  { title: t('marketing.segment'), cell: ({ segment }) => short(segment, 40) },
  { title: t('marketing.start'), cell: ({ start_date }) => <Time at={start_date} />, isMinor: true },
  { title: t('marketing.end'), cell: ({ end_date }) => <Time at={end_date} />, isMinor: true },
  { title: t('marketing.shown'), cell: ({ counts }) => number(counts?.shown ?? 0), isNumber: true },
  { title: t('marketing.clicked'), cell: ({ counts }) => number(counts?.clicked ?? 0), isNumber: true },
  { title: t('marketing.rate'), cell: ({ counts }) => rateOf(counts), isNumber: true },
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
