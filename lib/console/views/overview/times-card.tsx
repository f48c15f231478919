import { carrierNameOf } from '#schemas/catalogues/carriers.ts';
import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { href, inShop } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { hoursText } from '../../ui/hours.ts';
import { Section } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { lastDays } from './last-days.ts';

/** The same days as the figures that the link opens, so that both say the same. */
const days = 30;

/** The other ones are in the figures. */
const shownCarriers = 4;

/** How long the carriers with the most parcels take. */
export function TimesCard() {
  const times = useResource('', (signal) => call('getDeliveryTimes', { query: lastDays(days), signal }));
  return (
    <Section
      title={t('overview.times.title', { count: days })}
      actions={<a href={href(inShop(`/figures?days=${days}`))}>{t('overview.times.link')}</a>}
    >
      <Loaded resource={times} tried={t('overview.tried.times')} waiting={t('overview.waiting.times')}>
        {(rows) => (rows.length === 0 ? <p class="muted">{t('overview.times.none')}</p> : <Carriers rows={rows} />)}
      </Loaded>
    </Section>
  );
}

const Carriers = ({ rows }: { rows: Answer<'getDeliveryTimes'> }) => (
  <ul class="cards times">
    {rows
      .toSorted((a, b) => b.shipped - a.shipped)
      .slice(0, shownCarriers)
      .map(({ carrier_reference: carrier, median_hours: half, p90_hours: most }) => (
        <li class="card" key={carrier}>
          <h3>{carrier === null ? t('overview.times.unknownCarrier') : carrierNameOf(carrier)}</h3>
          {half === null ? (
            <p class="muted">{t('overview.times.unknown')}</p>
          ) : (
            <p>
              <strong>{hoursText(half)}</strong> {t('overview.times.half')}
              {most !== null && <span class="muted">{t('overview.times.most', { time: hoursText(most) })}</span>}
            </p>
          )}
        </li>
      ))}
  </ul>
);
