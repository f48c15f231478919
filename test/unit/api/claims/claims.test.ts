import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/claims/handler.ts';
import { claimItem, claimReferenceItem, type StoredClaim, toClaim } from '#domain/claims/claim-store.ts';
import { orderItem, shipmentItem, trackingItem } from '#domain/orders/order-items.ts';
import { withShipment } from '#domain/orders/order-rules.ts';
import { toOrderWithShipments } from '#domain/orders/outbox.ts';
import { keyOf } from '#platform/table/keys.ts';
import { claimNumber } from '#schemas/catalogues/claim-number.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { claimId, claimOf, parcel } from '#test/kit/claims.ts';
import { type Call, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import {
  asOperator,
  beforeNextRequest,
  beforeRequest,
  dynamo,
  operator,
  shopItem,
  tableWith,
} from '#test/kit/table.ts';

/** What the emulators cannot show: the transactions themselves, races, and reads that fall between two writes. */

const claimsPath = '/v1/shops/{slug}/claims';
const claimPath = `${claimsPath}/{uuid}`;

const call = (method: string, resource: string, more: Partial<Call> = {}) =>
  invoke(handler, { method, resource, params: { slug: 'blue', uuid: claimId }, headers: asOperator, ...more });

const { order, shipment } = parcel;
const access = [operator.item, shopItem('blue')];
const items = [orderItem('blue', order, 1), shipmentItem('blue', shipment, 1), trackingItem('blue', 'T-1', shipment)];
const claimed = [...items, claimReferenceItem('blue', claimOf()), claimItem('blue', claimOf(), 4)];

const transactions = () => dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.TransactItems!);
const lostAt = (position: number, of: number) =>
  Object.assign(new Error('cancelled'), {
    name: 'TransactionCanceledException',
    CancellationReasons: Array.from({ length: of }, (_, i) => ({
      Code: i === position ? 'ConditionalCheckFailed' : 'None',
    })),
  });

beforeEach(() => tableWith(...access, ...claimed));

