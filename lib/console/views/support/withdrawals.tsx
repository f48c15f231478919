import { withdrawalStatuses } from '#schemas/catalogues/enumerations.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href, inShop } from '../../app/router.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { type Column, Filters, filter, Pager, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { WithdrawalState, type WithdrawalStatus } from './withdrawal-state.tsx';

type Withdrawal = Answer<'searchWithdrawals'>['withdrawals'][number];

const columns = (): Column<Withdrawal>[] => [
  {
    title: t('support.withdrawals.order'),
    cell: ({ uuid, order_number }) => (
      <RowLink to={href(inShop(`/withdrawals/${uuid}`))}>
        <bdi>{order_number}</bdi>
      </RowLink>
    ),
  },
  { title: t('support.withdrawals.status'), cell: ({ status }) => <WithdrawalState status={status} /> },
  { title: t('support.customer.name'), cell: ({ name }) => (name ? <bdi>{name}</bdi> : '–') },
  { title: t('support.withdrawals.declared'), cell: ({ declared_at }) => <Time at={declared_at} /> },
];

/** What customers withdrew from, newest first. */
export default function Withdrawals() {
  const page = pageOf();
  const status = filter('status') as WithdrawalStatus | '';
  const withdrawals = useResource(`${page} ${status}`, async (signal) => {
    const query = { page, per_page: perPage, ...(status && { status }) };
    return (await call('searchWithdrawals', { query, signal })).withdrawals;
  });
  return (
    <Page title={t('support.withdrawals.title')}>
      <Filters names={['status']}>
        <label class="field">
          <span>{t('support.withdrawals.status')}</span>
          <select name="status">
            <option value="">{t('common.all')}</option>
            {withdrawalStatuses.map((value) => (
              <option key={value} value={value} selected={value === status}>
                {wordOf('support.withdrawals.statuses', value)}
              </option>
            ))}
          </select>
        </label>
      </Filters>
      <Loaded resource={withdrawals} tried={t('support.withdrawals.tried')}>
        {(rows) =>
          rows.length === 0 && page === 1 ? (
            <Empty title={t('support.withdrawals.none')} text={t('support.withdrawals.noneText')} icon="return" />
          ) : (
            <>
              <Table
                caption={t('support.withdrawals.title')}
                columns={columns()}
                rows={rows}
                rowKey={({ uuid }) => uuid}
              />
              <Pager shown={rows.length} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
