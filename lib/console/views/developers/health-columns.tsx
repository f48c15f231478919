import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../../texts/texts.ts';
import type { Column } from '../../ui/list.tsx';
import { textOf } from '../../ui/states.tsx';
import { Circuit, Latency, Overall, SuccessRate } from './health.tsx';
import type { Health, Target } from './target.ts';

/** The health of each target of a list. It comes after the list, because each is read for itself. */
export type Healths = Signal<Record<string, Health | { failure: unknown }>>;

export function useHealths(ids: readonly string[], targetOf: (id: string) => Target): Healths {
  const healths: Healths = useMemo(() => signal({}), []);
  useEffect(() => {
    const own = new AbortController();
    for (const id of ids) {
      const found = (value: Health | { failure: unknown }) => {
        if (!own.signal.aborted) healths.value = { ...healths.value, [id]: value };
      };
      targetOf(id)
        .health(own.signal)
        .then(found, (failure) => found({ failure }));
    }
    return () => own.abort();
  }, [ids.join()]);
  return healths;
}

function knownHealth(healths: Healths, id: string): Health | undefined {
  const health = healths.value[id];
  return health && 'circuit' in health ? health : undefined;
}

export function HealthCell({ healths, id }: { healths: Healths; id: string }) {
  const health = healths.value[id];
  if (!health) return <span class="muted">{t('common.loading')}</span>;
  return 'failure' in health ? <span class="fault">{textOf(health.failure)}</span> : <Overall health={health} />;
}

export const healthColumns = <T,>(healths: Healths, idOf: (row: T) => string): Column<T>[] =>
  (
    [
      ['rate', SuccessRate],
      ['answers', Latency],
      ['sending', Circuit],
    ] as const
  ).map(([name, Cell]) => ({
    title: t(`developers.health.${name}`),
    cell: (row) => {
      const health = knownHealth(healths, idOf(row));
      return health && health.of_last > 0 ? <Cell health={health} /> : '–';
    },
  }));