describe('a new claim', () => {
  const body = { tracking_number: 'T-1', reason: 'damage' };

  test('is written with its references, its history and its event, in one transaction', async () => {
    const { status, body: claim } = await call('POST', claimsPath, { body });
    expect(status).toBe(200);
    expect(transactions()).toHaveLength(1);
    const [count, ...puts] = transactions()[0]!;
    expect(count!.Update).toMatchObject({ Key: keyOf.claimCount('blue', order.uuid) });
    const items = puts.map(({ Put }) => Put!.Item!);
    expect(items).toMatchObject([
      { ...keyOf.claim('blue', order.uuid, claim.uuid), version: 1 },
      { ...keyOf.claimReference('blue', claim.uuid), order_id: order.uuid, shipment_id: shipment.uuid },
      { ...keyOf.claimNumber('blue', claimNumber(claim.uuid)), uuid: claim.uuid, order_id: order.uuid },
      { ...keyOf.claimHistory('blue', order.uuid, claim.uuid, 1), by: operator.item.token_id, action: 'created' },
      {
        kind: 'event',
        source: 'claims',
        ref: 'claims/created',
        claim_id: claim.uuid,
        version: 1,
        claim: { status: 'pending' },
      },
    ]);
    expect(items[4]).toMatchObject({ cause: 'request-1', region: process.env.AWS_REGION });
    expect(toOrderWithShipments(items[4]!.snapshot)).toEqual({ order, shipments: [shipment] });
    const conditions = puts.slice(0, 4).map(({ Put }) => Put!.ConditionExpression !== undefined);
    // Another claim may have the same number.
    expect(conditions).toEqual([true, true, false, true]);
  });

  test('keeps the parcels that it is counted with, which no answer shows', async () => {
    const counted = { ...shipment, country: 'DE' };
    const stored = async (parcel: typeof shipment) => {
      tableWith(...access, ...items, shipmentItem('blue', parcel, 2));
      const { status, body: claim } = await call('POST', claimsPath, { body });
      expect([status, 'cohort' in claim]).toEqual([200, false]);
      const { body: read } = await call('GET', claimPath, { params: { slug: 'blue', uuid: claim.uuid } });
      expect(read).not.toHaveProperty('cohort');
      return toClaim(memoryTable.read(keyOf.claim('blue', order.uuid, claim.uuid)) as unknown as StoredClaim).cohort;
    };
    expect(await stored(counted)).toEqual({ day: '2026-11-14', carrier: 'dhl', country: 'DE' });
    expect(await stored({ ...counted, events: counted.events.slice(0, 1) })).toBeNull();
    expect(await stored(shipment)).toBeNull();
  });

  test('of the release before is counted from its next change on', async () => {
    memoryTable.put(shipmentItem('blue', { ...shipment, country: 'AT' }, 2));
    expect((await call('PUT', claimPath, { body: { status: 'accepted' } })).status).toBe(200);
    const read = memoryTable.read(keyOf.claim('blue', order.uuid, claimId)) as unknown as StoredClaim;
    expect(toClaim(read).cohort).toEqual({ day: '2026-11-14', carrier: 'dhl', country: 'AT' });
  });

  test.each(['accepted', 'rejected', 'closed'])(
    'is refused with the status %s, and nothing is written',
    async (given) => {
      const { status, body: error } = await call('POST', claimsPath, { body: { ...body, status: given } });
      expect([status, error.errors]).toEqual([
        422,
        [{ loc: ['body', 'status'], msg: 'must be one of pending, null', type: 'value_error' }],
      ]);
      expect(transactions()).toEqual([]);
    },
  );

  test.each(['pending', null])('may name the status %j, with which every claim begins', async (given) => {
    const { status, body: claim } = await call('POST', claimsPath, { body: { ...body, status: given } });
    expect([status, claim.status]).toEqual([200, 'pending']);
  });

  test('is refused when the order has too many claims', async () => {
    dynamo.on(TransactWriteCommand).rejects(lostAt(0, 5));
    const { status, body: error } = await call('POST', claimsPath, { body });
    expect([status, error.key, error.message]).toEqual([
      413,
      'payload_too_large',
      expect.stringContaining('100 claims'),
    ]);
  });

  test('is made even if its draft becomes a shipment between the reads', async () => {
    const promoted = orderItem('blue', withShipment({ ...order, drafts: [], shipments: [] }, shipment), 2);
    tableWith(...access, promoted);
    beforeRequest(QueryCommand, () => {
      if (dynamo.commandCalls(QueryCommand).length === 2) memoryTable.put(shipmentItem('blue', shipment, 1));
    });
    const { status } = await call('POST', claimsPath, { body: { shipment_id: shipment.uuid, reason: 'damage' } });
    expect([status, dynamo.commandCalls(QueryCommand).length]).toEqual([200, 2]);
  });

  test('that loses a race is tried again and carries the changed order in its event', async () => {
    const later = { ...order, email_id: 'later@example.com' };
    beforeNextRequest(TransactWriteCommand, () => {
      memoryTable.put(orderItem('blue', later, 2));
      throw lostAt(4, 5);
    });
    expect(await call('POST', claimsPath, { body })).toMatchObject({ status: 200 });
    const events = transactions().map((actions) => actions.at(-1)!.Put!.Item!);
    expect(events.map(({ snapshot }) => toOrderWithShipments(snapshot).order.email_id)).toEqual([
      order.email_id,
      later.email_id,
    ]);
    expect(new Set(events.map(({ claim_id }) => claim_id)).size).toBe(1);
  });
});

describe('an update', () => {
  test('is written with its history and its event, on condition that nobody else wrote', async () => {
    const { status } = await call('PUT', claimPath, { body: { status: 'accepted' } });
    expect(status).toBe(200);
    const [claim, entry, event] = transactions()[0]!.map(({ Put }) => Put!);
    expect(claim).toMatchObject({
      Item: { version: 5, claim: { status: 'accepted' } },
      ConditionExpression: 'version = :before',
      ExpressionAttributeValues: { ':before': 4 },
    });
    expect(entry!.Item).toMatchObject({
      ...keyOf.claimHistory('blue', order.uuid, claimId, 5),
      by: operator.item.token_id,
      changes: [{ field: 'status', from: 'pending', to: 'accepted' }],
    });
    expect(event!.Item).toMatchObject({ ref: 'claims/updated', version: 5, by: operator.item.token_id });
    expect(toOrderWithShipments(event!.Item!.snapshot)).toEqual({ order, shipments: [shipment] });
  });

  test('that loses a race reads the claim again before it decides', async () => {
    const closed = claimItem('blue', claimOf({ status: 'closed' }), 5);
    beforeNextRequest(TransactWriteCommand, () => memoryTable.put(closed));
    const { status, body } = await call('PUT', claimPath, { body: { status: 'accepted' } });
    expect([status, body.key]).toEqual([409, 'claim_transition_invalid']);
    expect(transactions()).toHaveLength(1);
  });

  test('that changes nothing writes nothing', async () => {
    const { status } = await call('PUT', claimPath, { body: { status: 'pending' } });
    expect([status, transactions()]).toEqual([200, []]);
  });
});

