import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { signedWith, startReceiver } from '#test/e2e/kit/receiver.ts';
import { api, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';

/** A shop with one endpoint, and the requests of its merchant. */
async function endpointAt(url: string) {
  const webhooks = `/v1/shops/${await newShop()}/webhooks`;
  const call = (method: string, path: string, body?: unknown) =>
    api(method, webhooks + path, { key: superAdmin, ...(body !== undefined && { body }) });
  const { body } = await call('POST', '', { url });
  const own = `/${body.uuid}`;
  return {
    secret: body.secret as string,
    call: (method: string, path: string, given?: unknown) => call(method, own + path, given),
    sendTest: async (): Promise<string> => (await call('POST', `${own}/test`)).body.delivery_id,
    delivery: async (id: string) => (await call('GET', `${own}/deliveries/${id}`)).body,
    list: async (query = '') => (await call('GET', `${own}/deliveries${query}`)).body,
    /** An attempt is recorded some time after its response. */
    becomes: (id: string, status: string) =>
      vi.waitFor(
        async () => {
          const { body: found } = await call('GET', `${own}/deliveries/${id}`);
          expect(found.status).toBe(status);
          return found;
        },
        { timeout: 20_000, interval: 100 },
      ),
  };
}

describe('a test event', () => {
  test('reaches the endpoint signed, in the shape of the contract, and is listed with its attempt', async () => {
    await using receiver = await startReceiver();
    const endpoint = await endpointAt(receiver.url);
    const id = await endpoint.sendTest();
    const request = await receiver.next();
    expect(signedWith(request, [endpoint.secret])).toEqual([true]);
    expect(request.headers['webhook-id']).toBe(id);
    const payload = JSON.parse(request.body);
    expect(payload).toMatchObject({
      source: 'shipments',
      ref: expect.stringMatching(/^shipments\//),
      version: 1,
      event_data: { test: true },
      context: { order: {}, customer: {}, shipments: [{}], claims: [] },
    });
    const delivered = await endpoint.becomes(id, 'delivered');
    expect(delivered).toMatchObject({ id, ref: payload.ref, attempt_count: 1, payload });
    expect(delivered.attempts).toEqual([
      {
        at: expect.any(String),
        duration_ms: expect.any(Number),
        status: 200,
        error: null,
        response: 'noted',
        request: {
          method: 'POST',
          url: receiver.url,
          headers: expect.objectContaining({
            'webhook-id': id,
            'webhook-timestamp': request.headers['webhook-timestamp'],
            'service-signature': expect.stringMatching(/^t=\d+,v1=\w{8}…$/),
          }),
          body: null,
        },
      },
    ]);
    expect(await endpoint.list()).toMatchObject([{ id, status: 'delivered', last_attempt: { status: 200 } }]);
  });

  test('of the name that was asked for counts in the health of the endpoint', async () => {
    await using receiver = await startReceiver();
    const endpoint = await endpointAt(receiver.url);
    const { body } = await endpoint.call('POST', '/test', { ref: 'claims/created' });
    expect(JSON.parse((await receiver.next()).body)).toMatchObject({
      ref: 'claims/created',
      event_data: { test: true },
    });
    await endpoint.becomes(body.delivery_id, 'delivered');
    expect((await endpoint.call('GET', '/health')).body).toMatchObject({
      circuit: { state: 'closed' },
      of_last: 1,
      counts: { delivered: 1 },
      success_rate: 1,
      last_failure: null,
    });
    expect(await endpoint.list('?event=claims')).toMatchObject([{ id: body.delivery_id }]);
    expect(await endpoint.list('?event=shipments')).toEqual([]);
  });

  test('is signed with the old and the new secret while a rotation is in its grace period', async () => {
    await using receiver = await startReceiver();
    const endpoint = await endpointAt(receiver.url);
    const { body } = await endpoint.call('POST', '/rotate-secret', { grace_hours: 1 });
    await endpoint.sendTest();
    expect(signedWith(await receiver.next(), [endpoint.secret, body.secret])).toEqual([true, true]);
    const { body: last } = await endpoint.call('POST', '/rotate-secret', { grace_hours: 0 });
    await endpoint.sendTest();
    const secrets = [endpoint.secret, body.secret, last.secret];
    expect(signedWith(await receiver.next(), secrets)).toEqual([false, false, true]);
  });

  test('to an inactive endpoint is refused', async () => {
    await using receiver = await startReceiver();
    const endpoint = await endpointAt(receiver.url);
    await endpoint.call('PATCH', '', { status: 'inactive' });
    expectInvalid(await endpoint.call('POST', '/test'), ['path.uuid', 'value_error']);
  });
});

describe('sending a delivery again', () => {
  test('repeats the same delivery with the same body', async () => {
    await using receiver = await startReceiver();
    const endpoint = await endpointAt(receiver.url);
    const id = await endpoint.sendTest();
    const first = await receiver.next();
    await endpoint.becomes(id, 'delivered');
    const { status, body } = await endpoint.call('POST', `/deliveries/${id}/redeliver`);
    expect({ status, body }).toMatchObject({ status: 200, body: { id, status: 'pending', attempt_count: 0 } });
    const second = await receiver.next();
    expect(second.headers['webhook-id']).toBe(id);
    expect(second.body).toBe(first.body);
    expect((await endpoint.becomes(id, 'delivered')).attempts).toHaveLength(2);
  });

  test('by a recovery sends once what waits for the endpoint, of a time range', async () => {
    await using receiver = await startReceiver();
    const endpoint = await endpointAt(receiver.url);
    receiver.answer(503);
    // So many failures open the circuit. What fails after them is parked.
    for (let i = 0; i < 10; i++) await endpoint.sendTest();
    await vi.waitFor(async () => expect((await endpoint.call('GET', '/health')).body.circuit.state).toBe('open'), {
      timeout: 20_000,
      interval: 100,
    });
    const before = new Date().toISOString();
    const id = await endpoint.sendTest();
    await endpoint.becomes(id, 'parked');

    receiver.answer(200);
    const earlier = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' };
    expect((await endpoint.call('POST', '/recover', earlier)).body).toMatchObject({ count: 0, has_more: false });
    expect((await endpoint.call('POST', '/recover', { since: before })).body).toEqual({
      count: 1,
      has_more: false,
      until: null,
      retrying: 0,
    });
    const { attempts } = await endpoint.becomes(id, 'delivered');
    expect(attempts.map(({ status }: { status: number }) => status)).toEqual([503, 200]);
    expect((await endpoint.call('POST', '/recover', { since: before })).body.count).toBe(0);
  });
});

describe('the deliveries of an endpoint', () => {
  test('are listed newest first, by page, by status and by time', async () => {
    await using receiver = await startReceiver();
    const endpoint = await endpointAt(receiver.url);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await endpoint.sendTest());
    for (const id of ids) await endpoint.becomes(id, 'delivered');
    const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);
    const newestFirst = ids.toSorted().reverse();
    expect(idsOf(await endpoint.list())).toEqual(newestFirst);
    expect(idsOf(await endpoint.list('?per_page=2&page=2'))).toEqual(newestFirst.slice(2, 4));
    await endpoint.list('?per_page=2');
    await endpoint.sendTest(); // new deliveries do not shift the pages of a reader
    expect(idsOf(await endpoint.list('?per_page=2&page=2'))).toEqual(newestFirst.slice(2, 4));
    expect(await endpoint.list('?status=failed')).toEqual([]);
    expect(idsOf(await endpoint.list('?status=delivered'))).toEqual(expect.arrayContaining(newestFirst));
    expect(await endpoint.list('?until=2026-01-01T00:00:00Z')).toEqual([]);
    expect(await endpoint.list('?page=100')).toEqual([]);
  });

  test('are not found by an unknown id', async () => {
    await using receiver = await startReceiver();
    const endpoint = await endpointAt(receiver.url);
    const nothing = `/deliveries/${randomUUID()}`;
    expectError(await endpoint.call('GET', nothing), 404, 'webhook_delivery_not_found');
    expectError(await endpoint.call('POST', `${nothing}/redeliver`), 404, 'webhook_delivery_not_found');
    expectInvalid(await endpoint.call('GET', '/deliveries/none'), ['path.delivery_id', 'value_error']);
    expectInvalid(await endpoint.call('GET', '/deliveries?since=now'), ['query.since', 'value_error']);
  });
});
