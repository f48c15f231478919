import { BatchWriteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { claimItem, historyItem } from '#domain/claims/claim-store.ts';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem, type StoredItem, shipmentItem, toOrder } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { referenceItems } from '#domain/orders/order-store.ts';
import { claimEvent, outboxItem } from '#domain/orders/outbox.ts';
import { newShipment } from '#domain/orders/shipment-rules.ts';
import { foundItem } from '#domain/privacy/find-orders.ts';
import type { Person, PrivacyRequest } from '#domain/privacy/request.ts';
import { newRequest, startPrivacyRequest } from '#domain/privacy/request-store.ts';
import { workOnRequest } from '#pipeline/privacy-work/requests.ts';
import { runRound } from '#pipeline/privacy-work/round.ts';
import { keyOf } from '#platform/table/keys.ts';
import { packText, unpackText } from '#platform/table/packed-text.ts';
import { privacyLimits as limits } from '#schemas/catalogues/limits.ts';
import { claimOf } from '#test/kit/claims.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeRequest, shopItem, tableWith } from '#test/kit/table.ts';

const objects = vi.hoisted(() => new Map<string, Buffer>());

vi.mock('#platform/lazy/s3.ts', () => ({
  putObject: async ({ Key, Body }: { Key: string; Body: Uint8Array | string }) =>
    objects.set(Key, Buffer.from(Body as string)),
  getObject: async ({ Key }: { Key: string }) => {
    if (!objects.has(Key)) throw Object.assign(new Error('gone'), { name: 'NoSuchKey' });
    return objects.get(Key);
  },
  deleteObject: async ({ Key }: { Key: string }) => objects.delete(Key),
}));
vi.mock('#platform/lazy/s3-versions.ts', () => ({
  async *versionPages(_bucket: string, prefix: string) {
    yield [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => ({ key, versionId: '1' }));
  },
  removeVersion: async (_bucket: string, { key }: { key: string }) => objects.delete(key),
}));
vi.mock('#platform/lazy/kms.ts', () => ({
  newWrappedKey: async () => Buffer.from('wrapped'),
  decryptByKms: async () => Buffer.from('the key of the ledger'),
}));

const begin = new Date('2026-11-17T12:00:00Z');
let clock: number;
const shop = shopItem('blue');
const image = `private/images/${shop.uuid}/claim/01930000-0000-7000-8000-0000000000aa.png`;

const writes = [PutCommand, UpdateCommand, TransactWriteCommand, BatchWriteCommand];

/** An order with a claim, of which a delivery to an integration tells: everything names the person. */
function placed(name: string): string {
  const input = { order_number: `number-${name}`, email_id: `${name}@example.com`, external_customer_id: `id-${name}` };
  const order = { ...newOrder(newOrderId(begin), input, begin), drafts: [], page_token: 'token' };
  const at = begin.toISOString();
  const claim = claimOf({
    uuid: `claim-${order.uuid}`,
    order_id: order.uuid,
    description: `torn, says ${name}`,
    image_urls: [`https://images.example/${image}`],
    updated_at: at,
  });
  const event = { ...claimEvent('created', claim, 1, 'somebody'), shop_slug: 'blue' };
  const { id: event_id, ref, event_group, triggered_at } = event;
  const source = { event_id, subject_id: claim.uuid, ref, event_group, triggered_at, shop_slug: 'blue' };
  const delivery = {
    ...newDelivery(source, { id: 'integration_1', kind: 'integration' }, begin, 0),
    attempts: [{ at, duration_ms: 1, status: 500, error: 'http_500', response: `who is ${name}?` }],
    attempt_count: 1,
  };
  memoryTable.put(
    orderItem('blue', order, 1),
    ...referenceItems('blue', order),
    claimItem('blue', claim, 1),
    historyItem('blue', claim, 1, { at, by: 'somebody', action: 'created', changes: [] }),
    outboxItem({ slug: 'blue', uuid: shop.uuid }, event),
    deliveryItem(delivery),
    payloadItem(delivery, { body: packText(`{"email":"${name}@example.com"}`) }),
    { ...keyOf.retry('blue', delivery.id, at), message: { ended: `who is ${name}?` } },
  );
  return order.uuid;
}

/** The words of the table, also those that are packed. */
function text(): string {
  const unpacked = (_: string, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    try {
      return unpackText(value).toString('utf8');
    } catch {
      return null;
    }
  };
  return memoryTable
    .all()
    .map((item) => JSON.stringify(item, unpacked))
    .join('\n');
}

const unused = () => Promise.reject(new Error('unused'));

async function round() {
  const workers = { request: workOnRequest, retention: unused, removal: unused };
  return runRound(workers, { now: () => new Date(clock), remainingMs: () => 50_000, spend: async () => {} });
}

const ask = (person: Person, more: Partial<PrivacyRequest> = {}) =>
  startPrivacyRequest(shop as never, { kind: 'erasure', person, requested_by: 'somebody', ...more } as never, begin);

const stored = ({ uuid }: PrivacyRequest) =>
  memoryTable.read(keyOf.privacyRequest('blue', uuid)) as never as PrivacyRequest;

