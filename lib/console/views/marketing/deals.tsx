import type { Deal } from '#schemas/families/deals.ts';
import { call } from '../../api/client.ts';
import { number, t } from '../../texts/texts.ts';
import type { Column } from '../../ui/list.tsx';
import { Time } from '../../ui/time.tsx';
import { RecordList } from './record-list.tsx';
import { short } from './typed-texts.ts';

export default function Deals() {
  return (
    <RecordList
      kind="deals"
      create="createDeal"
      read={(query, signal) => call('listDeals', { query: { ...query, untranslated: true }, signal })}
      intro={t('marketing.deals.intro')}
      name={{ title: t('marketing.headline'), textOf: ({ title }) => dealName(title) }}
      columns={columns()}
    />
  );
}

const columns = (): Column<Deal>[] => [
  { title: t('marketing.deals.rank'), cell: ({ rank }) => number(rank), isNumber: true, csv: ({ rank }) => rank },
  {
    title: t('marketing.discount'),
    cell: ({ discount }) => short(discount?.code ?? discount?.title ?? '–', 40),
    csv: ({ discount }) => discount?.code ?? discount?.title,
  },
  {
    title: t('marketing.changed'),
    cell: ({ updated_at }) => <Time at={updated_at} />,
    isMinor: true,
    csv: ({ updated_at }) => updated_at,
  },
];

export const dealName = (title: string | null): string => short(title || t('marketing.deals.unnamed'));
