import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { ExportButton } from '../../ui/export-button.tsx';
import { TextInput } from '../../ui/fields.tsx';
import { type Column, Filters, filter, Pager, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

const columns = (): Column<Answer<'searchShops'>[number]>[] => [
  {
    title: t('operator.shops.name'),
    cell: ({ slug, name }) => (
      <RowLink to={href(`/s/${encodeURIComponent(slug)}/overview`)}>
        <bdi>{name}</bdi>
      </RowLink>
    ),
    csv: ({ name }) => name,
  },
  { title: t('operator.shops.slug'), cell: ({ slug }) => <code>{slug}</code>, csv: ({ slug }) => slug },
  {
    title: t('operator.shops.organization'),
    cell: ({ organization }) => <bdi>{organization ?? '–'}</bdi>,
    isMinor: true,
    csv: ({ organization }) => organization,
  },
  {
    title: t('operator.shops.created'),
    cell: ({ created_at }) => <Time at={created_at} />,
    csv: ({ created_at }) => created_at,
  },
];

export default function Shops() {
  const page = pageOf();
  const search = filter('search');
  const read = (at: number, per_page: number, signal: AbortSignal) =>
    call('searchShops', { query: { page: at, per_page, search }, signal });
  const shops = useResource(`${page} ${search}`, (signal) => read(page, perPage, signal));
  const create = (
    <a class="button main" href={href('/operator/shops/new')}>
      {t('operator.newShop.title')}
    </a>
  );
  return (
    <Page title={t('operator.shops.title')} actions={create}>
      <Filters names={['search']}>
        <TextInput label={t('operator.shops.search')} name="search" type="search" value={search} maxLength={255} />
      </Filters>
      <Loaded resource={shops} tried={t('operator.shops.tried')}>
        {(rows) =>
          rows.length === 0 ? (
            <NoShops search={search} page={page} />
          ) : (
            <>
              <Table
                caption={t('operator.shops.title')}
                isBusy={shops.isLoading.value}
                rows={rows}
                rowKey={({ uuid }) => uuid}
                columns={columns()}
              />
              <div class="list-foot">
                <Pager shown={rows.length} />
                <ExportButton name="shops" columns={columns()} read={read} />
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function NoShops({ search, page }: { search: string; page: number }) {
  if (page > 1) {
    return (
      <>
        <Empty title={t('results.nothing')} text={t('results.nothingText')} icon="grid" />
        <Pager shown={0} />
      </>
    );
  }
  return search === '' ? (
    <Empty title={t('operator.shops.none')} text={t('operator.shops.noneText')} icon="grid">
      <a class="button main" href={href('/operator/shops/new')}>
        {t('operator.newShop.title')}
      </a>
    </Empty>
  ) : (
    <Empty title={t('operator.shops.notFound')} text={t('operator.shops.notFoundText', { search })} icon="grid" />
  );
}
