import { carrierNameOf, carrierNames } from '#schemas/catalogues/carriers.ts';
import { type AttentionKind, attentionKinds } from '#schemas/catalogues/enumerations.ts';
import type { Phase } from '#schemas/catalogues/shipment-events.ts';
import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href, inShop, place } from '../../app/router.ts';
import { language, number, t, wordOf } from '../../texts/texts.ts';
import { ExportButton } from '../../ui/export-button.tsx';
import { type Option, SelectField, TextInput } from '../../ui/fields.tsx';
import { type Column, Filters, filter, Pager, pageOf, perPage, RowLink, Table } from '../../ui/list.tsx';
import { Page } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { endOf, startOf } from '../local-days.ts';
import { silenceText } from '../silence-text.ts';
import { journey, leadingParcel, type Order, PhaseState } from './parcel-state.tsx';

/** What a state can be chosen from. */
const choiceNames = ['phase', 'carrier_reference', 'attention'] as const;

const textNames = [
  'order_number',
  'order_name',
  'external_id',
  'email_id',
  'zip_code',
  'order_placed_from',
  'order_placed_to',
  'shipment_updated_since',
] as const;

const names = [...choiceNames, ...textNames];

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
    csv: ({ order_number }) => order_number,
  },
  {
    title: t('support.orders.customer'),
    cell: ({ address, email_id, erased_at }) =>
      erased_at === null ? (
        <bdi>{address?.name ?? email_id ?? t('support.noName')}</bdi>
      ) : (
        <State tone="quiet">{t('support.customer.erased')}</State>
      ),
    csv: ({ address, email_id }) => address?.name ?? email_id,
  },
  {
    title: t('support.orders.placed'),
    cell: ({ order_placed_at }) => <Time at={order_placed_at} />,
    csv: ({ order_placed_at }) => order_placed_at,
  },
  {
    title: t('support.orders.state'),
    cell: ({ trackings }) => <OrderState parcels={trackings} />,
    csv: ({ trackings }) => wordOf('common.phases', leadingParcel(trackings)?.phase ?? ''),
  },
  {
    title: t('support.orders.carrier'),
    cell: ({ trackings }) => carriersOf(trackings) || '–',
    isMinor: true,
    csv: ({ trackings }) => carriersOf(trackings),
  },
  {
    title: t('support.orders.parcels'),
    cell: ({ trackings }) => trackings.length,
    isNumber: true,
    isMinor: true,
    csv: ({ trackings }) => trackings.length,
  },
];

const carriersOf = (parcels: Order['trackings']): string => {
  const references = new Set(parcels.flatMap(({ carrier }) => carrier.carrier_reference ?? []));
  return [...references].map(carrierNameOf).join(', ');
};

function OrderState({ parcels }: { parcels: Order['trackings'] }) {
  const leading = leadingParcel(parcels);
  return leading ? <PhaseState {...leading} /> : <span>{t('support.noParcel')}</span>;
}

export default function Orders() {
  const page = pageOf();
  const filters = Object.fromEntries(names.map((name) => [name, filter(name)]));
  const read = (at: number, per_page: number, signal: AbortSignal) =>
    call('searchOrders', {
      query: { ...Object.fromEntries(names.map((name) => [name, sent(name)])), page: at, per_page },
      signal,
    });
  const orders = useResource(place.value.query.toString(), (signal) => read(page, perPage, signal));
  return (
    <Page title={t('support.orders.title')}>
      <Filters names={names}>
        <StateFilters />
        {textNames.map((name) => (
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
              <div class="list-foot">
                <Pager shown={rows.length} />
                <ExportButton name="orders" columns={columns()} read={read} />
              </div>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** The choices say how many parcels or claims each has, as far as that is counted. */
function StateFilters() {
  const counts = useResource('', (signal) => readCounts(signal));
  const { phases: inPhase, attention } = counts.value.value ?? {};
  const withCount = (label: string, count: string | undefined) => (count === undefined ? label : `${label} (${count})`);
  const phaseCount = (phase: Phase) => (inPhase ? number(inPhase[phase]) : undefined);
  const kindCount = (kind: AttentionKind) => {
    const found = attention?.[kind];
    return found && (found.has_more ? t('support.orders.moreThan', { count: found.count }) : number(found.count));
  };
  return (
    <>
      <Choice
        name="phase"
        options={journey.map((value) => ({
          value,
          label: withCount(wordOf('common.phases', value), phaseCount(value)),
        }))}
      />
      <Choice
        name="carrier_reference"
        options={Object.entries(carrierNames)
          .map(([value, label]) => ({ value, label }))
          .sort((a, b) => a.label.localeCompare(b.label, language.value))}
      />
      <Choice
        name="attention"
        {...(filter('attention') === 'no_movement' && { help: silenceText() })}
        options={attentionKinds.map((value) => ({
          value,
          label: withCount(t(`support.orders.attention.${value}`), kindCount(value)),
        }))}
      />
    </>
  );
}

/** The list works without them. */
async function readCounts(signal: AbortSignal) {
  const [statistics, attention] = await Promise.all([
    call('getStatistics', { query: { days: 1 }, signal }),
    call('getAttention', { signal }),
  ]);
  return { phases: statistics.parcels.by_phase, attention };
}

interface ChoiceProps {
  name: (typeof choiceNames)[number];
  options: readonly Option[];
  help?: string;
}

const Choice = ({ name, options, ...help }: ChoiceProps) => (
  <SelectField
    label={t(`support.orders.filters.${name}`)}
    name={name}
    value={filter(name)}
    onValue={() => {}}
    options={[{ value: '', label: t('common.all') }, ...options]}
    {...help}
  />
);

const NoOrders = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title={t('support.orders.noMatch')} text={t('support.orders.noMatchText')} />
  ) : (
    <Empty title={t('support.orders.none')} text={t('support.orders.noneText')} />
  );
