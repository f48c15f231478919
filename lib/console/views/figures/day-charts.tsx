import type { DayFigures } from '#schemas/families/analytics.ts';
import { number, t } from '../../texts/texts.ts';
import { Chart } from '../../ui/chart.tsx';
import { dayLabel, noonOf } from '../../ui/days.ts';

type Counter = Exclude<keyof DayFigures, 'day'>;

const parcels = ['orders', 'shipped', 'delivered', 'claims'] as const;
const customers = ['pages_opened', 'mails_sent', 'promotions_shown', 'promotions_clicked'] as const;

const colours = ['--line-1', '--line-3', '--arrived', '--attention'];

const sum = (days: readonly DayFigures[], name: Counter) => days.reduce((all, day) => all + day[name], 0);

export const hasHappened = (days: readonly DayFigures[]): boolean =>
  [...parcels, ...customers].some((name) => sum(days, name) > 0);

/** What happened in the shop, each on the day it happened. */
export function DayCharts({ days }: { days: readonly DayFigures[] }) {
  const totals = (names: readonly Counter[]) =>
    Object.fromEntries(names.map((name) => [name, number(sum(days, name))]));
  const shared = { xTitle: t('figures.days.axis'), times: days.map(({ day }) => noonOf(day)), timeLabel: dayLabel };
  const seriesOf = (names: readonly Counter[]) =>
    names.map((name, i) => ({
      title: t(`figures.days.${name}`),
      colour: colours[i]!,
      values: days.map((day) => day[name]),
    }));
  return (
    <div class="figure-pair">
      <Chart
        {...shared}
        title={t('figures.days.parcels', totals(parcels))}
        yTitle={t('figures.days.count')}
        series={seriesOf(parcels)}
        isLine
        note={t('figures.days.parcelsMeaning')}
      />
      <Chart
        {...shared}
        title={t('figures.days.customers', totals(customers))}
        yTitle={t('figures.days.count')}
        series={seriesOf(customers)}
        isLine
        note={t('figures.days.customersMeaning')}
      />
    </div>
  );
}
