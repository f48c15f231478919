import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { claimStatuses, shopRoles } from '#schemas/catalogues/enumerations.ts';
import type { claims } from '#schemas/families/claims.ts';
import { type Claimant, newClaimant, newParcel } from '#test/e2e/kit/claims.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, expectDone } from '#test/e2e/kit/orders.ts';
import { api, createKey, keyFor } from '#test/e2e/kit/shared-stack.ts';
import { wholeImages } from '#test/kit/images.ts';
import { upload } from '#test/kit/multipart.ts';

let shop: Claimant;
let parcel: Awaited<ReturnType<typeof newParcel>>;
beforeAll(async () => {
  shop = await newClaimant();
  parcel = await newParcel(shop, {
    address: { name: 'Kim Example', zip_code: '10115' },
    total_order_price: 49.9,
    shipping_price: 4.9,
    weight: 1250,
  });
});

const evidence = 'https://images.example/evidence.jpg';
const full = {
  reason: 'partial_damage',
  resolution_preference: 'refund',
  description: 'The lid is broken.',
  customer_signature_image_url: 'https://images.example/signature.png',
  selected_items: [{ sku: 'LID', title: 'A lid', quantity: 1, net_price: 4.2, image_urls: [evidence] }],
  damaged_product_items: [{ sku: 'LID', image_urls: [] }],
  image_urls: [evidence],
  optional_image_urls: [evidence],
  dropoff_permission: false,
  step_user_input: [
    {
      step_id: 'first',
      user_input: { input_type: 'text', input_value: 'Yes', translated_question: 'Is it?', translated_answer: 'Ja' },
    },
  ],
};

