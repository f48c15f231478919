import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import { type Answer, call } from '../../api/client.ts';
import { integrationName } from '../../app/integration-name.ts';
import { href, inShop } from '../../app/router.ts';
import { number, t } from '../../texts/texts.ts';
import { Chart } from '../../ui/chart.tsx';
import { dayLabel, noonOf } from '../../ui/days.ts';
import { HealthCell, HealthState, type Healths, knownHealth, useHealths } from '../../ui/health-state.tsx';
import { type Column, RowLink, Table } from '../../ui/list.tsx';
import { Section } from '../../ui/parts.tsx';
import { Url } from '../../ui/url.tsx';
import { mostEndpoints } from './most-endpoints.ts';

type Deliveries = NonNullable<Answer<'getStatistics'>['deliveries']>;
type Target = Deliveries['targets'][number];
type Endpoints = Answer<'searchWebhooks'>;

interface DeliveriesProps {
  deliveries: Deliveries;
  /** Undefined until they are read. */
  endpoints: Endpoints | undefined;
}

/** Those with the most failures come first. The others are in the list of endpoints. */
const shownTargets = 10;

const healthOfTarget = (target: string, signal: AbortSignal) =>
  target.startsWith('integration_')
    ? call('getIntegrationHealth', { params: { integration: target as NotifiedIntegration }, signal })
    : call('getWebhookHealth', { params: { uuid: target }, signal });

/** How what the shop sends to other systems arrives. */
export function DeliveriesView({ deliveries: { days, targets }, endpoints }: DeliveriesProps) {
  const shown = targets.slice(0, shownTargets);
  // An endpoint that was deleted has no health.
  const isThere = ({ target, kind }: Target) =>
    kind === 'integration' || (endpoints ?? []).some(({ uuid }) => uuid === target);
  const ids = shown.filter((one) => one.kind !== 'automation' && isThere(one)).map(({ target }) => target);
  const healths = useHealths(ids, healthOfTarget);
  const retrying = ids.reduce((all, id) => all + (knownHealth(healths, id)?.retrying ?? 0), 0);
  return (
    <Section title={t('receivers.title')} actions={<a href={href(inShop('/endpoints'))}>{t('receivers.endpoints')}</a>}>
      <Chart
        title={messageOf(sum(days, 'delivered'), sum(days, 'failed'), retrying)}
        xTitle={t('overview.days.axis')}
        yTitle={t('receivers.axis')}
        times={days.map(({ day }) => noonOf(day))}
        timeLabel={dayLabel}
        series={[
          series('receivers.delivered', '--arrived', days, 'delivered'),
          series('receivers.failed', '--failed', days, 'failed'),
          series('receivers.attemptsFailed', '--attention', days, 'attempts_failed'),
        ]}
      />
      {targets.length > 0 && (
        <Table
          caption={t('receivers.targets')}
          columns={columnsOf(endpoints, healths, ids)}
          rows={shown}
          rowKey={({ target }) => target}
        />
      )}
    </Section>
  );
}

/** What is tried again has failed so far: then not all arrived. */
function messageOf(delivered: number, failed: number, retrying: number): string {
  const retried = retrying > 0 ? ` ${t('receivers.retrying', { count: retrying })}` : '';
  if (delivered + failed === 0) return t('receivers.none') + retried;
  if (failed > 0) return t('receivers.someFailed', { delivered: number(delivered), count: failed }) + retried;
  return retrying > 0
    ? t('receivers.arrived', { count: delivered }) + retried
    : t('receivers.allArrived', { count: delivered });
}

type Figure = 'delivered' | 'failed' | 'attempts_failed';

const sum = (days: Deliveries['days'], name: Figure) => days.reduce((all, day) => all + day[name], 0);

const series = (title: Parameters<typeof t>[0], colour: string, days: Deliveries['days'], name: Figure) => ({
  title: t(title),
  colour,
  values: days.map((day) => day[name]),
});

const columnsOf = (endpoints: Endpoints | undefined, healths: Healths, ids: readonly string[]): Column<Target>[] => [
  { title: t('receivers.target'), cell: (target) => <TargetLink target={target} endpoints={endpoints} /> },
  { title: t('receivers.state'), cell: (target) => stateOf(target, healths, ids) },
  { title: t('receivers.delivered'), cell: ({ delivered }) => number(delivered), isNumber: true },
  { title: t('receivers.failed'), cell: ({ failed }) => number(failed), isNumber: true },
  {
    title: t('receivers.attemptsFailed'),
    cell: (target) => number(target.attempts_failed),
    isNumber: true,
    isMinor: true,
  },
  { title: t('receivers.p50'), cell: ({ p50_ms }) => duration(p50_ms), isNumber: true, isMinor: true },
  { title: t('receivers.p95'), cell: ({ p95_ms }) => duration(p95_ms), isNumber: true },
];

const duration = (ms: number | null) => (ms === null ? '–' : t('receivers.ms', { ms: number(ms) }));

interface TargetLinkProps {
  target: Target;
  endpoints: Endpoints | undefined;
}

function TargetLink({ target: { target, kind }, endpoints }: TargetLinkProps) {
  const endpoint = endpoints?.find(({ uuid }) => uuid === target);
  if (kind === 'integration')
    return <RowLink to={href(inShop(`/integrations/${target}`))}>{integrationName(target)}</RowLink>;
  if (kind === 'automation') {
    return <RowLink to={href(inShop(`/automations/${target}`))}>{t('receivers.automation')}</RowLink>;
  }
  const isEvery = endpoints !== undefined && endpoints.length < mostEndpoints;
  if (!endpoint && isEvery) return <span>{t('receivers.deleted')}</span>;
  return (
    <RowLink to={href(inShop(`/endpoints/${target}`))}>
      <span class="url">
        <Url url={endpoint?.url ?? target} />
      </span>
    </RowLink>
  );
}

/** The same word as in the list of endpoints. Where nobody keeps a health, the counts of these days tell. */
function stateOf({ target, delivered, failed }: Target, healths: Healths, ids: readonly string[]) {
  if (ids.includes(target)) return <HealthCell healths={healths} id={target} />;
  return <HealthState figures={{ circuit: 'closed', arrived: delivered, failed, retrying: 0 }} />;
}
