import { Fragment } from 'preact';
import { href, inShop } from '../../app/router.ts';
import { can } from '../../app/session.ts';
import { t, wordOf } from '../../texts/texts.ts';
import { Time } from '../../ui/time.tsx';
import { detailOf, type TimelineEntry } from '../../ui/timeline.tsx';
import { State, tones } from '../../ui/tone.tsx';

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
  const { ref, status, url, target } = delivery;
  return (
    <li>
      <State tone={tones.delivery[status]}>{wordOf('simulations.deliveries.statuses', status)}</State>
      <span>
        {detail ? (
          <a href={href(detail)}>
            <Ref text={ref} />
          </a>
        ) : (
          <Ref text={ref} />
        )}
        <span class="muted receiver">{url ?? target}</span>
      </span>
      <span class="muted">
        <Time at={entry.at} />
      </span>
    </li>
  );
}

/** A long one goes on in the next line after a slash. */
const Ref = ({ text }: { text: string }) => (
  <>
    {text.split(/(?<=\/)/).map((part, i) => (
      <Fragment key={part}>
        {i > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </>
);

const NothingSent = () => (
  <p class="muted">
    {t('simulations.deliveries.none')}{' '}
    {can('searchWebhooks') && <a href={href(inShop('/endpoints'))}>{t('simulations.deliveries.endpoints')}</a>}
  </p>
);
