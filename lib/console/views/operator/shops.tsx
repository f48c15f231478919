import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { TextInput } from '../../ui/fields.tsx';
import { Filters, filter, Pager, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

export default function Shops() {
  const page = pageOf();
  const search = filter('search');
  const shops = useResource(`${page} ${search}`, (signal) =>
    call('searchShops', { query: { page, per_page: perPage, search }, signal }),
  );
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
                columns={[
                  {
                    title: t('operator.shops.name'),
                    cell: ({ slug, name }) => (
                      <RowLink to={href(`/s/${encodeURIComponent(slug)}/overview`)}>
                        <bdi>{name}</bdi>
                      </RowLink>
                    ),
                  },
                  { title: t('operator.shops.slug'), cell: ({ slug }) => <code>{slug}</code> },
                  {
                    title: t('operator.shops.organization'),
                    cell: ({ organization }) => <bdi>{organization ?? '–'}</bdi>,
                    isMinor: true,
                  },
                  { title: t('operator.shops.created'), cell: ({ created_at }) => <Time at={created_at} /> },
                ]}
              />
              <Pager shown={rows.length} />
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
        <Empty title={t('list.nothing')} text={t('list.nothingText')} icon="grid" />
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
