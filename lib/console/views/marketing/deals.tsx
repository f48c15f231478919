import type { Deal } from '#schemas/families/deals.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { number, t } from '../../texts/texts.ts';
import { pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ListOf, NewLink, pathOf } from './records.tsx';
import { short } from './typed-texts.ts';

export default function Deals() {
  const page = pageOf();
  const query = { page, per_page: perPage, untranslated: true };
  const deals = useResource(JSON.stringify(query), (signal) => call('listDeals', { query, signal }));
  return (
    <Page title={t('marketing.deals.title')} actions={can('createDeal') && <NewLink kind="deals" />}>
      <p class="muted">{t('marketing.deals.intro')}</p>
      <Loaded resource={deals} tried={t('marketing.deals.tried')}>
        {(rows) => (
          <ListOf kind="deals" rows={rows} isNarrowed={page > 1} mayCreate={can('createDeal')}>
            <Table caption={t('marketing.deals.title')} columns={columns()} rows={rows} rowKey={({ uuid }) => uuid} />
          </ListOf>
        )}
      </Loaded>
    </Page>
  );
}

const columns = () => [
  {
    title: t('marketing.headline'),
    cell: ({ uuid, title }: Deal) => <RowLink to={href(pathOf('deals', uuid))}>{dealName(title)}</RowLink>,
  },
  { title: t('marketing.deals.rank'), cell: ({ rank }: Deal) => number(rank), isNumber: true },
  { title: t('marketing.discount'), cell: ({ discount }: Deal) => short(discount?.code ?? discount?.title ?? '–', 40) },
  { title: t('marketing.changed'), cell: ({ updated_at }: Deal) => <Time at={updated_at} />, isMinor: true },
];

export const dealName = (title: string | null): string => short(title || t('marketing.deals.unnamed'));
