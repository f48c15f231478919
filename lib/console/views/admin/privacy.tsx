import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { askerOf } from '../../ui/author.ts';
import { type Column, Pager, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { kindWord, PrivacyTabs, RequestState } from './privacy-words.tsx';

type Request = Answer<'listPrivacyRequests'>[number];

const columns = (): Column<Request>[] => [
  {
    title: t('admin.privacy.kind'),
    cell: (one) => <RowLink to={href(inShop(`/settings/privacy/${one.uuid}`))}>{kindWord(one)}</RowLink>,
  },
  { title: t('admin.privacy.reference'), cell: ({ reference }) => <bdi>{reference ?? '–'}</bdi> },
  { title: t('admin.privacy.state'), cell: ({ status }) => <RequestState status={status} /> },
  { title: t('admin.privacy.orders'), cell: ({ orders }) => orders, isNumber: true },
  { title: t('admin.privacy.askedBy'), cell: ({ requested_by }) => <bdi>{askerOf(requested_by)}</bdi>, isMinor: true },
  { title: t('admin.privacy.askedAt'), cell: ({ created_at }) => <Time at={created_at} /> },
];

const AskLink = () =>
  can('createPrivacyRequest') ? (
    <a class="button main" href={href(inShop('/settings/privacy/new'))}>
      {t('admin.privacy.ask')}
    </a>
  ) : null;

/** What customers asked the shop about their data, and what became of it. */
export default function Privacy() {
  const page = pageOf();
  const requests = useResource(`${page}`, (signal) =>
    call('listPrivacyRequests', { query: { page, per_page: perPage }, signal }),
  );
  const isEmpty = requests.value.value?.length === 0 && page === 1;
  return (
    <Page title={t('admin.privacy.title')} actions={!isEmpty && <AskLink />}>
      <PrivacyTabs />
      <p>{t('admin.privacy.intro')}</p>
      <Loaded resource={requests} tried={t('admin.privacy.tried')}>
        {(rows) =>
          rows.length === 0 && page === 1 ? (
            <Empty title={t('admin.privacy.none')} text={t('admin.privacy.noneText')} icon="shield">
              <AskLink />
            </Empty>
          ) : (
            <>
              <Table caption={t('admin.privacy.title')} columns={columns()} rows={rows} rowKey={({ uuid }) => uuid} />
              <Pager shown={rows.length} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
