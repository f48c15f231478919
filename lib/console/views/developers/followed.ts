import { useEffect, useRef } from 'preact/hooks';
import type { Resource } from '../../api/resource.ts';
import type { Delivery } from './target.ts';

const everyMs = 3000;

/** What waits longer is between two attempts, and may be for hours. */
const maxReads = 40;

/** Reads a list again after something was sent, and while an attempt is to come soon. In a hidden tab it waits. */
export function useFollowed<T>(
  list: Resource<T>,
  deliveriesIn: (value: T) => readonly Delivery[],
  revision: number,
): void {
  const reads = useRef(0);
  const first = useRef(revision);
  useEffect(() => {
    reads.current = 0;
    if (revision !== first.current) list.reload();
    const timer = setInterval(() => {
      const { value } = list.value;
      const isOpen = value !== undefined && deliveriesIn(value).some(isSoon) && reads.current < maxReads;
      if (!isOpen || document.hidden || list.isLoading.value) return;
      reads.current++;
      list.reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [revision]);
}

const soonMs = 60_000;

const isSoon = ({ status, next_attempt_at }: Delivery) =>
  status === 'pending' && (next_attempt_at === null || Date.parse(next_attempt_at) - Date.now() < soonMs);
