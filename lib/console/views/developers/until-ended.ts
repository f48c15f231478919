import { useEffect, useRef } from 'preact/hooks';
import { type Resource, useResource } from '../../api/resource.ts';
import type { Delivery } from './target.ts';

const everyMs = 1500;

/** A delivery that waits longer is between two attempts, and may be for hours. */
const maxReads = 40;

/** Reads a delivery again while its result is still to come. In a hidden tab it waits. @param onChange after each new attempt */
export function useUntilEnded<T extends Pick<Delivery, 'status' | 'total_attempts'>>(
  key: string,
  read: (signal: AbortSignal) => Promise<T>,
  onChange?: () => void,
): Resource<T> {
  const resource = useResource(key, read);
  const reads = useRef(0);
  useEffect(() => {
    reads.current = 0;
    const timer = setInterval(() => {
      const isOpen = resource.value.value?.status === 'pending' && reads.current < maxReads;
      if (!isOpen || document.hidden || resource.isLoading.value) return;
      reads.current++;
      resource.reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [key]);
  const { status, total_attempts } = resource.value.value ?? {};
  useEffect(() => {
    if (status !== undefined) onChange?.();
  }, [status, total_attempts]);
  return resource;
}
