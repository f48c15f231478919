import { type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/** What a view reads: it keeps the last value while it reads the next one. */
export interface Resource<T> {
  value: Signal<T | undefined>;
  failure: Signal<unknown>;
  isLoading: Signal<boolean>;
  /** Reads again; the present value stays until then. */
  reload: () => Promise<void>;
}

/**
 * Reads when the view opens and whenever `key` changes. A read that was overtaken by another one is cancelled, so that an
 * old answer never replaces a newer one.
 */
export function useResource<T>(key: string, read: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const resource = useMemo(() => newResource<T>(), []);
  resource.read = read;
  useEffect(() => {
    resource.reload();
    return () => resource.stop();
  }, [key]);
  return resource;
}

function newResource<T>() {
  const value = signal<T | undefined>(undefined);
  const failure = signal<unknown>(undefined);
  const isLoading = signal(true);
  let running: AbortController | undefined;
  const resource = {
    value,
    failure,
    isLoading,
    read: (_signal: AbortSignal): Promise<T> => Promise.reject(new Error('not set')),
    stop: () => running?.abort(),
    reload: async () => {
      running?.abort();
      const own = new AbortController();
      running = own;
      isLoading.value = true;
      try {
        const read = await resource.read(own.signal);
        if (own.signal.aborted) return;
        value.value = read;
        failure.value = undefined;
      } catch (error) {
        if (own.signal.aborted) return;
        failure.value = error;
      }
      isLoading.value = false;
    },
  };
  return resource;
}
