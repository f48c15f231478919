import { number, percent, type TextKey, t } from '../../texts/texts.ts';
import type { Column } from '../../ui/list.tsx';
import { RowChart } from '../../ui/row-chart.tsx';
import { type Division, drawnRows, keyOf, nameOf, perThousand, type Row, rangeOf, sumOf } from './rows.ts';

interface Rate {
  name: 'attempts' | 'promises' | 'claims' | 'ratings';
  /** Null: not known. */
  rateOf: (row: Row) => number | null;
  /** What the rate is of or counts, if the service says so. */
  counted?: { title: TextKey; of: (row: Row) => number };
  max: (highest: number) => number;
  text: (value: number) => string;
  message: (rows: readonly Row[]) => string;
}

const oneDigit = (value: number) => number(value, { maximumFractionDigits: 1 });

const rates: readonly Rate[] = [
  {
    name: 'attempts',
    rateOf: (row) => row.first_attempt_rate,
    max: () => 1,
    text: percent,
    message: (rows) => {
      const { low, high } = rangeOf(rows.map((row) => row.first_attempt_rate))!;
      const [least, most] = [percent(low), percent(high)];
      return least === most
        ? t('figures.rates.attempts.one', { rate: least })
        : t('figures.rates.attempts.between', { low: least, high: most });
    },
  },
  {
    name: 'promises',
    rateOf: ({ promised: { n, kept } }) => (n === 0 ? null : kept / n),
    counted: { title: 'figures.rates.promises.count', of: ({ promised }) => promised.n },
    max: () => 1,
    text: percent,
    message: (rows) => {
      const all = sumOf(rows, ({ promised }) => promised.n);
      const rate = percent(sumOf(rows, ({ promised }) => promised.kept) / all);
      return t('figures.rates.promises.message', { rate, all: number(all) });
    },
  },
  {
    name: 'claims',
    rateOf: perThousand,
    counted: { title: 'figures.rates.claims.count', of: ({ claims }) => claims },
    max: (highest) => Math.max(highest * 1.05, 1),
    text: oneDigit,
    message: (rows) => {
      const claims = sumOf(rows, (row) => row.claims);
      const rate = (1000 * claims) / sumOf(rows, (row) => row.shipped);
      return t('figures.rates.claims.message', { rate: oneDigit(rate), count: claims });
    },
  },
  {
    name: 'ratings',
    rateOf: ({ rating }) => rating.mean,
    counted: { title: 'figures.rates.ratings.count', of: ({ rating }) => rating.n },
    max: () => 5,
    text: oneDigit,
    message: (rows) => {
      const count = sumOf(rows, ({ rating }) => rating.n);
      const stars = sumOf(rows, ({ rating }) => rating.n * (rating.mean ?? 0));
      return t('figures.rates.ratings.message', { mean: oneDigit(stars / count), count });
    },
  },
];

interface RatesProps {
  /** The biggest first. */
  rows: readonly Row[];
  by: Division;
}

/** How well carriers deliver: one chart for each question. */
export const Rates = ({ rows, by }: RatesProps) => (
  <div class="figure-pair">
    {rates.map((rate) => (
      <RateChart key={rate.name} rate={rate} rows={rows} by={by} />
    ))}
  </div>
);

function RateChart({ rate, rows, by }: RatesProps & { rate: Rate }) {
  const { name, rateOf, max, text } = rate;
  const known = rows.filter((row) => rateOf(row) !== null);
  if (known.length === 0) {
    return (
      <section class="card stack">
        <h3>{t(`figures.rates.${name}.axis`)}</h3>
        <p class="muted">{t(`figures.rates.${name}.none`)}</p>
      </section>
    );
  }
  const drawn = known.slice(0, drawnRows);
  return (
    <RowChart
      title={rate.message(known)}
      axisTitle={t(`figures.rates.${name}.axis`)}
      max={max(rangeOf(drawn.map(rateOf))!.high)}
      tickLabel={text}
      rows={drawn.map((row) => ({
        key: keyOf(row),
        name: nameOf(row, by),
        value: text(rateOf(row)!),
        draw: (place) => <rect class="half" width={place(rateOf(row)!)} y="50%" height="16" rx="2" />,
      }))}
      note={t(`figures.rates.${name}.meaning`)}
      table={{ columns: columnsOf(rate, by), rows: known, rowKey: keyOf }}
    />
  );
}

const columnsOf = ({ name, rateOf, counted, text }: Rate, by: Division): Column<Row>[] => [
  { title: t(`figures.by.${by}`), cell: (row) => nameOf(row, by) },
  { title: t(`figures.rates.${name}.axis`), cell: (row) => text(rateOf(row)!), isNumber: true },
  ...(counted ? [{ title: t(counted.title), cell: (row: Row) => number(counted.of(row)), isNumber: true }] : []),
  { title: t('figures.parcels.shipped'), cell: ({ shipped }) => number(shipped), isNumber: true },
];
