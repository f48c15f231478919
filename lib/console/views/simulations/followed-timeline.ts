import { useEffect } from 'preact/hooks';
import { call } from '../../api/client.ts';
import { type Resource, useResource } from '../../api/resource.ts';
import type { TimelineEntry } from '../../ui/timeline.tsx';
import { isGoingOn } from './reading-on.ts';

const everyMs = 1500;

/**
 * The timeline of the order, read whenever the simulation has moved. Deliveries are sent a moment after the move, so it is
 * read on for a while, without a sign that would flicker. In a hidden tab it waits.
 */
export function useFollowedTimeline(orderId: string, state: string): Resource<TimelineEntry[]> {
  const read = (signal: AbortSignal) => call('getOrderTimeline', { params: { order_id: orderId }, signal });
  const timeline = useResource(`${orderId} ${state}`, read);
  useEffect(() => {
    const leaving = new AbortController();
    let reads = 0;
    const timer = setInterval(async () => {
      if (document.hidden || timeline.isLoading.value) return;
      if (!isGoingOn(reads++, timeline.value.value ?? [])) return clearInterval(timer);
      const entries = await read(leaving.signal).catch(() => undefined);
      if (entries && !leaving.signal.aborted) timeline.value.value = entries;
    }, everyMs);
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [orderId, state]);
  return timeline;
}