describe('a new claim', () => {
  test('is answered with all its fields and those of its order and shipment', async () => {
    const { order_id, shipment_id, tracking_number, order } = parcel;
    const { shipment_id: _mine, ...fields } = { ...full, shipment_id };
    const claim = await shop.claim({ ...fields, tracking_number });
    expect(claim).toEqual({
      ...full,
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      created_at: expect.any(String),
      updated_at: claim.created_at,
      deleted_at: null,
      order_id,
      shipment_id,
      shop_id: expect.any(String),
      shop_slug: shop.slug,
      order_number: order.order_number,
      status: 'pending',
      address: { name: 'Kim Example', zip_code: '10115' },
      net_invoice_amount: 45,
      claimed_amount: null,
      currency: 'EUR',
      weight_kg: 1.25,
      tracking_number,
      carrier_reference: null,
      scan_date: null,
      message_count: 0,
      unanswered_since: null,
    });
    expect(accepted(await shop.call('GET', `/claims/${claim.uuid.toUpperCase()}`))).toEqual(claim);
  });

  test('can be about a shipment by its uuid, also a draft, and needs only a reason', async () => {
    const draft = await shop.order();
    const claim = await shop.claim({ shipment_id: draft.trackings[0]!.uuid.toUpperCase(), tracking_number: null });
    expect(claim).toMatchObject({
      shipment_id: draft.trackings[0]!.uuid,
      tracking_number: null,
      resolution_preference: null,
      description: null,
      customer_signature_image_url: null,
      selected_items: [],
      image_urls: [],
      dropoff_permission: null,
      step_user_input: null,
      address: null,
      net_invoice_amount: null,
      weight_kg: null,
    });
  });

  test('shows later changes of its order and shipment, and keeps the number of a deleted shipment', async () => {
    const { order, tracking_number, shipment_id } = await newParcel(shop);
    const { uuid } = await shop.claim({ shipment_id });
    const time = '2026-11-01T08:00:00.000Z';
    const events = `/shipments/${shipment_id}/events`;
    accepted(await shop.call('POST', events, { body: { event_name: 'PICKUP_SUCCESSFUL', event_time: time } }));
    accepted(await shop.call('PATCH', `/orders/${order.uuid}`, { body: { address: { city: 'Bonn' } } }));
    const shown = async () => accepted(await shop.call('GET', `/claims/${uuid}`));
    expect(await shown()).toMatchObject({ scan_date: time, address: { city: 'Bonn' } });
    expectDone(await shop.call('DELETE', `/orders/${order.uuid}/shipments/${tracking_number}`));
    expect(await shown()).toMatchObject({ tracking_number, scan_date: null });
  });

  test('needs a shipment of this shop', async () => {
    const elsewhere = await newParcel(await newClaimant());
    const { shipment_id, tracking_number } = elsewhere;
    for (const body of [
      { shipment_id },
      { tracking_number },
      { shipment_id: randomUUID() },
      { tracking_number: 'x' },
    ]) {
      expectError(await shop.submit({ reason: 'damage', ...body }), 404, 'shipment_not_found');
    }
    const unknown = parcel.shipment_id.replace(/...$/, 'fff');
    expectError(await shop.submit({ reason: 'damage', shipment_id: unknown }), 404, 'shipment_not_found');
  });

  test('is refused with all its faults', async () => {
    const { shipment_id, tracking_number } = parcel;
    expectInvalid(await shop.submit({}), ['body.reason', 'missing']);
    expectInvalid(await shop.submit({ reason: 'damage' }), ['body.tracking_number', 'missing']);
    expectInvalid(await shop.submit({ reason: 'damage', shipment_id: null, tracking_number: null }), [
      'body.tracking_number',
      'missing',
    ]);
    expectInvalid(await shop.submit({ reason: 'damage', shipment_id, tracking_number: `${tracking_number}x` }), [
      'body.tracking_number',
      'value_error',
    ]);
    const urls = Array.from({ length: 21 }, () => evidence);
    const step = { step_id: 's', user_input: { input_type: 't', input_value: 'v' } };
    const wrong = await shop.submit({
      shipment_id: 'no uuid',
      tracking_number: '',
      reason: 'boredom',
      resolution_preference: 'applause',
      description: 'x'.repeat(5001),
      customer_signature_image_url: 'javascript:alert(1)',
      selected_items: [{ quantity: 1.5, net_price: 'free', image_urls: ['data:x'] }],
      damaged_product_items: Array.from({ length: 101 }, () => ({})),
      image_urls: urls,
      optional_image_urls: 'one',
      dropoff_permission: 'yes',
      step_user_input: Array.from({ length: 101 }, () => step),
    });
    expectInvalid(
      wrong,
      ['body.shipment_id', 'value_error'],
      ['body.tracking_number', 'value_error'],
      ['body.reason', 'value_error'],
      ['body.resolution_preference', 'value_error'],
      ['body.description', 'value_error'],
      ['body.customer_signature_image_url', 'value_error'],
      ['body.selected_items.0.quantity', 'type_error'],
      ['body.selected_items.0.net_price', 'type_error'],
      ['body.selected_items.0.image_urls.0', 'value_error'],
      ['body.damaged_product_items', 'value_error'],
      ['body.image_urls', 'value_error'],
      ['body.optional_image_urls', 'type_error'],
      ['body.dropoff_permission', 'type_error'],
      ['body.step_user_input', 'value_error'],
    );
  });

  test('that is too large is refused with a clear message', async () => {
    const { shipment_id } = parcel;
    const input = { input_type: 'text', input_value: 'x'.repeat(5000) };
    const step_user_input = Array.from({ length: 30 }, (_, i) => ({ step_id: String(i), user_input: input }));
    const answer = await shop.submit({ reason: 'damage', shipment_id, step_user_input });
    expectError(answer, 413, 'payload_too_large');
    expect(answer.body.message).toContain('128 KB');
  });
});

