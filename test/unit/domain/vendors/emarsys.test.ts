import { beforeEach, describe, expect, test } from 'vitest';
import { emarsysClient, emarsysUser, FakeEmarsys } from '#test/kit/vendors/emarsys.ts';
import { sampleDelivery } from '#test/kit/vendors/sample-events.ts';
import { now, talkTo, usualAnswers } from './talk.ts';

let vendor: FakeEmarsys;
beforeEach(() => {
  vendor = new FakeEmarsys({ contacts: ['customer@example.com', 'ada@example.com'], eventIds: ['42', '43'] });
});

const extras = { instance_id: '42' };
const talk = (more: object = {}) => talkTo({ vendor, name: 'emarsys', credential: emarsysClient, extras, ...more });
const ada = { customer: { email: 'ada@example.com' } };

test('several events trigger the external event of the shop in one request', async () => {
  const { send } = await talk();
  const results = await send(sampleDelivery('d-1'), sampleDelivery('d-2', ada));
  expect(results.map(({ status, error }) => [status, error])).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  expect(vendor.requests.map(({ path }) => path)).toEqual(['/oauth2/token', '/api/v3/event/42/trigger']);
  expect(vendor.triggers.get('d-2')).toMatchObject({
    external_id: 'ada@example.com',
    event_time: '2026-11-14T12:00:00.000Z',
    data: { global: { tracking_number: 'TEST0000000001', event_group: 'shipment_in_transit' } },
  });
});

test('the deployment can name an external event for each group, and each is a request of its own', async () => {
  const { send, batchKey } = await talk({ target: { events: { shipment_in_transit: '43' } } });
  const other = sampleDelivery('d-2', { group: 'shipment_delivered' });
  expect([batchKey(sampleDelivery('d-1')), batchKey(other)]).toEqual(['43', '42']);
  await send(sampleDelivery('d-1'));
  await send(other);
  expect(vendor.requests.slice(1).map(({ path }) => path)).toEqual([
    '/api/v3/event/43/trigger',
    '/api/v3/event/42/trigger',
  ]);
});

test('a contact that the vendor does not know is refused, and the others of the request are accepted', async () => {
  const { send } = await talk();
  const stranger = sampleDelivery('d-2', { customer: { email: 'stranger@example.com' } });
  const [known, unknown] = await send(sampleDelivery('d-1'), stranger);
  expect(known).not.toHaveProperty('error');
  expect(unknown).toMatchObject({ status: 200, error: 'reply_2008', isFinal: true });
});

test('a failure within an answer of 200 is a failure', async () => {
  const { send } = await talk();
  vendor.meet(
    { status: 200, body: { access_token: 'token-of-emarsys', expires_in: 3600 } },
    { status: 200, body: { replyCode: 2004, replyText: 'Invalid key field id', data: '' } },
  );
  expect(await send(sampleDelivery('d'))).toMatchObject([{ status: 200, error: 'reply_2004', isFinal: true }]);
});

test('an event that is sent twice is processed once', async () => {
  const { send } = await talk();
  await send(sampleDelivery('d-1'));
  expect(await send(sampleDelivery('d-1'))).toMatchObject([{ status: 200 }]);
  expect(vendor.triggers.size).toBe(1);
});

test('a username and a password are proved with a digest, which differs with every attempt', async () => {
  let time = now.getTime();
  const { send } = await talk({ credential: emarsysUser, clock: () => new Date(time++) });
  for (const id of ['d-1', 'd-1', 'd-2']) expect(await send(sampleDelivery(id))).toMatchObject([{ status: 200 }]);
  expect(vendor.requests.map(({ path }) => path)).toEqual(Array(3).fill('/api/v2/event/42/trigger'));
  expect(JSON.stringify(vendor.requests)).not.toContain(emarsysUser.password);
});

test('the vendor needs an e-mail address and the id of an external event', async () => {
  expect((await talk()).skipReason(sampleDelivery('d', { customer: { email: null } }))).toBe('no_email');
  expect((await talk({ extras: {} })).skipReason(sampleDelivery('d'))).toBe('no_external_event');
  expect((await talk({ extras: { instance_id: 'inbox-1' } })).skipReason(sampleDelivery('d'))).toBe(
    'no_external_event',
  );
});

describe('an answer', () => {
  test.each(usualAnswers)('reads right: %s', async (_, trouble, result) => {
    const { send } = await talk({ credential: emarsysUser });
    vendor.meet(trouble);
    expect(await send(sampleDelivery('d'))).toEqual([result]);
  });
});
