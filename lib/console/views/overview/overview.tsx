import { type Answer, call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { can } from '../../app/session.ts';
import { loadTexts, t } from '../../texts/texts.ts';
import { SelectField } from '../../ui/fields.tsx';
import { Filters, filter } from '../../ui/list.tsx';
import { Page, Section } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { AttentionView } from './attention.tsx';
import { DaysChart } from './days-chart.tsx';
import { lastDays } from './last-days.ts';
import { mostEndpoints } from './most-endpoints.ts';

import { ParcelsView } from './parcels.tsx';
import { TimesCard } from './times-card.tsx';

// The charts come as soon as the figures do.
import('uplot').catch(() => {});

const choices = ['7', '14', '30'];
const usualDays = '14';

/** What happens in the shop, and what needs somebody. */
export default function Overview() {
  const asked = filter('days');
  const days = choices.includes(asked) ? asked : usualDays;
  const statistics = useResource(days, (signal) => call('getStatistics', { query: { days }, signal }));
  const happened = useResource(days, (signal) => call('getOverview', { query: lastDays(Number(days)), signal }));
  const attention = useResource('', (signal) => call('getAttention', { signal }));
  // Only admins see it, at the end of the view.
  const deliveries = useResource('', async () => {
    if (!can('searchWebhooks')) return undefined;
    const view = import('./deliveries.tsx').then(({ DeliveriesView }) => DeliveriesView);
    return (await Promise.all([view, loadTexts('receivers'), loadTexts('work')]))[0];
  });
  // Read beside the others, because what is sent to them shows their addresses.
  const endpoints = useResource('', (signal) => readEndpoints(signal));
  const DeliveriesView = deliveries.value.value;
  return (
    <Page title={t('overview.title')}>
      <Loaded resource={statistics} tried={t('overview.tried.statistics')} waiting={t('overview.waiting.statistics')}>
        {(counts) =>
          isEmpty(counts) ? (
            <LazyNewShop />
          ) : (
            <>
              <Section title={t('overview.attention.title')}>
                <Loaded
                  resource={attention}
                  tried={t('overview.tried.attention')}
                  waiting={t('overview.waiting.attention')}
                >
                  {(found) => <AttentionView found={found} />}
                </Loaded>
              </Section>
              <ParcelsView counts={counts} />
              <TimesCard />
              <DayChoice days={days} />
              <Loaded resource={happened} tried={t('overview.tried.days')} waiting={t('overview.waiting.days')}>
                {(found) => <DaysChart days={found} />}
              </Loaded>
              {counts.deliveries && DeliveriesView && (
                <DeliveriesView deliveries={counts.deliveries} endpoints={endpoints.value.value} />
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Most shops have something already. */
function LazyNewShop() {
  const view = useResource('', async () => (await Promise.all([import('./new-shop.tsx'), loadTexts('newShop')]))[0]);
  return (
    <Loaded resource={view} tried={t('overview.tried.statistics')}>
      {({ NewShop }) => <NewShop />}
    </Loaded>
  );
}

const readEndpoints = async (signal: AbortSignal) =>
  can('searchWebhooks') ? call('searchWebhooks', { query: { per_page: mostEndpoints }, signal }) : undefined;

/** Nothing has happened in the shop yet. */
function isEmpty({ parcels, orders, claims, deliveries }: Answer<'getStatistics'>): boolean {
  const counts = [
    ...Object.values(parcels.by_phase),
    ...Object.values(claims.by_status),
    ...orders.days.map(({ count }) => count),
    ...(deliveries?.days ?? []).flatMap(({ delivered, failed }) => [delivered, failed]),
  ];
  return counts.every((count) => count === 0);
}

const DayChoice = ({ days }: { days: string }) => (
  <Filters names={['days']}>
    <SelectField
      label={t('overview.days.label')}
      name="days"
      value={days}
      onValue={() => {}}
      options={choices.map((value) => ({ value, label: t('overview.days.choice', { count: Number(value) }) }))}
    />
  </Filters>
);
