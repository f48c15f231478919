import { beforeEach, describe, expect, test } from 'vitest';
import { FakeSalesforce, salesforceClient } from '#test/kit/vendors/salesforce.ts';
import { sampleDelivery } from '#test/kit/vendors/sample-events.ts';
import { now, talkTo, usualAnswers } from './talk.ts';

let vendor: FakeSalesforce;
beforeEach(() => {
  vendor = new FakeSalesforce(['shipment_in_transit', 'APIEvent-1']);
});

const talk = (more: object = {}) => talkTo({ vendor, name: 'salesforce', credential: salesforceClient, ...more });

test('an event enters the contact into the journey of its group', async () => {
  const { send } = await talk({ target: { account_id: '7281951' } });
  expect(await send(sampleDelivery('d-1'))).toMatchObject([{ status: 201 }]);
  expect(vendor.entries).toMatchObject([
    {
      ContactKey: 'c-1',
      EventDefinitionKey: 'shipment_in_transit',
      Data: {
        event_id: 'd-1',
        event_time: '2026-11-14T12:00:00.000Z',
        email: 'customer@example.com',
        total_order_value: '49.9',
      },
    },
  ]);
  expect(vendor.accounts).toEqual(['7281951']);
});

test('a customer without an id is found by the e-mail address', async () => {
  const { send } = await talk({ target: { events: { '*': 'APIEvent-1' } } });
  await send(sampleDelivery('d', { customer: { external_id: null } }));
  expect(vendor.entries).toMatchObject([{ ContactKey: 'customer@example.com', EventDefinitionKey: 'APIEvent-1' }]);
});

describe('the access token', () => {
  test('is asked for once, also by deliveries at the same time, and again shortly before it expires', async () => {
    let time = now.getTime();
    const { send } = await talk({ clock: () => new Date(time) });
    await Promise.all(['a', 'b', 'c'].map((id) => send(sampleDelivery(id))));
    time += (vendor.expiresIn - 61) * 1000;
    await send(sampleDelivery('d'));
    expect(vendor.tokensGiven).toBe(1);
    time += 2_000;
    await Promise.all(['e', 'f'].map((id) => send(sampleDelivery(id))));
    expect(vendor.tokensGiven).toBe(2);
    expect(vendor.entries).toHaveLength(6);
  });

  test('is renewed once if the vendor has ended it before its time', async () => {
    const { send } = await talk();
    await send(sampleDelivery('a'));
    vendor.endTokens();
    expect(await send(sampleDelivery('b'))).toMatchObject([{ status: 201 }]);
    expect(vendor.tokensGiven).toBe(2);
    vendor.meet({ status: 401 }, { status: 200, body: { access_token: 'useless', expires_in: 1079 } });
    const [result] = await send(sampleDelivery('c'));
    expect(result).toMatchObject({ status: 401, error: 'http_401', isTargetUp: false });
  });

  test('and the secret are not in what is kept of an answer that repeats them', async () => {
    const { send } = await talk();
    vendor.meet(
      { status: 200, body: { access_token: 'useless-token', expires_in: 1079 } },
      { status: 401 },
      { status: 200, body: { access_token: 'useless-token', expires_in: 1079 } },
    );
    const [repeated] = await send(sampleDelivery('a'));
    expect(repeated!.response).toContain('Not Authorized: ***');
    const other = await talk({ credential: { ...salesforceClient, client_secret: 'a-wrong-secret' } });
    const [refused] = await other.send(sampleDelivery('b'));
    expect(refused).toMatchObject({ status: 401, error: 'token_http_401', isTargetUp: false });
    expect(refused!.response).toContain('Invalid client: ***');
    expect(JSON.stringify([repeated, refused])).not.toMatch(/useless-token|a-wrong-secret/);
  });

  test.each([
    ['refused', { status: 400, body: { error: 'invalid_request' } }, 'token_http_400'],
    ['not in the answer', { status: 200, body: {} }, 'token_http_200'],
    ['not given because of trouble', { status: 503 }, 'token_http_503'],
    ['not given in time', 'hangs' as const, 'timeout'],
  ])('that is %s is asked for again with the next attempt', async (_, trouble, error) => {
    const { send } = await talk();
    vendor.meet(trouble);
    expect(await send(sampleDelivery('a'))).toMatchObject([{ error, isTargetUp: false }]);
    expect(await send(sampleDelivery('a'))).toMatchObject([{ status: 201 }]);
  });
});

test('a contact that is not active is final, and an entry event that does not exist yet is not', async () => {
  vendor.inactive.push('c-1');
  const { send } = await talk();
  expect(await send(sampleDelivery('a'))).toMatchObject([{ status: 400, error: 'http_400', isFinal: true }]);
  expect(await send(sampleDelivery('b', { group: 'shipment_delivered' }))).toMatchObject([
    { status: 400, error: 'event_not_defined', isTargetUp: true },
  ]);
});

test('an order with neither an e-mail address nor a customer id has no contact', async () => {
  const customer = { email: null, external_id: null };
  expect((await talk()).skipReason(sampleDelivery('d', { customer }))).toBe('no_email_and_no_customer_id');
});

describe('an answer', () => {
  test.each(usualAnswers.filter(([, trouble]) => trouble === 'hangs' || trouble.status !== 401))(
    'reads right: %s',
    async (_, trouble, result) => {
      const { send } = await talk();
      vendor.meet({ status: 200, body: { access_token: 'a-token', expires_in: 1079 } }, trouble);
      expect(await send(sampleDelivery('d'))).toEqual([result]);
    },
  );
});
