import type { ActionResult } from '#domain/automations/run.ts';
import { newDelivery, type Target } from '#domain/deliveries/delivery-items.ts';
import { createDelivery } from '#domain/deliveries/delivery-store.ts';
import type { Doing } from './perform.ts';

/** Hands the event over to be delivered like any other: signed, tried again, and with its attempts on record. */
export async function deliverTo(target: Target | undefined, { run, payload, now }: Doing): Promise<ActionResult> {
  if (!target) return { status: 'failed', reason: 'integration_not_configured' };
  const { id: event_id, ref, event_group, triggered_at } = run.event;
  // The event may go to the same integration without the automation: that is another delivery.
  const occasion = { event_id, subject_id: run.id, ref, event_group, triggered_at, shop_slug: run.shop_slug };
  const delivery = newDelivery(occasion, target, now);
  await createDelivery(delivery, JSON.stringify(payload), { wake: { probe: false } });
  return { status: 'done', delivery: { target: target.id, id: delivery.id } };
}
