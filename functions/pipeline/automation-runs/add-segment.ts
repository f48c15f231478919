import type { ActionResult } from '#domain/automations/run.ts';
import { recordResult } from '#domain/automations/run-store.ts';
import { loadOrder, saveOrder } from '#domain/orders/order-store.ts';
import { retryLostRaces } from '#platform/table/retrying.ts';
import { type Doing, recorded } from './perform.ts';

/** What the contract lets an order have. */
const mostSegments = 100;

const done: ActionResult = { status: 'done' };

export function addSegment(segment: string, name: string, { run, shop, now }: Doing): Promise<ActionResult> {
  return retryLostRaces(async () => {
    const before = await loadOrder(shop.slug, run.event.order_id);
    if (!before) return { status: 'failed', reason: 'order_gone' };
    const { segments = [] } = before.order;
    if (segments.includes(segment)) return done;
    if (segments.length >= mostSegments) return { status: 'failed', reason: 'too_many_segments' };
    const earlier = await recorded(run, name);
    if (earlier) return earlier;
    const order = { ...before.order, segments: [...segments, segment], updated_at: now.toISOString() };
    await saveOrder({ shop, before, order, also: [recordResult(run, name, done)], now: now.toISOString() });
    return done;
  });
}
