import type { Answer } from '../../api/client.ts';
import { number, t } from '../../texts/texts.ts';
import { Chart } from '../../ui/chart.tsx';
import { dayLabel, noonOf } from '../../ui/days.ts';

type Days = Answer<'getOverview'>;

const names = ['orders', 'shipped', 'delivered'] as const;
const colours = { orders: '--moving', shipped: '--attention', delivered: '--arrived' };

/** The same counts as in the figures: what was ordered, handed over and delivered on each day. */
export function DaysChart({ days }: { days: Days }) {
  const sums = names.map((name) => [name, number(days.reduce((all, day) => all + day[name], 0))]);
  return (
    <Chart
      title={t('overview.orders.title', { ...Object.fromEntries(sums), count: days.length })}
      xTitle={t('overview.days.axis')}
      yTitle={t('overview.orders.axis')}
      times={days.map(({ day }) => noonOf(day))}
      timeLabel={dayLabel}
      isLine
      series={names.map((name) => ({
        title: t(`overview.orders.${name}`),
        colour: colours[name],
        values: days.map((day) => day[name]),
      }))}
    />
  );
}