beforeEach(() => {
  vi.stubEnv('IMAGE_BUCKET', 'images');
  vi.stubEnv('PAYLOAD_BUCKET', 'payloads');
  vi.stubEnv('LEDGER_BUCKET', 'ledger');
  clock = begin.getTime();
  objects.clear();
  objects.set(image, Buffer.from('an image'));
  tableWith(shop);
});

test('the history of a claim says that it was erased, and who asked for that', async () => {
  placed('ada');
  await ask({ email_id: 'ada@example.com' }, { requested_by: 'Mara in support' });
  await round();
  const entries = memoryTable.all().filter(({ by }) => by === 'erasure');
  expect(entries).toMatchObject([{ by_name: 'Mara in support', action: 'updated', changes: [] }]);
});

describe.each<[string, Person]>([
  ['e-mail address', { email_id: ' ADA@example.com ' }],
  ['customer id', { external_customer_id: 'id-ada' }],
  ['order number', { order_numbers: ['number-ada', 'of-nobody'] }],
])('a person who is named by an %s', (_, person) => {
  test('is gone from everything that is stored, and nobody else is', async () => {
    const ada = placed('ada');
    placed('grace');
    const request = await ask(person);
    await round();
    expect(stored(request)).toMatchObject({ status: 'done', orders: 1, step: 'sweep' });
    expect(stored(request)).not.toHaveProperty('person');
    expect(text()).not.toMatch(/ada@|id-ada|says ada|is ada/i);
    expect(text()).toMatch(/grace@example.com.*/);
    expect(text()).toContain('says grace');
    expect(objects.has(image)).toBe(false);
    const entry = JSON.parse(objects.get(`erasures/blue/${request.created_at}-${request.uuid}.json`)!.toString());
    expect(entry).toMatchObject({ shop_slug: 'blue', by: 'somebody', orders: [ada] });
    expect(JSON.stringify(entry)).not.toContain('ada@');
    expect(entry.person.every((hash: string) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
  });
});

test('what pends is cancelled, and what is made late of the order finds a mark instead of its payload', async () => {
  placed('ada');
  await ask({ email_id: 'ada@example.com' });
  await round();
  const [delivery] = memoryTable.all('DELIVERIES#');
  expect(delivery).toMatchObject({ status: 'cancelled', attempt_count: 1 });
  expect(memoryTable.all('RETRIES#')).toEqual([]);
  const payloads = memoryTable.all('PAYLOADS#');
  expect(payloads.some(({ pk }) => pk.endsWith(delivery!.payload_id))).toBe(true);
  for (const payload of payloads) expect(payload).toHaveProperty('erased_at');
});

test('a dry run counts what would go, and changes nothing', async () => {
  placed('ada');
  const before = memoryTable.all().filter(({ pk }) => !pk.startsWith('PRIVACY#'));
  const request = await ask({ email_id: 'ada@example.com' }, { dry_run: true });
  await round();
  const { status, counts } = stored(request);
  expect(status).toBe('done');
  expect(counts.deliveries).toEqual({ found: 1, erased: 1, kept: 0 });
  expect(counts.images).toEqual({ found: 1, erased: 1, kept: 0 });
  expect(memoryTable.all().filter(({ pk }) => !pk.startsWith('PRIVACY#'))).toEqual(before);
  expect(objects.has(image)).toBe(true);
});

test.each([false, true])('who was named is forgotten when all orders are found (dry run: %s)', async (dry_run) => {
  placed('ada');
  const request = await ask({ email_id: 'ada@example.com' }, { dry_run });
  const steps = new Map<string, boolean>();
  beforeRequest(UpdateCommand, () => {
    const { step, person } = stored(request);
    steps.set(step, person !== undefined);
  });
  await round();
  expect(Object.fromEntries(steps)).toMatchObject(
    dry_run ? { find: true, count: false } : { find: true, ledger: true, erase: false },
  );
  expect(memoryTable.all('PRIVACY#blue').filter(({ sk }) => sk.startsWith('RUNNING#'))).toEqual([]);
});

test('an unknown person has no orders, and is done', async () => {
  placed('ada');
  const request = await ask({ email_id: 'nobody@example.com' });
  await round();
  expect(stored(request)).toMatchObject({ status: 'done', orders: 0, counts: {} });
});

test('the same question that is still being answered is answered once, and later anew', async () => {
  const first = await ask({ email_id: 'ada@example.com' });
  const again = await ask({ email_id: 'Ada@Example.com ' });
  expect(again.uuid).toBe(first.uuid);
  await round();
  expect((await ask({ email_id: 'ada@example.com' })).uuid).not.toBe(first.uuid);
});

test('whatever write the function dies at, the next rounds bring the erasure to the same end', {
  timeout: 120_000,
}, async () => {
  placed('ada');
  const whole = await ask({ email_id: 'ada@example.com' });
  await round();
  const expected = stored(whole).counts;
  let deaths = 0;
  for (let dieAt = 1; dieAt < 60; dieAt++) {
    clock = begin.getTime();
    objects.set(image, Buffer.from('an image'));
    tableWith(shop);
    placed('ada');
    const request = await ask({ email_id: 'ada@example.com' });
    let written = 0;
    for (const Command of writes) {
      beforeRequest(Command as never, () => {
        if (++written === dieAt) {
          deaths++;
          throw new Error('died');
        }
      });
    }
    for (let rounds = 0; rounds < 10 && stored(request).status === 'running'; rounds++) {
      await round().catch(() => {});
      clock += 2 * limits.heldSeconds * 1000;
    }
    expect(stored(request), `died at write ${dieAt}`).toMatchObject({ status: 'done', counts: expected });
    expect(text(), `died at write ${dieAt}`).not.toMatch(/ada@|id-ada|says ada|is ada/i);
    if (written < dieAt) break;
  }
  expect(deaths).toBeGreaterThan(10);
});

test('two minutes later a second look takes what a function wrote that had read the order before', async () => {
  placed('ada');
  const request = await ask({ email_id: 'ada@example.com' });
  await round();
  const [delivery] = memoryTable.all('DELIVERIES#');
  memoryTable.put(
    { ...delivery!, attempts: [{ at: begin.toISOString(), duration_ms: 1, response: 'who is ada?' }] },
    { ...keyOf.pageVisits('token'), visits: [begin.toISOString()] },
  );
  clock += 3 * 60_000;
  await round();
  expect(text()).not.toContain('who is ada?');
  expect(memoryTable.all('PAGE')).toEqual([]);
  expect(stored(request)).not.toHaveProperty('list_pk');
});

test('an order that is too large for a turn is erased in several, and no write comes without a pause', async () => {
  const id = placed('ada');
  const head = memoryTable.read(keyOf.order('blue', id)) as unknown as StoredItem;
  const slots = Array.from({ length: 400 }, (_, i) => i + 1);
  const order = { ...toOrder(head), shipments: slots, next_slot: 401 };
  const parcels = slots.map((slot) => newShipment(order, slot, 'merchant_customer', begin.toISOString()));
  memoryTable.put(orderItem('blue', order, 2), ...parcels.map((parcel) => shipmentItem('blue', parcel, 1)));
  let [unpaid, most, written] = [0, 0, 0];
  beforeRequest(PutCommand, () => {
    written++;
    most = Math.max(most, ++unpaid);
  });
  const spend = async (units: number) => {
    unpaid = 0;
    clock += (units / limits.writeUnits) * 1000;
  };
  const request = await ask({ email_id: 'ada@example.com' });
  const workers = { request: workOnRequest, retention: unused, removal: unused };
  const { turns, failed } = await runRound(workers, { now: () => new Date(clock), remainingMs: () => 50_000, spend });
  expect({ turns, failed }).toEqual({ turns: 6, failed: 0 });
  expect(stored(request)).toMatchObject({
    status: 'done',
    orders: 1,
    counts: { orders: { found: 401, erased: 401 } },
  });
  expect(written).toBeLessThan(450);
  expect(most).toBeLessThan(10);
});

describe('an order that retention has collected', () => {
  const days = 24 * 3_600_000;
  /** Two orders that were too old in the night, half a year later. */
  async function collected(retention: object) {
    const orders = [placed('ada'), placed('grace')] as const;
    clock += 180 * days;
    const request = {
      ...newRequest('blue', { kind: 'erasure', person: {}, requested_by: 'retention' }, begin, 'ledger'),
    };
    memoryTable.put({ ...keyOf.settings('blue'), retention }, { ...request, is_retention: true });
    for (const id of orders) memoryTable.put(foundItem('blue', request.uuid, id, new Date(clock)));
    return { request, orders };
  }

  const ledgered = ({ uuid, created_at }: PrivacyRequest) =>
    JSON.parse(objects.get(`erasures/blue/${created_at}-${uuid}.json`)!.toString()).orders;

  test('stays if somebody has changed it since, also after a restore', async () => {
    const { request, orders } = await collected({ orders_days: 30 });
    const changed = memoryTable.read(keyOf.order('blue', orders[0]))! as unknown as StoredItem;
    const order = { ...toOrder(changed), updated_at: new Date(clock - days).toISOString() };
    memoryTable.put(orderItem('blue', order, 2));
    await round();
    expect(stored(request)).toMatchObject({ status: 'done', orders: 1 });
    expect(text()).toContain('ada@example.com');
    expect(text()).not.toContain('grace@example.com');
    expect(ledgered(request)).toEqual([orders[1]]);
  });

  test.each([{ orders_days: 365 }, { orders_days: null, claim_images_days: 30 }])(
    'stays if the shop keeps %o now',
    async (retention) => {
      const { request } = await collected(retention);
      await round();
      expect(stored(request)).toMatchObject({ status: 'done', orders: 0, counts: {} });
      for (const name of ['ada', 'grace']) expect(text()).toContain(`${name}@example.com`);
      expect(ledgered(request)).toEqual([]);
    },
  );
});

test('a request of a shop that is gone ends', async () => {
  const request = await ask({ email_id: 'ada@example.com' });
  memoryTable.remove(keyOf.shop('blue'));
  await round();
  expect(stored(request)).toMatchObject({ status: 'done' });
});
