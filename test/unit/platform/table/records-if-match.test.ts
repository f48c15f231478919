import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as abTests } from '#api/ab-tests/handler.ts';
import { handler as announcements } from '#api/announcements/handler.ts';
import { handler as automations } from '#api/automations/handler.ts';
import { handler as campaigns } from '#api/campaigns/handler.ts';
import { handler as deals } from '#api/deals/handler.ts';
import { handler as discounts } from '#api/discounts/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { RecordKindName } from '#schemas/catalogues/table.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const editor = keyFor('blue', 'editor');
const uuid = '01930000-0000-7000-8000-00000000000a';
const discount_id = '01930000-0000-7000-8000-00000000000d';
const read = '2026-11-16T10:00:00.000Z';

const stored = (kind: RecordKindName, fields: object = {}, id = uuid) => ({
  ...keyOf.record(kind, 'blue', id),
  ...{ uuid: id, shop_slug: 'blue', created_at: read, updated_at: read, version: 3 },
  ...fields,
});

const window = { segment: 'vip', start_date: read, end_date: null };
const campaign = {
  ...{ name: 'Summer', promotion_type: 'basic', enabled: false, discount_id: null, tests: [], ...window },
  promotion_properties: { translations: [], products: [] },
};
const trigger = { ref: 'claims/created' };
const actions = [{ type: 'add_segment', params: { segment: 'vip' } }];
const automation = { name: 'Thanks', status: 'inactive', trigger, actions, delay_minutes: 0, max_age_hours: 4 };

const records = [
  stored('campaigns', campaign),
  stored('discounts', { type: 'order', code: 'TEN', value: null }),
  stored('discounts', { type: 'order', code: null, value: null }, discount_id),
  stored('deals', { discount_id, rank: 1, translations: [] }),
  stored('announcements', { text: 'Hello', language: 'en' }),
  stored('abTests', { campaigns: [], campaign_type: 'basic', ended_at: null, ...window }),
  stored('automations', { ...automation, conditions: null, secrets: [] }),
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-16T12:00:00Z') });
  tableWith(editor.item, shopItem('blue'), ...records);
});
afterEach(() => vi.useRealTimers());

type Change = [handler: typeof campaigns, method: string, path: string, body?: object];

const changes: Record<string, Change> = {
  updateCampaign: [campaigns, 'PUT', '/campaigns/{uuid}', { name: 'Winter' }],
  deleteCampaign: [campaigns, 'DELETE', '/campaigns/{uuid}'],
  updateDiscount: [discounts, 'PATCH', '/discounts/{uuid}', { title: 'Ten' }],
  deleteDiscount: [discounts, 'DELETE', '/discounts/{uuid}'],
  updateDeal: [deals, 'PATCH', '/deals/{deal_id}', { title: 'Ten' }],
  deleteDeal: [deals, 'DELETE', '/deals/{deal_id}'],
  updateAnnouncement: [announcements, 'PATCH', '/announcements/{uuid}', { text: 'Bye' }],
  deleteAnnouncement: [announcements, 'DELETE', '/announcements/{uuid}'],
  endAbTest: [abTests, 'POST', '/ab-tests/{uuid}/end-test'],
  replaceAutomation: [automations, 'PUT', '/automations/{automation_id}', { ...automation, name: 'Bye' }],
  deleteAutomation: [automations, 'DELETE', '/automations/{automation_id}'],
};

function send([handler, method, path, body]: Change, ifMatch?: string) {
  return invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${path}`,
    params: { slug: 'blue', uuid, deal_id: uuid, automation_id: uuid },
    headers: { ...basic('blue', editor.secret), ...(ifMatch !== undefined && { 'If-Match': ifMatch }) },
    body,
  });
}

const writes = () => dynamo.commandCalls(TransactWriteCommand).length + dynamo.commandCalls(PutCommand).length;

describe.each(Object.entries(changes))('%s', (_operation, change) => {
  test.each([`"${read}"`, undefined])(
    'is done for a record that is as it was read: If-Match is %s',
    async (ifMatch) => {
      expect((await send(change, ifMatch)).status).toBeLessThan(300);
    },
  );

  test('is refused for a record that was changed since it was read, and writes nothing', async () => {
    const before = memoryTable.all('').length;
    const { status, body } = await send(change, '"2026-11-16T09:00:00.000Z"');
    expect([status, body.key]).toEqual([412, 'changed_since_read']);
    expect(writes()).toBe(0);
    expect(memoryTable.all('').length).toBe(before);
  });
});

test('a change that somebody else makes between the read and the write is not overwritten', async () => {
  const theirs = stored('campaigns', {
    ...campaign,
    name: 'Theirs',
    updated_at: '2026-11-16T11:59:59.000Z',
    version: 4,
  });
  beforeNextRequest(TransactWriteCommand, () => memoryTable.put(theirs));
  const { status } = await send(changes.updateCampaign!, `"${read}"`);
  expect(status).toBe(412);
  expect(memoryTable.all('')).toContainEqual(theirs);
});
