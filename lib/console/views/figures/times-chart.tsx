import { number, t } from '../../texts/texts.ts';
import { hoursText } from '../../ui/hours.ts';
import type { Column } from '../../ui/list.tsx';
import { type Placed, RowChart } from '../../ui/row-chart.tsx';
import { type Division, drawnRows, keyOf, nameOf, type Row, rangeOf } from './rows.ts';
import { unitFor } from './unit.ts';

interface RowsProps {
  /** The biggest first. */
  rows: readonly Row[];
  by: Division;
}

/** Until when half of the parcels are there, and nine of ten. */
export function TimesChart({ rows, by }: RowsProps) {
  const drawn = rows.slice(0, drawnRows);
  const longest = rangeOf(drawn.flatMap(({ median_hours, p90_hours }) => [median_hours, p90_hours]))?.high ?? 24;
  const unit = unitFor(longest);
  return (
    <RowChart
      title={messageOf(rows)}
      axisTitle={unit.title}
      max={(longest / unit.hours) * 1.05}
      tickLabel={(value) => number(value)}
      legend={[
        ['half', t('figures.times.half')],
        ['most', t('figures.times.most')],
      ]}
      rows={drawn.map((row) => ({
        key: keyOf(row),
        name: nameOf(row, by),
        value: <Times row={row} />,
        draw: (place) => <TimeBars row={row} place={(hours) => place(hours / unit.hours)} />,
      }))}
      note={noteOf(rows[0]!, by)}
      table={{ columns: columnsOf(by), rows, rowKey: keyOf }}
    />
  );
}

function messageOf(rows: readonly Row[]): string {
  const medians = rangeOf(rows.map(({ median_hours }) => median_hours));
  if (!medians) return t('figures.times.unknown');
  const [low, high] = [hoursText(medians.low), hoursText(medians.high)];
  return low === high ? t('figures.times.one', { time: low }) : t('figures.times.between', { low, high });
}

const timeOf = (hours: number | null): string => (hours === null ? t('chart.notReached') : hoursText(hours));

/** Two times, which break between them and not within. */
const Times = ({ row: { median_hours, p90_hours } }: { row: Row }) =>
  median_hours === null ? (
    <span>{t('chart.notReached')}</span>
  ) : (
    <>
      <span class="whole">{timeOf(median_hours)} ·</span> <span class="whole">{timeOf(p90_hours)}</span>
    </>
  );

/** What is not reached yet goes on beyond what is known. */
const TimeBars = ({ row: { median_hours, p90_hours }, place }: { row: Row; place: Placed }) => (
  <>
    {p90_hours !== null && <rect class="most" width={place(p90_hours)} y="50%" height="16" rx="2" />}
    {median_hours !== null && <rect class="half" width={place(median_hours)} y="50%" height="16" rx="2" />}
    {p90_hours === null && <line class="open-end" x1={place(median_hours ?? 0)} x2="100%" y1="50%" y2="50%" />}
  </>
);

function noteOf(row: Row, by: Division): string {
  const name = nameOf(row, by);
  const half =
    row.median_hours === null
      ? t('figures.times.noteUnknown', { name })
      : t(by === 'carrier' ? 'figures.times.noteOfCarrier' : 'figures.times.note', {
          name,
          time: hoursText(row.median_hours),
        });
  return `${half} ${t('figures.times.meaning')}`;
}

const columnsOf = (by: Division): Column<Row>[] => [
  { title: t(`figures.by.${by}`), cell: (row) => nameOf(row, by) },
  { title: t('figures.times.half'), cell: ({ median_hours }) => timeOf(median_hours), isNumber: true },
  { title: t('figures.times.most'), cell: ({ p90_hours }) => timeOf(p90_hours), isNumber: true },
  { title: t('figures.parcels.shipped'), cell: ({ shipped }) => number(shipped), isNumber: true },
  { title: t('figures.parcels.underWay'), cell: ({ under_way }) => number(under_way), isNumber: true },
];
