import type { Answer } from '../../api/client.ts';
import { number, t } from '../../texts/texts.ts';
import { Chart } from '../../ui/chart.tsx';
import { dayLabel, noonOf } from '../../ui/days.ts';

type Days = Answer<'getStatistics'>['orders']['days'];

export function OrdersChart({ days }: { days: Days }) {
  const sum = days.reduce((all, { count }) => all + count, 0);
  return (
    <Chart
      title={t('overview.orders.title', { sum: number(sum), count: days.length })}
      xTitle={t('overview.days.axis')}
      yTitle={t('overview.orders.axis')}
      times={days.map(({ day }) => noonOf(day))}
      timeLabel={dayLabel}
      series={[{ title: t('overview.orders.axis'), colour: '--moving', values: days.map(({ count }) => count) }]}
    />
  );
}
