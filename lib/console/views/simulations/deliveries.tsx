import { integrationName } from '../../app/integration-name.ts';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t } from '../../texts/texts.ts';
import { DeliveryState } from '../../ui/delivery-state.tsx';
import { Time } from '../../ui/time.tsx';
import { detailOf, type TimelineEntry } from '../../ui/timeline.tsx';
import { Url } from '../../ui/url.tsx';

type Delivery = NonNullable<TimelineEntry['data']['delivery']>;

/** What other systems got of the events, newest first. */
export function Deliveries({ entries }: { entries: readonly TimelineEntry[] }) {
  const sent = entries.filter(({ data }) => data.delivery).toReversed();
  if (sent.length === 0) return <NothingSent />;
  return (
    <ul class="card deliveries">
      {sent.map((entry) => (
        <DeliveryLine key={entry.data.delivery!.id} entry={entry} delivery={entry.data.delivery!} />
      ))}
    </ul>
  );
}

function DeliveryLine({ entry, delivery }: { entry: TimelineEntry; delivery: Delivery }) {
  const detail = detailOf(entry);
  const { ref, url, target, target_kind } = delivery;
  return (
    <li>
      <span>
        {detail ? (
          <a href={href(detail)}>
            <Url url={ref} />
          </a>
        ) : (
          <Url url={ref} />
        )}
        <span class="muted receiver">{url ?? (target_kind === 'integration' ? integrationName(target) : target)}</span>
      </span>
      <span class="muted">
        <Time at={entry.at} />
      </span>
      <DeliveryState delivery={delivery} />
    </li>
  );
}

const NothingSent = () => (
  <p class="muted">
    {t('simulations.deliveries.none')}{' '}
    {can('searchWebhooks') && <a href={href(inShop('/endpoints'))}>{t('simulations.deliveries.endpoints')}</a>}
  </p>
);
