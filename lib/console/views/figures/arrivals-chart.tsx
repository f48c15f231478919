import { arrivalLimits } from '#schemas/catalogues/limits.ts';
import { number, percent, t } from '../../texts/texts.ts';
import { Chart, type Tune } from '../../ui/chart.tsx';
import { noonOf } from '../../ui/days.ts';
import { hoursText } from '../../ui/hours.ts';
import { rangeOf } from './rows.ts';
import type { BothSources, SaidWeek } from './said-weeks.ts';
import { weekLabel } from './week-text.ts';
import { mondaysFrom } from './weeks.ts';

/** How many windows held in each week, beside how many of ours are to. */
export function ArrivalsChart({ ours, carriers }: BothSources) {
  const said = [
    { title: t('figures.arrivals.lines.prediction'), colour: '--line-1', weeks: ours },
    { title: t('figures.arrivals.lines.carrier'), colour: '--line-2', dash: [10, 5], weeks: carriers },
  ].filter(({ weeks }) => weeks.length > 0);
  const mondays = mondaysFrom(said.flatMap(({ weeks }) => weeks.map(({ monday }) => monday)));
  if (mondays.length < 2) return <p class="muted">{t('figures.arrivals.tooShort')}</p>;
  const series = said.map(({ weeks, ...rest }) => ({
    ...rest,
    // In the order of the axis. Undefined: nothing was said.
    weeks: mondays.map((monday) => weeks.find((week) => week.monday === monday)),
  }));
  const isOpen = series.map(({ weeks }) => weeks.map((week) => week?.isFinal === false));
  const { low, high } = rangeOf(said[0]!.weeks.map(({ share }) => share))!;
  const inWeeks = (text: (week: SaidWeek) => string) => series[0]!.weeks.map((week) => (week ? text(week) : '–'));
  return (
    <Chart
      // What is hollow is drawn anew, also if all shares stay as they were.
      key={isOpen.join(' ')}
      title={t(ours.length > 0 ? 'figures.arrivals.between' : 'figures.arrivals.carriersBetween', {
        low: percent(low),
        high: percent(high),
      })}
      xTitle={t('figures.weeks.axis')}
      yTitle={t('figures.arrivals.yAxis')}
      times={mondays.map(noonOf)}
      timeLabel={weekLabel}
      valueLabel={percent}
      isLine
      series={[
        ...series.map(({ weeks, ...rest }) => ({ ...rest, values: weeks.map((week) => week?.share ?? null) })),
        ...(ours.length > 0 ? [guide(mondays.length)] : []),
      ]}
      tune={asShares(lowest(said.flatMap(({ weeks }) => weeks.map(({ share }) => share))), isOpen)}
      inTable={[
        { title: t('figures.arrivals.windows'), values: inWeeks(({ n }) => number(n)) },
        { title: t('figures.arrivals.width'), values: inWeeks(({ hours }) => hoursText(hours)) },
        { title: t('figures.parcels.underWay'), values: inWeeks(({ underWay }) => number(underWay)) },
        ...series.map(({ title, weeks }) => ({
          title: t('figures.arrivals.state', { whose: title }),
          values: weeks.map((week) => (week ? stateOf(week) : '–')),
        })),
      ]}
      note={`${t('figures.arrivals.note')} ${isOpen.flat().includes(true) ? t('figures.arrivals.provisional') : ''}`}
    />
  );
}

/** What is to hold, of ours. */
const guide = (count: number) => ({
  title: t('figures.arrivals.said', { level: percent(arrivalLimits.level) }),
  colour: '--muted',
  dash: [2, 4],
  values: Array.from({ length: count }, () => arrivalLimits.level),
});

/** Shares that are near to each other fill the picture; it begins at a whole tenth and shows what was said. */
const lowest = (shares: readonly number[]): number =>
  Math.max(0, Math.floor(Math.min(...shares, arrivalLimits.level) * 10 - 0.5) / 10);

/** An axis of shares, and points that are hollow where a share is not final. */
const asShares =
  (low: number, isOpen: readonly (readonly boolean[])[]): Tune =>
  (options, ink) => {
    options.scales = { y: { range: () => [low, 1.02] } };
    options.axes![1]!.values = (_plot, ticks) => ticks.map(percent);
    options.series.forEach((one, i) => {
      const open = isOpen[i - 1];
      one.points = open
        ? { show: true, size: 9, filter: () => open.flatMap((is, j) => (is ? [] : [j])) }
        : { show: false };
      if (open && typeof one.stroke === 'string') one.points.fill = one.stroke;
    });
    options.hooks = {
      draw: [
        ({ ctx, data, series, width, valToPos }) => {
          const ratio = ctx.canvas.width / width;
          isOpen.forEach((open, i) => {
            const { show, stroke } = series[i + 1]!;
            if (!show) return;
            open.forEach((is, j) => {
              const share = data[i + 1]![j];
              if (!is || share === null || share === undefined) return;
              ctx.beginPath();
              ctx.arc(valToPos(data[0][j]!, 'x', true), valToPos(share, 'y', true), 4.5 * ratio, 0, 2 * Math.PI);
              ctx.fillStyle = ink('--surface');
              ctx.fill();
              ctx.setLineDash([]);
              ctx.lineWidth = 2 * ratio;
              ctx.strokeStyle = (stroke as (plot: unknown, i: number) => string)(undefined, i + 1);
              ctx.stroke();
            });
          });
        },
      ],
    };
  };

const stateOf = ({ isFinal }: SaidWeek): string => t(isFinal ? 'figures.arrivals.final' : 'figures.arrivals.notFinal');
