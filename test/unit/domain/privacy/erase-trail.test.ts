import { expect, test } from 'vitest';
import { claimItem, claimReferenceItem, historyItem } from '#domain/claims/claim-store.ts';
import { newDelivery } from '#domain/deliveries/delivery-items.ts';
import { messageEvent } from '#domain/orders/outbox.ts';
import { trailsOf } from '#domain/privacy/erase-trail.ts';
import { keyOf } from '#platform/table/keys.ts';
import { claimId, claimOf, madeAt, parcel } from '#test/kit/claims.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';

const slug = 'blue';
const at = '2026-11-15T09:00:00.000Z';
const claim = claimOf({ updated_at: at, message_count: 1 });

test('what was sent about a message in a claim is found when its event is gone', async () => {
  tableWith(
    shopItem(slug),
    claimItem(slug, claim, 2),
    claimReferenceItem(slug, claim),
    historyItem(slug, claim, 1, { at: madeAt, by: 'key', by_name: 'ERP', action: 'created', changes: [] }),
    historyItem(slug, claim, 2, { at, by: 'customer', by_name: 'customer', action: 'message', changes: [] }),
  );
  const { id, ref, event_group, triggered_at } = messageEvent(claim, { uuid: 'm', from: 'customer' }, 2, 'customer');
  const target = { id: 'email', kind: 'email' as const };
  const source = { event_id: id, subject_id: claimId, ref, event_group, triggered_at, shop_slug: slug };
  const delivery = newDelivery(source, target, new Date(at), 0);
  memoryTable.put({ ...keyOf.delivery(slug, target.id, delivery.id), ...delivery });
  const found = [];
  const fullOrder = { order: parcel.order, shipments: [parcel.shipment] };
  for await (const { deliveries } of trailsOf({ slug, uuid: 'u' }, fullOrder, { targets: [target], automations: [] })) {
    found.push(...deliveries.map((one) => one.id));
  }
  expect(found).toEqual([delivery.id]);
});
