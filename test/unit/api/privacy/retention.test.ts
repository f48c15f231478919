import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/privacy/handler.ts';
import { loadSettings } from '#domain/settings/stored-settings.ts';
import { keyOf } from '#platform/table/keys.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const admin = keyFor('blue', 'admin');

const call = (method: string, body?: object, headers = {}) =>
  invoke(handler, {
    method,
    resource: '/v1/shops/{slug}/settings/retention',
    params: { slug: 'blue' },
    headers: { ...basic('blue', admin.secret), ...headers },
    ...(body && { body }),
  });

beforeEach(() => tableWith(shopItem('blue'), admin.item));

const nothingSet = { orders_days: null, claim_images_days: null, deliveries_days: 30 };

describe('how long data is kept', () => {
  test('is for ever, and deliveries for 30 days, until somebody says otherwise', async () => {
    expect((await call('GET')).body).toEqual(nothingSet);
  });

  test('changes field by field, and null or the longest time is what it was before', async () => {
    await call('PATCH', { orders_days: 730 });
    expect((await call('PATCH', { deliveries_days: 7, claim_images_days: 30 })).body).toEqual({
      orders_days: 730,
      claim_images_days: 30,
      deliveries_days: 7,
    });
    const again = { orders_days: null, claim_images_days: null, deliveries_days: 30 };
    expect((await call('PATCH', again)).body).toEqual(nothingSet);
  });

  test('leaves the other settings of the shop as they are', async () => {
    memoryTable.put({ ...keyOf.settings('blue'), version: 3, triggers: { integration_1: true } });
    await call('PATCH', { orders_days: 60 });
    expect(await loadSettings('blue')).toMatchObject({
      version: 4,
      triggers: { integration_1: true },
      retention: { orders_days: 60 },
    });
  });

  test('is looked after in the next night', async () => {
    await call('PATCH', { orders_days: 60 });
    const work = memoryTable.read(keyOf.retention('blue'));
    expect(work).toMatchObject({ work: 'retention', shop_slug: 'blue', list_pk: expect.any(String) });
  });

  test.each([
    ['orders_days', 29],
    ['orders_days', 3651],
    ['orders_days', 30.5],
    ['claim_images_days', 0],
    ['deliveries_days', 0],
    ['deliveries_days', 31],
    ['deliveries_days', null],
  ])('cannot be %s: %j', async (field, value) => {
    const { status, body } = await call('PATCH', { [field]: value });
    expect([status, body.errors[0].loc]).toEqual([422, ['body', field]]);
    expect(await loadSettings('blue')).toEqual({});
  });

  test('is not changed over what somebody else said meanwhile', async () => {
    const { headers } = await call('GET');
    const etag = headers.ETag!;
    await call('PATCH', { orders_days: 60 }, { 'If-Match': etag });
    expect((await call('PATCH', { orders_days: 90 }, { 'If-Match': etag })).body.key).toBe('changed_since_read');
    expect((await call('GET')).body.orders_days).toBe(60);
  });
});
