import { carrierNameOf } from '#schemas/catalogues/carriers.ts';
import { arrivalLimits } from '#schemas/catalogues/limits.ts';
import { readCsv } from '../../api/csv.ts';
import type { Resource } from '../../api/resource.ts';
import { number, percent, t } from '../../texts/texts.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { hoursText } from '../../ui/hours.ts';
import { type Column, Table } from '../../ui/list.tsx';
import { Section } from '../../ui/parts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { ArrivalsChart } from './arrivals-chart.tsx';
import {
  type BothSources,
  type Held,
  heldOf,
  lastFinal,
  type Said,
  type SaidWeek,
  saidWeeks,
  verdictOf,
} from './said-weeks.ts';
import { dayText } from './week-text.ts';
import { lastDayOf } from './weeks.ts';

export interface SaidArrivals {
  days: { from: string; to: string };
  rows: readonly Said[];
}

/** Whether parcels arrive when it was said, by us and by carriers. */
export function Arrivals({ resource }: { resource: Resource<SaidArrivals> }) {
  const found = resource.value.value;
  return (
    <Section
      title={t('figures.arrivals.section')}
      actions={
        found &&
        found.rows.length > 0 && (
          <DownloadButton
            name="arrival-calibration"
            about={t('figures.arrivals.section')}
            read={(signal) => readCsv('getArrivalCalibration', { query: found.days, signal })}
          />
        )
      }
    >
      <Loaded resource={resource} tried={t('figures.arrivals.tried')} waiting={t('figures.arrivals.waiting')}>
        {({ rows }) => (rows.length === 0 ? <NoWindows /> : <Windows rows={rows} />)}
      </Loaded>
    </Section>
  );
}

/** What would be here, and what it needs. */
const NoWindows = () => (
  <div class="card stack">
    <h3>{t('figures.arrivals.empty.title')}</h3>
    <p class="muted">{t('figures.arrivals.empty.text', { count: arrivalLimits.fewestParcels })}</p>
  </div>
);

function Windows({ rows }: { rows: readonly Said[] }) {
  const now = new Date();
  const weeksOf = (source: Said['source']) =>
    saidWeeks(
      rows.filter((row) => row.source === source),
      now,
    );
  const [ours, carriers] = [weeksOf('prediction'), weeksOf('carrier')];
  return (
    <div class="stack">
      <Answer ours={ours} carriers={carriers} />
      <ArrivalsChart ours={ours} carriers={carriers} />
      <ByCarrier ours={ours} carriers={carriers} />
    </div>
  );
}

/** The last weeks that are final, and all weeks while none is. */
function counted(weeks: readonly SaidWeek[]): readonly SaidWeek[] {
  const last = lastFinal(weeks);
  return last.length === 0 ? weeks : last;
}

const together = (weeks: readonly SaidWeek[]): Held => heldOf(weeks.flatMap(({ rows }) => rows));

function Answer({ ours, carriers }: BothSources) {
  return (
    <div class="card stack said">
      {ours.length === 0 ? <NothingOfOurs /> : <Ours weeks={ours} />}
      {carriers.length > 0 && <p class="muted">{carriersText(together(counted(carriers)))}</p>}
    </div>
  );
}

const NothingOfOurs = () => (
  <>
    <h3>{t('figures.arrivals.notYet')}</h3>
    <p>{t('figures.arrivals.notYetText', { count: arrivalLimits.fewestParcels })}</p>
  </>
);

function Ours({ weeks }: { weeks: readonly SaidWeek[] }) {
  const final = lastFinal(weeks);
  if (final.length === 0) {
    const { n, share, underWay } = together(weeks);
    return (
      <>
        <h3>{t('figures.arrivals.young')}</h3>
        <p>{t('figures.arrivals.youngText', { count: n, rate: percent(share), underWay })}</p>
      </>
    );
  }
  const held = together(final);
  const { level } = arrivalLimits;
  const whole = (share: number) => number(100 * share, { maximumFractionDigits: 0 });
  return (
    <>
      <h3>{t('figures.arrivals.message', { said: whole(level), was: whole(held.share) })}</h3>
      <p>
        {t('figures.arrivals.meaning', { count: held.n, rate: percent(held.share) })}{' '}
        {t(`figures.arrivals.verdict.${verdictOf(held, level)}`)}
      </p>
      <p class="muted">
        {t('figures.arrivals.weeks', {
          count: final.length,
          first: dayText(final[0]!.monday),
          last: dayText(lastDayOf(final.at(-1)!.monday)),
          width: hoursText(held.hours),
        })}
      </p>
    </>
  );
}

const carriersText = ({ n, share, hours }: Held): string =>
  t('figures.arrivals.carriersText', { count: n, rate: percent(share), width: hoursText(hours) });

interface CarrierRow extends Held {
  source: Said['source'];
  carrier: string | null;
}

/** The same windows as in the answer, carrier by carrier. */
function ByCarrier({ ours, carriers }: BothSources) {
  const rows = [counted(ours), counted(carriers)]
    .flatMap((weeks) => weeks.flatMap((week) => week.rows))
    .sort((a, b) => nameOf(a.carrier_reference).localeCompare(nameOf(b.carrier_reference)));
  const groups = Map.groupBy(rows, ({ carrier_reference, source }) => `${carrier_reference} ${source}`);
  return (
    <div class="stack">
      <h3>{t('figures.arrivals.byCarrier')}</h3>
      <Table<CarrierRow>
        caption={t('figures.arrivals.byCarrier')}
        columns={columns()}
        rows={[...groups.values()].map((own) => ({
          ...heldOf(own),
          source: own[0]!.source,
          carrier: own[0]!.carrier_reference,
        }))}
        rowKey={({ carrier, source }) => `${carrier} ${source}`}
      />
    </div>
  );
}

const nameOf = (carrier: string | null): string =>
  carrier === null ? t('figures.unknownCarrier') : carrierNameOf(carrier);

const columns = (): Column<CarrierRow>[] => [
  { title: t('figures.by.carrier'), cell: ({ carrier }) => nameOf(carrier) },
  { title: t('figures.arrivals.saidBy'), cell: ({ source }) => t(`figures.arrivals.sources.${source}`) },
  { title: t('figures.arrivals.windows'), cell: ({ n }) => number(n), isNumber: true },
  { title: t('figures.arrivals.held'), cell: ({ share }) => percent(share), isNumber: true },
  { title: t('figures.arrivals.width'), cell: ({ hours }) => hoursText(hours), isNumber: true },
  { title: t('figures.parcels.underWay'), cell: ({ underWay }) => number(underWay), isNumber: true },
];
