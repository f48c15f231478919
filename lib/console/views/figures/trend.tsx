import { number, t } from '../../texts/texts.ts';
import { Chart, type Tune } from '../../ui/chart.tsx';
import { noonOf } from '../../ui/days.ts';
import { hoursText } from '../../ui/hours.ts';
import { type Division, keyOf, nameOf, type Row, rangeOf } from './rows.ts';
import { unitFor } from './unit.ts';
import { dayText, weekLabel } from './week-text.ts';
import { provisional, type Week, weeksOf } from './weeks.ts';

/** More lines than this nobody can tell apart. */
const lines = [
  { colour: '--line-1', dash: [] },
  { colour: '--line-2', dash: [10, 5] },
  { colour: '--line-3', dash: [3, 4] },
  { colour: '--line-4', dash: [12, 4, 3, 4] },
];

interface TrendProps {
  /** The biggest first. */
  rows: readonly Row[];
  weeks: readonly Row[];
  by: Division;
}

/** How the median changes from week to week, for those with the most parcels. */
export function Trend({ rows, weeks: rowsOfWeeks, by }: TrendProps) {
  const weeks = weeksOf(rowsOfWeeks);
  if (weeks.length < 2) return <p class="muted">{t('figures.weeks.tooShort')}</p>;
  const drawn = rows.slice(0, lines.length).map((row) => ({
    name: nameOf(row, by),
    hours: weeks.map(({ week }) => {
      const found = rowsOfWeeks.find((one) => one.week === week && keyOf(one) === keyOf(row));
      return found?.median_hours ?? null;
    }),
  }));
  const unit = unitFor(rangeOf(drawn.flatMap(({ hours }) => hours))?.high ?? 0);
  const young = provisional(weeks);
  const settled = weeks.length - young.length - 1;
  return (
    <Chart
      title={messageOf(drawn[0]!, weeks[settled], settled)}
      xTitle={t('figures.weeks.axis')}
      yTitle={t('figures.weeks.yAxis', { unit: unit.name })}
      times={weeks.map(({ monday }) => noonOf(monday))}
      timeLabel={weekLabel}
      valueLabel={(value) => hoursText(value * unit.hours)}
      series={drawn.map(({ name, hours }, i) => ({
        title: name,
        ...lines[i]!,
        values: hours.map((value) => value && value / unit.hours),
      }))}
      isLine
      tune={young[0] && shadedFrom(halfAWeekBefore(young[0].monday))}
      inTable={[
        { title: t('figures.parcels.shipped'), values: weeks.map(({ shipped }) => number(shipped)) },
        { title: t('figures.parcels.underWay'), values: weeks.map(({ underWay }) => number(underWay)) },
      ]}
      note={
        <>
          {t('figures.weeks.meaning')} {young.length > 0 && youngNote(young)}
        </>
      }
    />
  );
}

function messageOf({ name, hours }: { name: string; hours: readonly (number | null)[] }, week?: Week, i = 0): string {
  const value = hours[i] ?? null;
  if (!week || value === null) return t('figures.weeks.unknown', { name });
  return t('figures.weeks.message', { name, week: dayText(week.monday), time: hoursText(value) });
}

const youngNote = (young: readonly Week[]): string =>
  t('figures.weeks.provisional', {
    weeks: young
      .map(({ monday, shipped, underWay }) =>
        t('figures.weeks.young', {
          week: dayText(monday),
          underWay: number(underWay),
          shipped: number(shipped),
        }),
      )
      .join('; '),
  });

/** From this time on, the ground is shaded. */
const shadedFrom =
  (time: string): Tune =>
  (options, ink) => {
    options.hooks = {
      drawClear: [
        ({ ctx, bbox, valToPos }) => {
          const x = Math.max(bbox.left, valToPos(Date.parse(time) / 1000, 'x', true));
          ctx.fillStyle = ink('--soft');
          ctx.fillRect(x, bbox.top, bbox.left + bbox.width - x, bbox.height);
        },
      ],
    };
  };

/** The shade begins between the last point that stays and the first that may change. */
const halfAWeekBefore = (monday: string): string =>
  new Date(Date.parse(noonOf(monday)) - 3.5 * 86_400_000).toISOString();
