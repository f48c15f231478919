import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { t } from '../texts/texts.ts';
import { figuresOf, type Health, type HealthFigures, healthOf } from './health.ts';
import { textOf } from './states.tsx';
import { State } from './tone.tsx';

export function HealthState({ figures }: { figures: HealthFigures }) {
  const { word, tone } = healthOf(figures);
  return <State tone={tone}>{t(`health.words.${word}`)}</State>;
}

/** The health of each target of a list. It comes after the list, because each is read for itself. */
export type Healths = Signal<Record<string, Health | { failure: unknown }>>;

export function useHealths(
  ids: readonly string[],
  read: (id: string, signal: AbortSignal) => Promise<Health>,
): Healths {
  const healths: Healths = useMemo(() => signal({}), []);
  useEffect(() => {
    const own = new AbortController();
    for (const id of ids) {
      const found = (value: Health | { failure: unknown }) => {
        if (!own.signal.aborted) healths.value = { ...healths.value, [id]: value };
      };
      read(id, own.signal).then(found, (failure) => found({ failure }));
    }
    return () => own.abort();
  }, [ids.join()]);
  return healths;
}

export function knownHealth(healths: Healths, id: string): Health | undefined {
  const health = healths.value[id];
  return health && 'circuit' in health ? health : undefined;
}

export function HealthCell({ healths, id }: { healths: Healths; id: string }) {
  const health = healths.value[id];
  if (!health) return <span class="muted">{t('common.loading')}</span>;
  if ('failure' in health) return <span class="fault">{textOf(health.failure)}</span>;
  return <HealthState figures={figuresOf(health)} />;
}