describe('a deletion', () => {
  test('takes the claim out of the lists and sends no event', async () => {
    expect((await call('DELETE', claimPath)).status).toBe(200);
    const [claim, entry, ...rest] = transactions()[0]!.map(({ Put }) => Put!.Item!);
    expect(claim).not.toHaveProperty('timeline_pk');
    expect(entry).toMatchObject({ action: 'deleted', changes: [] });
    expect(rest).toEqual([]);
  });
});

describe('a search', () => {
  const entry = (fields: object = {}) => {
    const { document: _document, version: _version, ...place } = claimItem('blue', claimOf(), 4);
    return { ...place, ...fields };
  };

  test('does not trust an index that lags behind the table', async () => {
    tableWith(...access, ...items, claimItem('blue', claimOf({ status: 'closed' }), 5));
    dynamo.on(QueryCommand).resolves({ Items: [entry()] });
    const listed = async (query: Record<string, string>) => (await call('GET', claimsPath, { query })).body.claims;
    expect(await listed({ status: 'pending' })).toEqual([]);
    expect(await listed({})).toMatchObject([{ uuid: claimId, status: 'closed' }]);
    dynamo.on(QueryCommand).resolves({ Items: [entry({ activity_sk: `2026-11-01#${claimId}` })] });
    expect(await listed({ sort: 'updated_at' })).toEqual([]);
  });

  test('ends after a bounded number of reads', async () => {
    const other = entry({ claim: { status: 'closed', reason: 'damage', resolution_preference: null } });
    dynamo.on(QueryCommand).resolves({ Items: [other], LastEvaluatedKey: other });
    const search = (page: string) => call('GET', claimsPath, { query: { status: 'pending', page } });
    // A page without claims would look like the end of the list.
    expect(await search('1')).toMatchObject({ status: 422, body: { errors: [{ loc: ['query'] }] } });
    expect(dynamo.commandCalls(QueryCommand)).toHaveLength(searchLimits.reads);
    expect(await search('3')).toMatchObject({ status: 422, body: { errors: [{ loc: ['query', 'page'] }] } });
  });
});

describe('a change that names the state it is based on', () => {
  const body = { status: 'accepted' };
  const change = (tag: string) => call('PUT', claimPath, { body, headers: { ...asOperator, 'If-Match': tag } });

  test('is made if the claim has not changed since', async () => {
    expect((await change(`"${claimOf().updated_at}"`)).status).toBe(200);
  });

  test('is refused if somebody else changed the claim, and nothing is written', async () => {
    const { status, body: error } = await change('"2026-11-14T11:59:59.000Z"');
    expect([status, error.key]).toEqual([412, 'changed_since_read']);
    expect(transactions()).toEqual([]);
  });
});

describe('a comment', () => {
  const entryOf = () =>
    transactions()[0]!
      .map(({ Put }) => Put!.Item!)
      .find(({ action }) => action === 'updated');

  test('is in the history with the change that it explains', async () => {
    await call('PUT', claimPath, { body: { status: 'accepted', comment: 'Seen on the photo.' } });
    expect(entryOf()).toMatchObject({ changes: [{ field: 'status', to: 'accepted' }], comment: 'Seen on the photo.' });
  });

  test('alone adds an entry to the history, and no event', async () => {
    const { status } = await call('PUT', claimPath, { body: { comment: 'Asked for a photo.' } });
    expect(status).toBe(200);
    expect(entryOf()).toMatchObject({ changes: [], comment: 'Asked for a photo.' });
    expect(transactions()[0]!.some(({ Put }) => Put?.Item?.kind === 'event')).toBe(false);
  });

  test('is absent from an entry without one', async () => {
    await call('PUT', claimPath, { body: { status: 'accepted', comment: '' } });
    expect(entryOf()).not.toHaveProperty('comment');
  });
});

test('a message of spaces alone is refused, and tells the customer nothing', async () => {
  const resource = `${claimPath}/messages`;
  expect((await call('POST', resource, { body: { text: ' \n ' } })).status).toBe(422);
  expect(transactions()).toEqual([]);
});
