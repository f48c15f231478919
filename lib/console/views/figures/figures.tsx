import { useEffect } from 'preact/hooks';
import { figuresLimits } from '#schemas/catalogues/limits.ts';
import { call } from '../../api/client.ts';
import { readCsv } from '../../api/csv.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import { href, inShop, setQuery } from '../../app/router.ts';
import { t } from '../../texts/texts.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { SelectField, TextInput } from '../../ui/fields.tsx';
import { Filters, filter } from '../../ui/list.tsx';
import { Page, Section } from '../../ui/parts.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Arrivals, type SaidArrivals } from './arrivals.tsx';
import { DayCharts, hasHappened } from './day-charts.tsx';
import { dayChoices, type Period, periodOf } from './period.ts';
import { Rates } from './rates.tsx';
import { biggestFirst, type Division, divisionOf, divisions, type Row } from './rows.ts';
import { TimesChart } from './times-chart.tsx';
import { Trend } from './trend.tsx';
import { WhereaboutsChart } from './whereabouts-chart.tsx';

// The charts come as soon as the figures do.
import('uplot').catch(() => {});

/** How long deliveries take, what becomes of parcels, and what happens on each day. */
export default function Figures() {
  const by = divisionOf(filter('by'));
  const period = periodOf({ days: filter('days'), from: filter('from'), to: filter('to') }, new Date());
  useEffect(() => {
    // Days of one's own stand in the address only while they count.
    if (period.choice !== 'own' && filter('from') + filter('to') !== '') setQuery({ from: undefined, to: undefined });
  }, [period.choice]);
  return (
    <Page title={t('figures.title')}>
      <p class="lead">{t('figures.lead')}</p>
      <Choices period={period} by={by} />
      {period.fault === undefined ? (
        <Read from={period.from} to={period.to} by={by} />
      ) : (
        // On a phone the fields are folded.
        <p class="card fault">{faultOf(period)}</p>
      )}
    </Page>
  );
}

const faultOf = ({ fault }: Period) => fault && t(`figures.period.${fault}`, { count: figuresLimits.days });

interface ChoicesProps {
  period: Period;
  by: Division;
}

const Choices = ({ period, by }: ChoicesProps) => (
  <Filters names={['days', 'from', 'to', 'by']}>
    <SelectField
      label={t('figures.period.label')}
      name="days"
      value={period.choice}
      onValue={() => {}}
      options={[
        ...dayChoices.map((value) => ({ value, label: t('figures.period.days', { count: Number(value) }) })),
        { value: 'own', label: t('figures.period.own') },
      ]}
    />
    {period.choice === 'own' && (
      <>
        <TextInput
          label={t('figures.period.from')}
          name="from"
          type="date"
          value={period.from}
          fault={faultOf(period)}
        />
        <TextInput label={t('figures.period.to')} name="to" type="date" value={period.to} />
      </>
    )}
    <SelectField
      label={t('figures.by.label')}
      name="by"
      value={by}
      onValue={() => {}}
      options={Object.keys(divisions).map((value) => ({ value, label: t(`figures.by.${value as Division}`) }))}
    />
  </Filters>
);

interface ReadProps {
  from: string;
  to: string;
  by: Division;
}

function Read({ from, to, by }: ReadProps) {
  const days = { from, to };
  const figures = useResource(`${from} ${to} ${by}`, async (signal) => {
    const [rows, weeks, happened] = await Promise.all([
      call('getDeliveryTimes', { query: { ...days, by: divisions[by] }, signal }),
      call('getDeliveryTimes', { query: { ...days, by: `${divisions[by]},week` }, signal }),
      call('getOverview', { query: days, signal }),
    ]);
    // What was read is shown as what it was read for, also while something else is being read.
    return { by, days, rows: biggestFirst(rows), weeks, happened };
  });
  // Read at the same time, and by itself: if it fails, the other figures are there all the same.
  const arrivals = useResource(`${from} ${to}`, async (signal) => ({
    days,
    rows: await call('getArrivalCalibration', { query: days, signal }),
  }));
  return (
    <Loaded resource={figures} tried={t('figures.tried')} waiting={t('figures.waiting')}>
      {(found) => (
        <>
          {found.rows.length === 0 ? <NoParcels /> : <Deliveries {...found} arrivals={arrivals} />}
          {hasHappened(found.happened) && (
            <Section
              title={t('figures.days.title')}
              actions={
                <DownloadButton
                  name="days"
                  about={t('figures.days.title')}
                  read={(signal) => readCsv('getOverview', { query: found.days, signal })}
                />
              }
            >
              <DayCharts days={found.happened} />
            </Section>
          )}
        </>
      )}
    </Loaded>
  );
}

/** What would be here, and how to get it. */
const NoParcels = () => (
  <Empty title={t('figures.empty.title')} text={t('figures.empty.text')} icon="bars">
    <a href={href(inShop('/overview'))}>{t('figures.empty.overview')}</a>
  </Empty>
);

interface DeliveriesProps {
  by: Division;
  days: { from: string; to: string };
  rows: readonly Row[];
  weeks: readonly Row[];
  arrivals: Resource<SaidArrivals>;
}

const Deliveries = ({ by, days, rows, weeks, arrivals }: DeliveriesProps) => {
  const csvOf = (dimensions: string) => (signal: AbortSignal) =>
    readCsv('getDeliveryTimes', { query: { ...days, by: dimensions }, signal });
  return (
    <>
      <Section
        title={t('figures.times.section')}
        actions={
          <DownloadButton name="delivery-times" about={t('figures.times.section')} read={csvOf(divisions[by])} />
        }
      >
        <div class="figure-pair">
          <TimesChart rows={rows} by={by} />
          <WhereaboutsChart rows={rows} by={by} />
        </div>
      </Section>
      <Section
        title={t('figures.weeks.section')}
        actions={
          <DownloadButton
            name="delivery-times-by-week"
            about={t('figures.weeks.section')}
            read={csvOf(`${divisions[by]},week`)}
          />
        }
      >
        <Trend rows={rows} weeks={weeks} by={by} />
      </Section>
      <Arrivals resource={arrivals} />
      <Section title={t('figures.rates.section')}>
        <Rates rows={rows} by={by} />
      </Section>
    </>
  );
};
