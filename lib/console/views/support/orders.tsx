import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href, inShop, place } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { TextInput } from '../../ui/fields.tsx';
import { type Column, Filters, filter, Pager, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { endOf, startOf } from '../local-days.ts';
import { leadingParcel, type Order, PhaseState } from './parcel-state.tsx';

const names = [
  'order_number',
  'order_name',
  'external_id',
  'email_id',
  'zip_code',
  'order_placed_from',
  'order_placed_to',
  'shipment_updated_since',
] as const;

const isTime = (name: (typeof names)[number]) => /_(from|to|since)$/.test(name);

const sent = (name: (typeof names)[number]): string | undefined => {
  if (!isTime(name)) return filter(name);
  return name.endsWith('_to') ? endOf(filter(name)) : startOf(filter(name));
};

const columns = (): Column<Order>[] => [
  {
    title: t('support.orders.number'),
    cell: ({ uuid, order_number, simulation_id }) => (
      <span>
        <RowLink to={href(inShop(`/orders/${uuid}`))}>{order_number}</RowLink>
        {simulation_id && <span class="muted"> {t('support.orders.simulated')}</span>}
      </span>
    ),
  },
  {
    title: t('support.orders.customer'),
    cell: ({ address, email_id }) => <bdi>{address?.name ?? email_id ?? t('support.noName')}</bdi>,
  },
  { title: t('support.orders.placed'), cell: ({ order_placed_at }) => <Time at={order_placed_at} /> },
  { title: t('support.orders.state'), cell: ({ trackings }) => <OrderState parcels={trackings} /> },
  { title: t('support.orders.parcels'), cell: ({ trackings }) => trackings.length, isNumber: true, isMinor: true },
];

function OrderState({ parcels }: { parcels: Order['trackings'] }) {
  const leading = leadingParcel(parcels);
  return leading ? <PhaseState {...leading} /> : <span>{t('support.noParcel')}</span>;
}

export default function Orders() {
  const page = pageOf();
  const filters = Object.fromEntries(names.map((name) => [name, filter(name)]));
  const orders = useResource(place.value.query.toString(), (signal) =>
    call('searchOrders', {
      query: { ...Object.fromEntries(names.map((name) => [name, sent(name)])), page, per_page: perPage },
      signal,
    }),
  );
  return (
    <Page title={t('support.orders.title')}>
      <Filters names={names}>
        {names.map((name) => (
          <TextInput
            key={name}
            label={t(`support.orders.filters.${name}`)}
            name={name}
            type={isTime(name) ? 'date' : 'text'}
            value={filters[name]}
          />
        ))}
      </Filters>
      <Loaded resource={orders} tried={t('support.orders.tried')}>
        {(rows) =>
          rows.length === 0 && page === 1 ? (
            <NoOrders isFiltered={names.some((name) => filters[name] !== '')} />
          ) : (
            <>
              <Table caption={t('support.orders.title')} columns={columns()} rows={rows} rowKey={({ uuid }) => uuid} />
              <Pager shown={rows.length} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const NoOrders = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title={t('support.orders.noMatch')} text={t('support.orders.noMatchText')} />
  ) : (
    <Empty title={t('support.orders.none')} text={t('support.orders.noneText')} />
  );
