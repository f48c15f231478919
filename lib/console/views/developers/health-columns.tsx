import { t } from '../../texts/texts.ts';
import { type Healths, knownHealth } from '../../ui/health-state.tsx';
import type { Column } from '../../ui/list.tsx';
import { Latency, SuccessRate, Waiting } from './health.tsx';

export const healthColumns = <T,>(healths: Healths, idOf: (row: T) => string): Column<T>[] =>
  (
    [
      ['rate', SuccessRate],
      ['waits', Waiting],
      ['answers', Latency],
    ] as const
  ).map(([name, Cell]) => ({
    title: t(`developers.health.${name}`),
    cell: (row) => {
      const health = knownHealth(healths, idOf(row));
      return health && health.of_last > 0 ? <Cell health={health} /> : '–';
    },
  }));
