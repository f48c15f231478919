import { DecryptCommand, GenerateDataKeyWithoutPlaintextCommand, KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler as automations } from '#api/automations/handler.ts';
import { handler as claims } from '#api/claims/handler.ts';
import { handler as deals } from '#api/deals/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as settings } from '#api/settings/handler.ts';
import { handler as webhooks } from '#api/webhooks/handler.ts';
import { orderItem, shipmentItem, trackingItem } from '#domain/orders/order-items.ts';
import { keyOf } from '#platform/table/keys.ts';
import { endpointLimits, orderLimits, recordLimits, shipmentLimits } from '#schemas/catalogues/limits.ts';
import { anAutomation, storedAutomation } from '#test/kit/automations.ts';
import { parcel } from '#test/kit/claims.ts';
import { storedEndpoint } from '#test/kit/endpoints.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, operator, shopItem, tableWith } from '#test/kit/table.ts';

/** A limit must hold when many requests come at once: each of them sees the list before the others add to it. */

process.env.CREDENTIALS_KEY_ID = 'credentials';
const kms = mockClient(KMSClient);

const discount = '018f0000-0000-7000-8000-000000000001';
const { order, shipment } = parcel;

beforeEach(() => {
  kms.on(GenerateDataKeyWithoutPlaintextCommand).resolves({ CiphertextBlob: Buffer.from('wrapped') });
  kms.on(DecryptCommand).resolves({ Plaintext: Buffer.alloc(32) });
  tableWith(
    operator.item,
    shopItem('blue'),
    { ...keyOf.record('discounts', 'blue', discount), uuid: discount },
    orderItem('blue', order, 1),
    shipmentItem('blue', shipment, 1),
    trackingItem('blue', 'T-1', shipment),
  );
});

const call = (handler: typeof deals, method: string, path: string, body?: object, params: object = {}) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${path}`,
    params: { slug: 'blue', ...params },
    headers: asOperator,
    ...(body && { body }),
  });

interface Limited {
  max: number;
  /** How many of them exist before the requests. They are older than the counter. */
  existing: number;
  existingItem?(i: number): object;
  create(i: number): ReturnType<typeof call>;
  stored(): number;
  /** Where a list can be shortened. */
  remove?(uuid: string): ReturnType<typeof call>;
}

const storedIn = (prefix: string) => memoryTable.all().filter(({ pk, sk }) => `${pk} ${sk}`.startsWith(prefix)).length;

const kinds: Record<string, Limited> = {
  endpoints: {
    max: endpointLimits.endpoints,
    existing: 25,
    existingItem: (i) => storedEndpoint({ uuid: `existing-${i}` }),
    create: (i) => call(webhooks, 'POST', '/webhooks', { url: `https://example.com/${i}` }),
    stored: () => storedIn('SHOP#blue WEBHOOK#'),
    remove: (uuid) => call(webhooks, 'DELETE', '/webhooks/{uuid}', undefined, { uuid }),
  },
  automations: {
    max: recordLimits.automations,
    existing: 25,
    existingItem: (i) => storedAutomation(anAutomation({ uuid: `existing-${i}` })),
    create: (i) => {
      const actions = [{ type: 'webhook', params: { url: 'https://example.com/hook' } }];
      return call(automations, 'POST', '/automations', { name: `Automation ${i}`, trigger: { ref: '*' }, actions });
    },
    stored: () => storedIn('AUTOMATIONS#blue RECORD#'),
    remove: (uuid) => call(automations, 'DELETE', '/automations/{automation_id}', undefined, { automation_id: uuid }),
  },
  deals: {
    max: recordLimits.deals,
    existing: recordLimits.deals - 25,
    existingItem: (i) => keyOf.record('deals', 'blue', `existing-${i}`),
    create: () => call(deals, 'POST', '/deals', { discount_id: discount }),
    stored: () => storedIn('DEALS#blue RECORD#'),
    remove: (uuid) => call(deals, 'DELETE', '/deals/{deal_id}', undefined, { deal_id: uuid }),
  },
  'internal triggers': {
    max: recordLimits.internalTriggers,
    existing: 0,
    create: (i) => {
      const rule = { operator: 'AND', time_threshold_type: 'created_at', time_threshold_value: 24 };
      const path = '/settings/triggers/{integration}/internal-triggers';
      return call(settings, 'POST', path, { name: `Trigger ${i}`, ...rule }, { integration: 'webhook' });
    },
    stored: () => {
      const item = memoryTable.read(keyOf.internalTriggers('blue', 'webhook'));
      return ((item?.internal_triggers ?? []) as unknown[]).length;
    },
  },
  'claims of an order': {
    max: orderLimits.claims,
    existing: 0,
    create: () => call(claims, 'POST', '/claims', { tracking_number: 'T-1', reason: 'damage' }),
    stored: () => storedIn(`CLAIMS#blue#${order.uuid} CLAIM#`),
  },
  'orders in a parcel': {
    max: shipmentLimits.ordersInOneParcel,
    existing: 1,
    existingItem: () => trackingItem('blue', 'T-1', shipment),
    create: (i) => call(orders, 'PUT', '/orders', { id: `N-${i}`, order: {}, trackings: [{ tracking_number: 'T-1' }] }),
    stored: () => storedIn('TRACKINGREF#blue#T-1 '),
  },
};

describe.each(Object.entries(kinds))(
  'the limit of %s',
  (_, { max, existing, existingItem, create, stored, remove }) => {
    beforeEach(() => memoryTable.put(...Array.from({ length: existing }, (_, i) => existingItem!(i))));

    const atOnce = (count: number, first = 0) =>
      Promise.all(Array.from({ length: count }, (_, i) => create(first + i)));

    test('holds when a hundred requests come at once, and more when it is full', async () => {
      const answers = await atOnce(Math.max(100, max - existing + 5));
      expect(stored()).toBe(max);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(max - existing);
      for (const { status } of answers) expect([200, 422, 413]).toContain(status);
      expect([422, 413]).toContain((await create(1000)).status);
    });

    if (!remove) return;

    test('counts what is removed at the same time', async () => {
      const created = (await atOnce(max - existing)).map(({ body }) => body.uuid as string);
      const [removed] = await Promise.all([
        Promise.all([...created.slice(0, 15), ...created.slice(10, 20)].map((uuid) => remove(uuid))),
        atOnce(15, 100),
      ]);
      expect(removed.filter(({ status }) => status < 300)).toHaveLength(20);
      expect(removed.filter(({ status }) => status === 404)).toHaveLength(5);
      const free = max - stored();
      expect(free).toBeGreaterThan(0);
      const answers = await atOnce(free + 5, 200);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(free);
      expect(stored()).toBe(max);
    });
  },
);
