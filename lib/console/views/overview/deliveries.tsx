import type { Answer } from '../../api/client.ts';
import { href, inShop } from '../../app/router.ts';
import { number, percent, t } from '../../texts/texts.ts';
import { Chart } from '../../ui/chart.tsx';
import { type Column, RowLink, Table } from '../../ui/list.tsx';
import { Section } from '../../ui/parts.tsx';
import { State } from '../../ui/tone.tsx';
import { dayLabel, noonOf } from './days.ts';

type Deliveries = NonNullable<Answer<'getStatistics'>['deliveries']>;
type Target = Deliveries['targets'][number];
type Endpoints = Answer<'searchWebhooks'>;

/** The API gives so many at once. */
export const mostEndpoints = 100;

interface DeliveriesProps {
  deliveries: Deliveries;
  /** Undefined until they are read. */
  endpoints: Endpoints | undefined;
}

/** How what the shop sends to other systems arrives. */
export function DeliveriesView({ deliveries: { days, targets }, endpoints }: DeliveriesProps) {
  return (
    <Section
      title={t('overview.deliveries.title')}
      actions={<a href={href(inShop('/endpoints'))}>{t('overview.deliveries.endpoints')}</a>}
    >
      <Chart
        title={messageOf(sum(days, 'delivered'), sum(days, 'failed'))}
        xTitle={t('overview.days.axis')}
        yTitle={t('overview.deliveries.axis')}
        times={days.map(({ day }) => noonOf(day))}
        timeLabel={dayLabel}
        series={[
          series('overview.deliveries.delivered', '--arrived', days, 'delivered'),
          series('overview.deliveries.failed', '--failed', days, 'failed'),
          series('overview.deliveries.attemptsFailed', '--attention', days, 'attempts_failed'),
        ]}
      />
      {targets.length > 0 && (
        <Table
          caption={t('overview.deliveries.targets')}
          columns={columnsOf(endpoints)}
          rows={targets}
          rowKey={({ target }) => target}
        />
      )}
    </Section>
  );
}

function messageOf(delivered: number, failed: number): string {
  if (delivered + failed === 0) return t('overview.deliveries.none');
  if (failed === 0) return t('overview.deliveries.allArrived', { count: delivered });
  return t('overview.deliveries.someFailed', { delivered: number(delivered), count: failed });
}

type Figure = 'delivered' | 'failed' | 'attempts_failed';

const sum = (days: Deliveries['days'], name: Figure) => days.reduce((all, day) => all + day[name], 0);

const series = (title: Parameters<typeof t>[0], colour: string, days: Deliveries['days'], name: Figure) => ({
  title: t(title),
  colour,
  values: days.map((day) => day[name]),
});

const columnsOf = (endpoints: Endpoints | undefined): Column<Target>[] => [
  { title: t('overview.deliveries.target'), cell: (target) => <TargetLink target={target} endpoints={endpoints} /> },
  { title: t('overview.deliveries.state'), cell: stateOf },
  { title: t('overview.deliveries.delivered'), cell: ({ delivered }) => number(delivered), isNumber: true },
  { title: t('overview.deliveries.failed'), cell: ({ failed }) => number(failed), isNumber: true },
  {
    title: t('overview.deliveries.attemptsFailed'),
    cell: (target) => number(target.attempts_failed),
    isNumber: true,
    isMinor: true,
  },
  { title: t('overview.deliveries.p50'), cell: ({ p50_ms }) => duration(p50_ms), isNumber: true, isMinor: true },
  { title: t('overview.deliveries.p95'), cell: ({ p95_ms }) => duration(p95_ms), isNumber: true },
];

const duration = (ms: number | null) => (ms === null ? '–' : t('overview.deliveries.ms', { ms: number(ms) }));

interface TargetLinkProps {
  target: Target;
  endpoints: Endpoints | undefined;
}

function TargetLink({ target: { target, kind }, endpoints }: TargetLinkProps) {
  const endpoint = endpoints?.find(({ uuid }) => uuid === target);
  if (kind === 'integration') return <RowLink to={href(inShop(`/integrations/${target}`))}>{target}</RowLink>;
  if (kind === 'automation') {
    return <RowLink to={href(inShop(`/automations/${target}`))}>{t('overview.deliveries.automation')}</RowLink>;
  }
  const isEvery = endpoints !== undefined && endpoints.length < mostEndpoints;
  if (!endpoint && isEvery) return <span>{t('overview.deliveries.deleted')}</span>;
  return <RowLink to={href(inShop(`/endpoints/${target}`))}>{endpoint?.url ?? target}</RowLink>;
}

function stateOf({ delivered, failed }: Target) {
  const ended = delivered + failed;
  if (ended === 0) return <State tone="quiet">{t('overview.deliveries.nothing')}</State>;
  if (failed === 0) return <State tone="arrived">{t('overview.deliveries.healthy')}</State>;
  const tone = failed > delivered ? 'failed' : 'attention';
  return <State tone={tone}>{t('overview.deliveries.share', { share: percent(delivered / ended) })}</State>;
}
