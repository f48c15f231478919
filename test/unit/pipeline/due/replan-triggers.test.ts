import { expect, test } from 'vitest';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { askToReplan } from '#domain/triggers/plan-store.ts';
import { aTrigger, hoursAfter, noon, triggersItem } from '#test/kit/internal-triggers.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { parcelItems } from '#test/kit/parcels.ts';
import { roundAt } from '#test/kit/shop-with-triggers.ts';
import { spreads, writtenAs } from '#test/kit/spread-shipments.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';

test.each(spreads)(
  'a new trigger is planned for every shipment and every draft, if shipments are %s',
  async (spread) => {
    const trigger = aTrigger({ time_threshold_value: 24 * 60 });
    tableWith(shopItem('blue'), triggersItem('blue', 'webhook', trigger));
    for (let n = 0; n < 30; n++) memoryTable.put(...writtenAs(spread, n, () => parcelItems('blue', `P${n}`)));
    for (let n = 0; n < 12; n++) {
      const order = newOrder(newOrderId(new Date(noon)), { order_number: `D${n}` }, new Date(noon));
      memoryTable.put(orderItem('blue', order, 1));
    }
    await askToReplan('blue', new Date(hoursAfter(noon, 1)));
    expect(await roundAt(1.1)).toMatchObject({ done: 1 });
    const plans = memoryTable.all('DUE#blue#').filter(({ sk }) => sk.startsWith('TRIGGERS#'));
    expect(plans).toHaveLength(30 + 12);
  },
);