describe('the images of a claim', () => {
  const uploaded = async (by: Claimant, type: string): Promise<string> =>
    accepted(await by.call('POST', '/images', upload(type, wholeImages.png))).url;

  test('are shown by URLs that open them, if they are private images of the shop', async () => {
    const { shipment_id } = parcel;
    const [signature, photo, product] = await Promise.all(
      ['signature', 'claim', 'product'].map((type) => uploaded(shop, type)),
    );
    const foreign = await uploaded(await newClaimant(), 'claim');
    const claim = await shop.claim({
      shipment_id,
      customer_signature_image_url: signature,
      image_urls: [photo, product, foreign, evidence],
      selected_items: [{ image_urls: [photo] }],
    });
    const { customer_signature_image_url: shown, image_urls, selected_items } = claim;
    expect(image_urls.slice(1)).toEqual([product, foreign, evidence]);
    for (const url of [shown!, image_urls[0]!, selected_items[0]!.image_urls[0]!]) {
      expect((await fetch(url)).status).toBe(200);
    }
    for (const url of [signature!, photo!, foreign]) expect((await fetch(url)).status).toBeGreaterThan(400);
  });
});

describe('a claim', () => {
  test('changes its status only as the contract allows', async () => {
    const claim = await shop.claim({ shipment_id: parcel.shipment_id });
    const move = (status: string) => shop.update(claim.uuid, { status });
    for (const status of ['rejected', 'pending', 'accepted', 'closed']) {
      expect(accepted(await move(status))).toMatchObject({ uuid: claim.uuid, status });
      expect(accepted(await move(status)).status).toBe(status);
    }
    for (const status of claimStatuses.filter((other) => other !== 'closed')) {
      expectError(await move(status), 409, 'claim_transition_invalid');
    }
    expect(accepted(await shop.call('GET', `/claims/${claim.uuid}`)).status).toBe('closed');
  });

  test('keeps the fields that an update does not name, and records who changed what', async () => {
    const { body: key } = await createKey(shop.slug, { role: 'editor' });
    const { uuid } = await shop.claim({ shipment_id: parcel.shipment_id, description: 'Broken' });
    const update = (body: object) =>
      shop.call('PUT', `/claims/${uuid}`, { body, key: `${key.username}:${key.secret}` });
    accepted(await update({ resolution_preference: 'refund' }));
    const before = accepted(await update({ status: null, description: null }));
    expect(before).toMatchObject({ status: 'pending', resolution_preference: 'refund', description: null });
    expect(accepted(await update({ status: 'pending', resolution_preference: 'refund', description: null }))).toEqual(
      before,
    );
    const history = accepted(await shop.call('GET', `/claims/${uuid}/history`));
    expect(history).toMatchObject([
      { by: key.id, action: 'updated', changes: [{ field: 'description', from: 'Broken', to: null }] },
      { by: key.id, action: 'updated', changes: [{ field: 'resolution_preference', from: null, to: 'refund' }] },
      { action: 'created', changes: [] },
    ]);
    expect(history[0].at).toBe(before.updated_at);
    const query = { page: 2, per_page: 2 };
    expect(accepted(await shop.call('GET', `/claims/${uuid}/history`, { query }))).toEqual(history.slice(2));
    expect(accepted(await shop.call('GET', `/claims/${uuid}/history`, { query: { page: 3, per_page: 2 } }))).toEqual(
      [],
    );
  });

  test('refuses an update of the wrong form', async () => {
    const { uuid } = await shop.claim({ shipment_id: parcel.shipment_id });
    expectInvalid(
      await shop.update(uuid, { status: 'lost', resolution_preference: 1, description: 'x'.repeat(5001) }),
      ['body.status', 'value_error'],
      ['body.resolution_preference', 'type_error'],
      ['body.description', 'value_error'],
    );
    expectInvalid(await shop.update('none', {}), ['path.uuid', 'value_error']);
  });

  test('disappears everywhere when it is deleted', async () => {
    const { uuid } = await shop.claim({ shipment_id: parcel.shipment_id });
    expectDone(await shop.call('DELETE', `/claims/${uuid}`));
    const listed = [...(await shop.search()), ...(await shop.search({ order_id: parcel.order_id }))];
    expect(listed.map((claim) => claim.uuid)).not.toContain(uuid);
    const gone = [uuid, randomUUID()].flatMap((id) => [
      shop.call('GET', `/claims/${id}`),
      shop.call('GET', `/claims/${id}/history`),
      shop.update(id, { status: 'closed' }),
      shop.call('DELETE', `/claims/${id}`),
    ]);
    for (const answer of await Promise.all(gone)) expectError(answer, 404, 'claim_not_found');
  });

  test('of another shop is not found', async () => {
    const { uuid } = await shop.claim({ shipment_id: parcel.shipment_id });
    const other = await newClaimant();
    expectError(await other.call('GET', `/claims/${uuid}`), 404, 'claim_not_found');
    expectError(await other.update(uuid, {}), 404, 'claim_not_found');
    expect(await other.search({ shipment_id: parcel.shipment_id })).toEqual([]);
  });

  test('keeps all of several updates at once', async () => {
    const { uuid } = await shop.claim({ shipment_id: parcel.shipment_id });
    const texts = Array.from({ length: 5 }, (_, i) => `Text ${i}`);
    const updates = [...texts.map((description) => ({ description })), { resolution_preference: 'reorder' }];
    for (const answer of await Promise.all(updates.map((body) => shop.update(uuid, body)))) accepted(answer);
    const moves = await Promise.all(['accepted', 'rejected'].map((status) => shop.update(uuid, { status })));
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 409]);
    const history = accepted(await shop.call('GET', `/claims/${uuid}/history`)).toReversed();
    expect(history).toHaveLength(updates.length + 2);
    const changes = history.flatMap(
      (entry: { changes: { field: string; from: string; to: string }[] }) => entry.changes,
    );
    for (const field of ['description', 'status', 'resolution_preference']) {
      const steps = changes.filter((change: { field: string }) => change.field === field);
      const starts = steps.map(({ from }: { from: string }) => from).slice(1);
      expect(starts).toEqual(steps.map(({ to }: { to: string }) => to).slice(0, -1));
    }
  });
});

