import { carrierNameOf } from '#schemas/catalogues/carriers.ts';
import type { Answer } from '../../api/client.ts';
import { href, inShop } from '../../app/router.ts';
import { number, t, wordOf } from '../../texts/texts.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { State, type Tone } from '../../ui/tone.tsx';
import { silenceText } from '../silence-text.ts';

type Found = Answer<'getAttention'>;
type Parcels = Found['lost'];
type Kind = Exclude<keyof Found, 'claims'>;

const kinds: [kind: Kind, tone: Tone, icon: IconName][] = [
  ['failed_delivery', 'failed', 'door'],
  ['lost', 'failed', 'warning'],
  ['damaged', 'failed', 'warning'],
  ['exception', 'attention', 'warning'],
  ['no_movement', 'attention', 'clock'],
];

/** So many are shown at once; the rest is behind a fold. */
const shownAtOnce = 5;

/** One card for each kind of trouble that there is, each entry with the way to its order. */
export function AttentionView({ found }: { found: Found }) {
  const present = kinds.filter(([kind]) => found[kind].count > 0);
  if (present.length === 0 && found.claims.count === 0) {
    return (
      <p class="calm card">
        <Icon name="check" /> {t('overview.attention.none')}
      </p>
    );
  }
  return (
    <div class="troubles">
      {present.map(([kind, tone, icon]) => (
        <Card
          key={kind}
          kind={kind}
          title={t(`overview.attention.${kind}`)}
          tone={tone}
          icon={icon}
          {...(kind === 'no_movement' && { help: silenceText() })}
          {...countOf(found[kind])}
        >
          {found[kind].parcels.map((parcel) => (
            <li key={parcel.shipment_id}>
              <OrderLink to={`/orders/${parcel.order_id}`} {...parcel} />
              <span class="muted">
                {parcel.carrier_reference && `${carrierNameOf(parcel.carrier_reference)} · `}
                {wordOf('common.phases', parcel.phase)} · <Time at={parcel.event_time} />
              </span>
            </li>
          ))}
        </Card>
      ))}
      {found.claims.count > 0 && (
        <Card
          kind="claims"
          title={t('overview.attention.claims')}
          tone="attention"
          icon="claim"
          {...countOf(found.claims)}
        >
          {found.claims.claims.map((claim) => (
            <li key={claim.uuid}>
              <OrderLink to={`/claims/${claim.uuid}`} {...claim} />
              <span class="muted">
                {wordOf('overview.reasons', claim.reason)} · <Time at={claim.unanswered_since ?? claim.created_at} />
              </span>
            </li>
          ))}
        </Card>
      )}
    </div>
  );
}

const countOf = ({ count, has_more }: Pick<Parcels, 'count' | 'has_more'>) => ({ count, hasMore: has_more });

interface OrderLinkProps {
  to: string;
  order_number: string;
  customer_name: string | null;
}

const OrderLink = ({ to, order_number, customer_name }: OrderLinkProps) => (
  <a href={href(inShop(to))} data-row>
    {t('overview.attention.order', { number: order_number })}
    {customer_name && (
      <>
        {' · '}
        <bdi>{customer_name}</bdi>
      </>
    )}
  </a>
);

interface CardProps {
  kind: keyof Found;
  title: string;
  help?: string;
  tone: Tone;
  icon: IconName;
  count: number;
  hasMore: boolean;
  children: preact.ComponentChild[];
}

function Card({ kind, title, help, tone, icon, count, hasMore, children }: CardProps) {
  const rest = children.slice(shownAtOnce);
  return (
    <section class="trouble card">
      <h3>
        <State tone={tone} icon={icon}>
          {title}
        </State>
        <span class="count">{hasMore ? t('overview.attention.more', { count: number(count) }) : number(count)}</span>
      </h3>
      {help && <p class="help">{help}</p>}
      <ul>{children.slice(0, shownAtOnce)}</ul>
      {rest.length > 0 && (
        <details>
          <summary>{t('overview.attention.rest', { count: rest.length })}</summary>
          <ul>{rest}</ul>
        </details>
      )}
      {count > children.length && (
        <a href={href(kind === 'claims' ? inShop('/claims') : `${inShop('/orders')}?attention=${kind}`)}>
          {t('overview.attention.all')}
        </a>
      )}
    </section>
  );
}
