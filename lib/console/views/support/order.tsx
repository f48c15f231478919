import { useSignal } from '@preact/signals';
import { carrierNameOf } from '#schemas/catalogues/carriers.ts';
import { pageLink } from '#schemas/catalogues/links.ts';
import { isPossibleWithoutCarrier, type ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { call, Failure } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import type { ViewProps } from '../../app/route.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { useTitle } from '../../app/title.ts';
import { language, money, t, wordOf } from '../../texts/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { countryName } from '../../ui/countries.ts';
import { Icon } from '../../ui/icon.tsx';
import { Facts, Page, Section } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { exact, Time } from '../../ui/time.tsx';
import { type TimelineEntry, TimelineSection } from '../../ui/timeline.tsx';
import { State } from '../../ui/tone.tsx';
import { AddEvent } from './add-event.tsx';
import { ClaimState } from './claim-state.tsx';
import { OpenClaim } from './open-claim.tsx';
import { leadingParcel, type Order, type Parcel, PhaseState, phaseWord } from './parcel-state.tsx';

export default function OrderView({ params }: ViewProps) {
  const id = params.id!;
  const order = useResource(`${id} ${language.value}`, (signal) => readOrder(id, signal));
  const timeline = useResource(id, (signal) => call('getOrderTimeline', { params: { order_id: id }, signal }));
  const claims = useResource(id, (signal) => call('searchClaims', { query: { order_id: id, per_page: 100 }, signal }));
  const reload = () => Promise.all([order.reload(), timeline.reload(), claims.reload()]);
  return (
    <Loaded resource={order} tried={t('support.order.tried')}>
      {(found) =>
        found ? (
          <Found order={found} timeline={timeline} claims={claims} reload={reload} />
        ) : (
          <Page title={t('support.order.gone')} up={{ path: inShop('/orders'), label: t('support.orders.title') }}>
            <Empty title={t('support.order.gone')} text={t('support.order.goneText')} />
          </Page>
        )
      }
    </Loaded>
  );
}

/** Null if the shop has no such order. */
async function readOrder(uuid: string, signal: AbortSignal): Promise<Order | null> {
  try {
    // What customers read comes in the language of the console.
    const headers = { 'accept-language': language.value };
    return (await call('searchOrders', { query: { uuid }, headers, signal }))[0] ?? null;
  } catch (error) {
    if (error instanceof Failure && error.status === 422) return null;
    throw error;
  }
}

type Claims = Awaited<ReturnType<typeof call<'searchClaims'>>>;

interface FoundProps {
  order: Order;
  timeline: Resource<TimelineEntry[]>;
  claims: Resource<Claims>;
  reload: () => Promise<unknown>;
}

function Found({ order, timeline, claims, reload }: FoundProps) {
  const dialog = useSignal<'event' | 'claim' | undefined>(undefined);
  const close = () => {
    dialog.value = undefined;
  };
  const { order_number, address, trackings } = order;
  const title = t('support.order.named', { number: order_number });
  useTitle(title);
  const leading = leadingParcel(trackings);
  return (
    <Page
      title={address?.name ? `${title} · ${address.name}` : title}
      state={leading && <PhaseState {...leading} />}
      up={{ path: inShop('/orders'), label: t('support.orders.title') }}
      actions={
        trackings.length > 0 && (
          <>
            {can('createEventOfShipment') && (
              <Button
                onClick={() => {
                  dialog.value = 'event';
                }}
              >
                {t('support.event.add')}
              </Button>
            )}
            {can('createClaim') && (
              <Button
                onClick={() => {
                  dialog.value = 'claim';
                }}
              >
                {t('support.claim.open')}
              </Button>
            )}
          </>
        )
      }
    >
      {dialog.value === 'event' && <AddEvent parcels={trackings} onClose={close} onAdded={reload} />}
      {dialog.value === 'claim' && <OpenClaim order={order} onClose={close} onOpened={reload} />}
      <div class="columns">
        <div class="stack">
          <Section title={t('support.parcelsTitle')}>
            {trackings.length === 0 && <p>{t('support.noParcel')}</p>}
            <ul class="stack">
              {trackings.map((parcel) => (
                <ParcelCard key={parcel.uuid} parcel={parcel} />
              ))}
            </ul>
          </Section>
          <TimelineSection timeline={timeline} view="journey" />
        </div>
        <div class="stack">
          <CustomerCard order={order} />
          <TrackingPage order={order} />
          <Section title={t('support.claims.title')}>
            <Loaded resource={claims} tried={t('support.claims.tried')}>
              {({ claims: list }) => <ClaimList claims={list} />}
            </Loaded>
          </Section>
          <Products order={order} />
          {order.erased_at === null && <Promotion orderId={order.uuid} />}
        </div>
      </div>
    </Page>
  );
}

const steps = ['order_created', 'order_processed', 'in_transit', 'in_delivery', 'delivered'] as const;

/** How far the parcel has come. What went wrong stands in its state. */
function stepOf(phase: string): number {
  if (phase === 'collect' || phase === 'delivery_failed') return 3;
  return steps.indexOf(phase as (typeof steps)[number]);
}

function ParcelCard({ parcel }: { parcel: Parcel }) {
  const { carrier, phase, flag, estimated_arrival, is_return } = parcel;
  const scan = lastScan(parcel);
  const step = stepOf(phase);
  const carrierPage = pageLink(carrier.tracking_url);
  return (
    <li class="card stack parcel">
      <div class="parcel-head">
        {carrier.tracking_number ? (
          <CopyText text={carrier.tracking_number} label={t('support.trackingNumber')} />
        ) : (
          <span>{t('support.draft')}</span>
        )}
        <PhaseState phase={phase} flag={flag} is_return={is_return} />
        {is_return && <span class="muted">{t('support.return')}</span>}
      </div>
      {step >= 0 && (
        <progress
          max={steps.length - 1}
          value={step}
          aria-label={t('support.progress', { phase: phaseWord(parcel) })}
        />
      )}
      {scan && (
        <p class="customer-words">
          <span class="hidden">{t('support.customerReads')}: </span>
          {scan.event_strings.event_status}
        </p>
      )}
      <p class="muted parcel-facts">
        {carrier.carrier_reference && <span>{carrierNameOf(carrier.carrier_reference)}</span>}
        {carrierPage ? (
          <a href={carrierPage} target="_blank" rel="noreferrer">
            {t('support.openAtCarrier')}
          </a>
        ) : (
          carrier.tracking_url && <span>{carrier.tracking_url}</span>
        )}
        {estimated_arrival?.time_prediction && (
          <span>{t('support.expected', { when: estimated_arrival.time_prediction })}</span>
        )}
        {scan && (
          <span>
            {t('support.lastScan')} <Time at={scan.time} />
          </span>
        )}
        <span>
          {t('support.changed')} <Time at={parcel.updated_at} />
        </span>
      </p>
    </li>
  );
}

/** The newest event of a carrier. A parcel that no carrier has had was never scanned. */
const lastScan = ({ events }: Parcel): Parcel['events'][number] | undefined =>
  events
    .filter(({ event_name }) => !isPossibleWithoutCarrier(event_name as ShipmentEventName))
    .toSorted((a, b) => (a.time < b.time ? 1 : -1))[0];

function CustomerCard({ order }: { order: Order }) {
  if (order.erased_at !== null) return <ErasedCustomer at={order.erased_at} />;
  const { address = {}, email_id, external_customer_id, segments = [] } = order;
  const lines = [
    address.company,
    address.address_line_1 ?? address.street,
    address.address_line_2,
    [address.zip_code, address.city].filter(Boolean).join(' '),
    address.country_code ? countryName(address.country_code, language.value) : address.country,
  ].filter(Boolean);
  return (
    <Section title={t('support.customer.title')}>
      <div class="card">
        <Facts
          facts={[
            [t('support.customer.name'), address.name ? <bdi>{address.name}</bdi> : undefined],
            [t('support.customer.email'), email_id && <CopyText text={email_id} />],
            [t('support.customer.phone'), address.phone && <CopyText text={address.phone} />],
            [t('support.customer.address'), lines.length > 0 ? <bdi class="lines">{lines.join('\n')}</bdi> : undefined],
            external_customer_id ? [t('support.customer.id'), <CopyText text={external_customer_id} />] : false,
            segments.length > 0 && [t('support.customer.segments'), <bdi>{segments.join(', ')}</bdi>],
          ]}
        />
      </div>
    </Section>
  );
}

/** Nobody can bring it back, so there is nothing to do but to know it. */
const ErasedCustomer = ({ at }: { at: string }) => (
  <Section title={t('support.customer.title')}>
    <div class="card stack">
      <p class="state-line">
        <State tone="quiet">{t('support.customer.erased')}</State> <Time at={at} />
      </p>
      <p>{t('support.customer.erasedText')}</p>
    </div>
  </Section>
);

function TrackingPage({ order }: { order: Order }) {
  const {
    tracking_page_url: url,
    order_placed_at,
    external_id,
    uuid,
    total_order_price,
    currency,
    simulation_id,
  } = order;
  const price = total_order_price === undefined ? undefined : money(total_order_price, currency);
  return (
    <Section title={t('support.order.facts')}>
      <div class="card stack">
        <Facts
          facts={[
            [t('support.orders.placed'), order_placed_at && exact(order_placed_at)],
            [t('support.order.externalId'), <CopyText text={external_id} />],
            [t('support.order.id'), <CopyText text={uuid} />],
            [t('support.order.total'), price],
            simulation_id !== null && [
              t('support.order.simulation'),
              <a href={href(inShop(`/simulations/${simulation_id}`))}>{t('support.order.toSimulation')}</a>,
            ],
          ]}
        />
        {url && (
          <>
            <Facts facts={[[t('support.page.link'), <CopyText text={url} label={t('support.page.link')} />]]} />
            <p>
              <a href={url} target="_blank" rel="noreferrer">
                {t('support.page.open')}
              </a>
            </p>
          </>
        )}
      </div>
    </Section>
  );
}

function ClaimList({ claims }: { claims: Claims['claims'] }) {
  if (claims.length === 0) return <p class="muted">{t('support.claims.noneOfOrder')}</p>;
  return (
    <ul class="stack">
      {claims.map(({ uuid, reason, status, created_at }) => (
        <li key={uuid} class="card claim-line">
          <Icon name="claim" />
          <a href={href(inShop(`/claims/${uuid}`))}>{wordOf('support.reasons', reason)}</a>
          <ClaimState status={status} />
          <span class="muted">
            <Time at={created_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Products({ order }: { order: Order }) {
  const products = order.products ?? [];
  if (products.length === 0) return null;
  return (
    <Section title={t('support.products')}>
      <ul class="card products">
        {products.map((product, i) => (
          <li key={`${product.sku} ${i}`}>
            <span class="muted">{product.quantity ?? 1} ×</span>{' '}
            <bdi>{[product.title, product.variant_title].filter(Boolean).join(', ') || product.sku || '–'}</bdi>
            {product.sku && <code>{product.sku}</code>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** It is read when somebody asks for it. */
function Promotion({ orderId }: { orderId: string }) {
  const isOpen = useSignal(false);
  return (
    <Section title={t('support.promotion.title')}>
      <details
        class="card"
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open;
        }}
      >
        <summary>{t('support.promotion.show')}</summary>
        {isOpen.value && <Explanation orderId={orderId} />}
      </details>
    </Section>
  );
}

function Explanation({ orderId }: { orderId: string }) {
  const promotion = useResource(orderId, (signal) =>
    call('getPromotion', { params: { order_id: orderId }, query: { explain: true }, signal }),
  );
  return (
    <Loaded resource={promotion} tried={t('support.promotion.tried')}>
      {({ promotion: shown, explanation = [] }) => (
        <>
          {shown ? (
            <p>
              <a href={href(inShop(`/campaigns/${shown.uuid}`))}>{shown.name}</a>
            </p>
          ) : (
            <p>{t('support.promotion.none')}</p>
          )}
          <ul class="products">
            {explanation.map(({ uuid, name, message }) => (
              <li key={uuid}>
                <bdi>{name}</bdi> <span class="muted">{message}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}
