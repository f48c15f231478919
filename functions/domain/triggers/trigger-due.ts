import { type Due, type DueItem, dueItem } from '#domain/due/due-item.ts';
import type { Shipment } from '#domain/orders/model.ts';
import type { InternalTrigger } from '#domain/settings/trigger-settings.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';

/** An internal trigger and who is told when it fires. */
export interface OwnedTrigger {
  third_party: ThirdParty;
  trigger: InternalTrigger;
}

/** A trigger that is to fire for a shipment: one item, which stays as a mark once it has fired. */
export interface TriggerDue extends Due {
  kind: 'internal_trigger';
  order_id: string;
  shipment_id: string;
  third_party: ThirdParty;
  trigger_id: string;
  /** Of the shipment that it was planned for; 0 where that was a draft line of its order. */
  version: number;
}

export type TriggerDueItem = TriggerDue & DueItem;

export function triggerDueItem(
  slug: string,
  { uuid, order_id }: Pick<Shipment, 'uuid' | 'order_id'>,
  version: number,
  { third_party, trigger }: OwnedTrigger,
  due_at: string,
): TriggerDueItem {
  return dueItem(keyOf.dueTrigger(slug, order_id, uuid, third_party, trigger.id), {
    kind: 'internal_trigger',
    shop_slug: slug,
    due_at,
    order_id,
    shipment_id: uuid,
    third_party,
    trigger_id: trigger.id,
    version,
  });
}
