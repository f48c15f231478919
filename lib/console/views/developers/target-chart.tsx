import { call } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { number, t } from '../../texts/texts.ts';
import { Chart } from '../../ui/chart.tsx';
import { dayLabel, noonOf } from '../../ui/days.ts';
import { Section } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';

const days = 14;

/** What arrived, failed and how long the answers took, day by day. */
export function TargetChart({ target }: { target: string }) {
  const statistics = useResource(target, (signal) =>
    call('getTargetStatistics', { params: { target }, query: { days }, signal }),
  );
  return (
    <Section title={t('developers.chart.title', { count: days })}>
      <Loaded resource={statistics} tried={t('developers.chart.tried')}>
        {({ days: found }) => {
          const isSilent = found.every(
            ({ delivered, failed, attempts_failed }) => delivered + failed + attempts_failed === 0,
          );
          if (isSilent) return <p class="muted">{t('developers.chart.nothing')}</p>;
          const times = found.map(({ day }) => noonOf(day));
          const sum = (name: 'delivered' | 'failed' | 'attempts_failed') =>
            found.reduce((all, day) => all + day[name], 0);
          const shared = { times, timeLabel: dayLabel, xTitle: t('developers.chart.day') };
          return (
            <div class="columns">
              <Chart
                {...shared}
                title={t('developers.chart.results', {
                  arrived: number(sum('delivered')),
                  failed: number(sum('failed')),
                  count: sum('attempts_failed'),
                })}
                yTitle={t('developers.log.title')}
                series={[
                  {
                    title: t('developers.chart.arrived'),
                    colour: '--arrived',
                    values: found.map(({ delivered }) => delivered),
                  },
                  {
                    title: t('developers.chart.failed'),
                    colour: '--failed',
                    values: found.map(({ failed }) => failed),
                  },
                  {
                    title: t('developers.chart.attemptsFailed'),
                    colour: '--attention',
                    values: found.map(({ attempts_failed }) => attempts_failed),
                  },
                ]}
              />
              <Chart
                {...shared}
                title={t('developers.chart.answers')}
                yTitle={t('developers.chart.ms')}
                series={[
                  { title: t('developers.chart.p50'), colour: '--moving', values: found.map(({ p50_ms }) => p50_ms) },
                  {
                    title: t('developers.chart.p95'),
                    colour: '--attention',
                    values: found.map(({ p95_ms }) => p95_ms),
                  },
                ]}
              />
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}
