import { expect, test } from 'vitest';
import { handler } from '#api/webhooks/handler.ts';
import { goneEndpointsOf } from '#domain/endpoints/endpoint-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { listener } from '#test/kit/outbox-records.ts';
import { asOperator, operator, shopItem, tableWith } from '#test/kit/table.ts';

const uuid = '01930000-0000-7000-8000-0000000000e1';

test('a deleted endpoint is known for longer than its deliveries are kept', async () => {
  tableWith(operator.item, shopItem('blue'), listener('blue', uuid));
  expect(await goneEndpointsOf('blue')).toEqual([]);
  const call = { method: 'DELETE', resource: '/v1/shops/{slug}/webhooks/{uuid}', headers: asOperator };
  expect((await invoke(handler, { ...call, params: { slug: 'blue', uuid } })).status).toBe(200);
  expect(await goneEndpointsOf('blue')).toEqual([uuid]);
  const { expires_at } = memoryTable.read(keyOf.goneWebhook('blue', uuid)) as unknown as { expires_at: number };
  expect(expires_at - Date.now() / 1000).toBeGreaterThan(deliveryLimits.days * 24 * 3600);
});
