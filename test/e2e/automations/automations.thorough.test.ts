import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ShopRole, shopRoles } from '#schemas/catalogues/enumerations.ts';
import { automations as declared } from '#schemas/families/automations.ts';
import { anAutomation, automationsOf, aWebhook } from '#test/e2e/kit/automations.ts';
import { newClaimant, newParcel } from '#test/e2e/kit/claims.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, type Fields, type Merchant, newMerchant } from '#test/e2e/kit/orders.ts';
import { signedWith, startReceiver } from '#test/e2e/kit/receiver.ts';
import { api, keyFor } from '#test/e2e/kit/shared-stack.ts';

let shop: Merchant;
let automations: ReturnType<typeof automationsOf>;
beforeAll(async () => {
  shop = await newMerchant();
  automations = automationsOf(shop);
});

/** A shop without events. */
const segment = (name: string) => ({ type: 'add_segment', params: { segment: name } });

describe('an automation', () => {
  test('is answered with its defaults, its secret and only the parameters that its actions take', async () => {
    const action = { type: 'webhook', params: { url: 'https://example.com/a', segment: 'x', more: 1 } };
    const { uuid, secret, created_at, updated_at, ...rest } = await automations.made({
      name: 'first',
      actions: [action],
    });
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(secret).toMatch(/^whsec_/);
    expect(created_at).toBe(updated_at);
    expect(rest).toEqual({
      shop_slug: shop.slug,
      name: 'first',
      status: 'active',
      trigger: { ref: '*' },
      conditions: null,
      actions: [aWebhook('https://example.com/a')],
      delay_minutes: 0,
      max_age_hours: 4,
    });
    expect(accepted(await automations.get(uuid.toUpperCase()))).toMatchObject({ uuid, secret, name: 'first' });
  });

  test('is replaced as a whole, and keeps its secret', async () => {
    const { uuid, secret } = await automations.made({ status: 'testing', delay_minutes: 5, conditions: { all: [] } });
    const conditions = { any: [{ field: 'event_data.phase', operator: 'in', value: ['delivered'] }] };
    const body = anAutomation({ trigger: { event_group: 'claim_created' }, conditions, actions: [segment('vip')] });
    const replaced = accepted(await automations.replace(uuid, body));
    expect(replaced).toMatchObject({ ...body, uuid, secret, status: 'active', delay_minutes: 0 });
    expect(accepted(await automations.get(uuid))).toEqual(replaced);
  });

  test('disappears everywhere when it is deleted, and frees its name', async () => {
    const { uuid, name } = await automations.made();
    expectError(await automations.create({ name }), 409, 'automation_exists');
    const { status, text } = await automations.remove(uuid);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    const calls = [
      automations.get(uuid),
      automations.replace(uuid, anAutomation()),
      automations.remove(uuid),
      automations.dryRun(uuid),
      shop.call('GET', `/automations/${uuid}/runs`),
    ];
    for (const answer of await Promise.all(calls)) expectError(answer, 404, 'automation_not_found');
    expect(JSON.stringify(accepted(await shop.call('GET', '/automations')))).not.toContain(uuid);
    expect((await automations.create({ name })).status).toBe(200);
  });

  test('cannot have the name of another automation', async () => {
    const [{ name }, { uuid }] = [await automations.made(), await automations.made()];
    expectError(await automations.replace(uuid, anAutomation({ name })), 409, 'automation_exists');
  });

  test('is created once by several requests with the same name', async () => {
    const name = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => automations.create({ name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  });

  test('is listed newest first, page by page', async () => {
    const merchant = await newMerchant();
    const { made } = automationsOf(merchant);
    const uuids = [(await made()).uuid, (await made()).uuid, (await made()).uuid].toReversed();
    const page = async (query: Record<string, number>) =>
      accepted(await merchant.call('GET', '/automations', { query })).map(({ uuid }: { uuid: string }) => uuid);
    expect(await page({})).toEqual(uuids);
    expect([await page({ per_page: 2 }), await page({ per_page: 2, page: 2 })]).toEqual([
      uuids.slice(0, 2),
      uuids.slice(2),
    ]);
  });

  const missing = (...names: string[]) => names.map((name) => [`body.${name}`, 'missing'] as const);

  test('is refused with all its faults', async () => {
    expectInvalid(await shop.call('POST', '/automations', { body: {} }), ...missing('name', 'trigger', 'actions'));
    const wrongShape = {
      trigger: { event_group: 'party', ref: 'shipments/nowhere' },
      delay_minutes: 43_201,
      status: 'on',
    };
    expectInvalid(
      await automations.create({ ...wrongShape, actions: [{ type: 'dance', params: {} }] }),
      ['body.trigger.event_group', 'value_error'],
      ['body.trigger.ref', 'value_error'],
      ['body.delay_minutes', 'value_error'],
      ['body.status', 'value_error'],
      ['body.actions.0.type', 'value_error'],
    );
    const conditions = {
      all: [
        { field: 'nowhere', operator: 'eq', value: 1 },
        { field: 'ref', operator: 'gt', value: 'much' },
      ],
    };
    const actions = [aWebhook('ftp://example.com'), { type: 'integration', params: { integration: 'integration_8' } }];
    expectInvalid(
      await automations.create({ actions }),
      ['body.actions.0.params.url', 'value_error'],
      ['body.actions.1.params.integration', 'value_error'],
    );
    expectInvalid(
      await automations.create({ conditions, trigger: {}, actions: [aWebhook('https://a:b@example.com')] }),
      ['body.trigger', 'value_error'],
      ['body.conditions.all.0.field', 'value_error'],
      ['body.conditions.all.1.value', 'type_error'],
      ['body.actions.0.params.url', 'value_error'],
    );
    expectInvalid(await automations.create({ actions: [] }), ['body.actions', 'value_error']);
    const half = '\ud800';
    const unstorable = {
      any: [9e15 + 1e15, -1e200, half, [1e16]].map((value) => ({ field: 'ref', operator: 'eq', value })),
    };
    expectInvalid(
      await automations.create({ name: half, conditions: unstorable, actions: [segment(half)] }),
      ['body.name', 'value_error'],
      ['body.conditions.any.0.value', 'value_error'],
      ['body.conditions.any.1.value', 'value_error'],
      ['body.conditions.any.2.value', 'value_error'],
      ['body.conditions.any.3.value.0', 'value_error'],
      ['body.actions.0.params.segment', 'value_error'],
    );
    const eleven = Array.from({ length: 11 }, (_, i) => segment(`s${i}`));
    expectInvalid(await automations.create({ actions: eleven }), ['body.actions', 'value_error']);
  });
});

describe('in the automations family', () => {
  const keys = {} as Record<ShopRole, string>;
  beforeAll(async () => {
    for (const role of shopRoles) keys[role] = await keyFor(shop.slug, role);
  });

  const rights: Record<keyof typeof declared, readonly ShopRole[]> = {
    listAutomations: ['viewer', 'editor', 'admin'],
    createAutomation: ['editor', 'admin'],
    getAutomation: ['viewer', 'editor', 'admin'],
    replaceAutomation: ['editor', 'admin'],
    deleteAutomation: ['editor', 'admin'],
    listAutomationRuns: ['viewer', 'editor', 'admin'],
    dryRunAutomation: ['editor', 'admin'],
  };

  test.each(Object.entries(rights))('the operation %s is allowed only to %j', async (id, allowed) => {
    const { method, path } = declared[id as keyof typeof declared];
    const { uuid } = await automations.made();
    const send = (key: string, body: Fields) => {
      const address = path.replace('{slug}', shop.slug).replace('{automation_id}', uuid);
      return api(method, address, { key, ...(method !== 'GET' && method !== 'DELETE' && { body }) });
    };
    const body = id.startsWith('dry') ? {} : anAutomation();
    const stranger = await keyFor((await newMerchant()).slug);
    const refused = [...shopRoles.filter((role) => !allowed.includes(role)).map((role) => keys[role]), stranger];
    for (const key of refused) expectError(await send(key, body), 403, 'insufficient_rights');
    expect([200, 204]).toContain((await send(keys[allowed[0]!], body)).status);
  });

  test('only administrators can read the secret, and its creator sees it once', async () => {
    const path = `/v1/shops/${shop.slug}/automations`;
    const { body } = await api('POST', path, { key: keys.editor, body: anAutomation() });
    expect(body.secret).toMatch(/^whsec_/);
    const seen = async (key: string) => (await api('GET', `${path}/${body.uuid}`, { key })).body.secret;
    expect(await seen(keys.viewer)).toBeNull();
    expect(await seen(keys.editor)).toBeNull();
    expect(await seen(keys.admin)).toBe(body.secret);
    const replaced = await api('PUT', `${path}/${body.uuid}`, { key: keys.editor, body: anAutomation() });
    expect(replaced.body.secret).toBeNull();
    const { text } = await api('GET', `${path}?per_page=100`, { key: keys.viewer });
    expect(text).not.toContain('whsec_');
  });
});

describe('an event', () => {
  test('is sent to the webhook of an automation, signed with its secret, and the run records that', async () => {
    await using receiver = await startReceiver();
    const merchant = await newMerchant();
    const { made, runsBecome, dryRun } = automationsOf(merchant);
    const trigger = { ref: 'shipments/order_processed/ORDER_PROCESSED' };
    const conditions = { all: [{ field: 'context.order.total_order_price', operator: 'gt', value: 40 }] };
    const actions = [aWebhook(receiver.url), segment('big spender')];
    const { uuid, secret } = await made({ trigger, conditions, actions });
    const test = await made({
      trigger,
      status: 'testing',
      conditions: { all: [{ ...conditions.all[0]!, value: 50 }] },
    });
    const { order, shipment_id } = await newParcel(merchant, { total_order_price: 49.9 });

    const request = await receiver.next();
    expect(signedWith(request, [secret!])).toEqual([true]);
    expect(JSON.parse(request.body)).toMatchObject({
      ref: trigger.ref,
      shop_slug: merchant.slug,
      event_data: { shipment_id },
    });
    const delivery = { id: request.headers['webhook-id'], status: 'delivered', attempt_count: 1 };
    const [run] = await runsBecome(uuid, [{ status: 'done', actions: [{ delivery }, { status: 'done' }] }]);
    expect(run).toMatchObject({
      ref: trigger.ref,
      order_id: order.uuid,
      subject_id: shipment_id,
      reason: null,
      conditions: [{ field: 'context.order.total_order_price', operator: 'gt', met: true }],
    });
    expect((await merchant.orderWith(order.order_number)).segments).toEqual(['big spender']);
    const [tested] = await runsBecome(test.uuid, [{ status: 'skipped', reason: 'conditions_not_met' }]);
    expect(tested!.actions).toMatchObject([{ type: 'webhook', status: 'not_done', delivery: null }]);

    const answer = accepted(await dryRun(uuid));
    const { matched, has_more, examples } = answer;
    expect({ matched, has_more }).toEqual({ matched: 1, has_more: false });
    expect(examples).toEqual([
      {
        time: run!.time,
        ref: trigger.ref,
        event_group: run!.event_group,
        order_id: order.uuid,
        subject_id: shipment_id,
      },
    ]);
    expect(answer).not.toHaveProperty('checks');
    expect(accepted(await dryRun(test.uuid))).toMatchObject({ matched: 0, orders: 1 });
    const [outcome] = run!.conditions;
    expect(accepted(await dryRun(uuid, { order_id: order.uuid }))).toMatchObject({
      orders: 1,
      matched: 1,
      checks: [{ subject_id: shipment_id, would_run: true, reason: null, conditions: [outcome] }],
    });
    expect(accepted(await dryRun(test.uuid, { order_id: order.uuid }))).toMatchObject({
      matched: 0,
      checks: [{ would_run: false, reason: 'conditions_not_met', conditions: [{ ...outcome, met: false }] }],
    });
    expectError(await dryRun(uuid, { order_id: uuid }), 404, 'order_not_found');
    const before = { since: '2026-01-01T00:00:00Z', until: new Date(Date.parse(run!.time) - 1).toISOString() };
    expect(accepted(await dryRun(uuid, before))).toMatchObject({ matched: 0, events: 0 });
    expectInvalid(await dryRun(uuid, { since: before.until, until: before.since }), ['body.until', 'value_error']);
  });

  test('of a claim makes an automation move the claim, which does not trigger the automation again', async () => {
    const merchant = await newClaimant();
    const { made, runsBecome, dryRun } = automationsOf(merchant);
    const actions = [{ type: 'update_claim', params: { status: 'accepted' } }];
    const { uuid } = await made({ trigger: { ref: 'claims' }, actions });
    const { shipment_id } = await newParcel(merchant);
    const claim = await merchant.claim({ shipment_id });
    const expected = [
      { ref: 'claims/updated', status: 'skipped', reason: 'loop' },
      { ref: 'claims/created', status: 'done', subject_id: claim.uuid },
    ];
    await runsBecome(uuid, expected);
    expect(await merchant.search()).toMatchObject([{ uuid: claim.uuid, status: 'accepted' }]);
    expect(accepted(await dryRun(uuid))).toMatchObject({ matched: 1 });
  });
});