describe('in the claims family', () => {
  const readers = ['viewer', 'editor', 'admin'];
  const writers = ['editor', 'admin'];
  const requests: Record<keyof typeof claims, { method: string; path: string; body?: object; roles: string[] }> = {
    createClaim: { method: 'POST', path: '', body: { reason: 'return' }, roles: writers },
    searchClaims: { method: 'GET', path: '', roles: readers },
    getClaim: { method: 'GET', path: '/{uuid}', roles: readers },
    listClaimHistory: { method: 'GET', path: '/{uuid}/history', roles: readers },
    listClaimMessages: { method: 'GET', path: '/{uuid}/messages', roles: readers },
    createClaimMessage: {
      method: 'POST',
      path: '/{uuid}/messages',
      body: { text: 'We look into it.' },
      roles: writers,
    },
    updateClaim: { method: 'PUT', path: '/{uuid}', body: { status: 'closed' }, roles: writers },
    deleteClaim: { method: 'DELETE', path: '/{uuid}', roles: writers },
  };

  test('a viewer can read, an editor can write, and nobody else can', async () => {
    const { shipment_id } = parcel;
    const stranger = await keyFor((await newClaimant()).slug);
    for (const role of shopRoles) {
      const key = await keyFor(shop.slug, role);
      const { uuid } = await shop.claim({ shipment_id });
      for (const { method, path, body, roles } of Object.values(requests)) {
        const place = `/claims${path.replace('{uuid}', uuid)}`;
        const call = body && { body: { shipment_id, ...body } };
        const answer = await shop.call(method, place, { key, ...call });
        if (roles.includes(role)) accepted(answer);
        else expectError(answer, 403, 'insufficient_rights');
        if (role !== 'viewer') continue;
        expectError(await shop.call(method, place, { key: stranger, ...call }), 403, 'insufficient_rights');
        expectError(await api(method, `/v1/shops/${shop.slug}${place}`, call), 400, 'invalid_merchant_or_key');
      }
    }
  });
});
