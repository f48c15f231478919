import { beforeEach, expect, test, vi } from 'vitest';
import { claimItem } from '#domain/claims/claim-store.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { foundItem } from '#domain/privacy/find-orders.ts';
import type { PrivacyRequest } from '#domain/privacy/request.ts';
import { newRequest } from '#domain/privacy/request-store.ts';
import { collect, removeDisclosures, zip } from '#pipeline/privacy-work/disclosure.ts';
import { workOnRequest } from '#pipeline/privacy-work/requests.ts';
import { keyOf } from '#platform/table/keys.ts';
import { privacyLimits } from '#schemas/catalogues/limits.ts';
import { unzip } from '#test/kit/canary/unzip.ts';
import { claimOf } from '#test/kit/claims.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';

const s3 = vi.hoisted(() => ({ objects: new Map<string, Buffer>(), parts: new Map<number, Buffer>() }));

vi.mock('#platform/lazy/s3.ts', () => ({
  putObject: async ({ Bucket, Key, Body }: { Bucket: string; Key: string; Body: Uint8Array | string }) =>
    s3.objects.set(`${Bucket}/${Key}`, Buffer.from(Body as string)),
  getObject: async ({ Bucket, Key }: { Bucket: string; Key: string }) => {
    const object = s3.objects.get(`${Bucket}/${Key}`);
    if (!object) throw Object.assign(new Error('gone'), { name: 'NoSuchKey' });
    return object;
  },
}));
vi.mock('#platform/lazy/s3-multipart.ts', () => ({
  beginUpload: async (object: object) => ({ ...object, UploadId: 'upload' }),
  uploadPart: async (_upload: object, number: number, body: Buffer) => {
    s3.parts.set(number, body);
    return `tag-${number}`;
  },
  endUpload: async ({ Bucket, Key }: { Bucket: string; Key: string }, tags: string[]) =>
    s3.objects.set(`${Bucket}/${Key}`, Buffer.concat(tags.map((_, i) => s3.parts.get(i + 1)!))),
  dropUpload: async () => {},
}));
vi.mock('#platform/lazy/s3-versions.ts', () => ({
  async *versionPages(bucket: string, prefix: string) {
    const names = [...s3.objects.keys()].filter((name) => name.startsWith(`${bucket}/${prefix}`));
    yield names.map((name) => ({ key: name.slice(bucket.length + 1), versionId: '1' }));
  },
  removeVersion: async (bucket: string, { key }: { key: string }) => s3.objects.delete(`${bucket}/${key}`),
}));

const now = new Date('2026-11-17T12:00:00Z');
const shop = shopItem('blue') as never as Parameters<typeof collect>[0]['shop'];
const turn = { now: () => now, isOver: () => false, spend: async () => {} };
const file = `payloads/disclosures/blue`;

beforeEach(() => {
  vi.stubEnv('IMAGE_BUCKET', 'images');
  vi.stubEnv('PAYLOAD_BUCKET', 'payloads');
  vi.stubEnv('PUBLIC_URL', 'https://service.example');
  s3.objects.clear();
  s3.parts.clear();
  tableWith(shopItem('blue'));
});

const ask = (kind: 'disclosure' | 'erasure', ...orders: string[]): PrivacyRequest => {
  const request = newRequest('blue', { kind, person: {}, requested_by: 'somebody' }, now, 'collect');
  memoryTable.put(request, ...orders.map((id) => foundItem('blue', request.uuid, id, now)));
  return request;
};

function placed(name: string): string {
  const fields = { order_number: `number-${name}`, email_id: `${name}@example.com`, user_agent: `browser of ${name}` };
  const order = { ...newOrder(newOrderId(now), fields, now), drafts: [] };
  memoryTable.put(orderItem('blue', order, 1));
  return order.uuid;
}

/** Does all steps. Each is done twice, as if the function had died before it saved how far it was. */
async function disclose(before: PrivacyRequest, isRepeated = true): Promise<PrivacyRequest> {
  let request = before;
  for (let steps = 0; steps < 50; steps++) {
    const step = request.step === 'zip' ? zip : collect;
    if (isRepeated) await step({ request, shop, turn });
    const progress = await step({ request, shop, turn });
    if (progress === 'done') return request;
    request = { ...request, ...(progress as Partial<PrivacyRequest>) };
  }
  throw new Error('The disclosure does not end.');
}

/** Counts, and then removes. */
async function removeAsked(request: PrivacyRequest): Promise<PrivacyRequest> {
  const progress = (await removeDisclosures({ request, shop, turn })) as Partial<PrivacyRequest>;
  const counted = { ...request, ...progress };
  expect(await removeDisclosures({ request: counted, shop, turn })).toBe('done');
  return counted;
}

const filesOf = ({ uuid }: PrivacyRequest) => unzip(s3.objects.get(`${file}/${uuid}.zip`)!);

test('A disclosure is one ZIP with the orders of the person, what responses leave out of them, and the images of claims', async () => {
  const [ada, grace] = [placed('ada'), placed('grace')];
  placed('another');
  const key = `private/images/${shop.uuid}/claim/${newOrderId(now)}.png`;
  const claim = claimOf({ order_id: ada, description: 'torn', image_urls: [`https://images.example/${key}`] });
  memoryTable.put(claimItem('blue', claim, 1));
  s3.objects.set(`images/${key}`, Buffer.from('an image'));
  const request = await disclose(ask('disclosure', ada, grace));
  const files = filesOf(request);
  const { orders } = JSON.parse(files.get('data.json')!.toString());
  expect(orders).toHaveLength(2);
  const text = JSON.stringify(orders);
  for (const word of ['ada@example.com', 'browser of grace', 'torn']) expect(text).toContain(word);
  expect(text).not.toContain('another');
  expect([...files.keys()]).toEqual(['data.json', `images/${key.split('/').slice(-2).join('/')}`]);
  expect([...files.values()][1]!.toString()).toBe('an image');
  expect(request.counts.orders).toMatchObject({ found: 2, erased: 0 });
});

test('A disclosure of nobody is a ZIP without orders', async () => {
  const files = filesOf(await disclose(ask('disclosure')));
  expect(JSON.parse(files.get('data.json')!.toString())).toEqual({ orders: [] });
});

test('An image that is gone is left out', async () => {
  const ada = placed('ada');
  const url = `https://images.example/private/images/${shop.uuid}/claim/${newOrderId(now)}.png`;
  memoryTable.put(claimItem('blue', claimOf({ order_id: ada, image_urls: [url] }), 1));
  expect([...filesOf(await disclose(ask('disclosure', ada))).keys()]).toEqual(['data.json']);
});

test('An erasure counts and removes the files of a disclosure with one of its orders, and leaves those of others', async () => {
  const [ada, grace] = [placed('ada'), placed('grace')];
  const disclosures = [ask('disclosure', ada), ask('disclosure', grace)];
  for (const one of disclosures) {
    await disclose(one);
    memoryTable.put({ ...one, status: 'done', done_at: now.toISOString() });
  }
  const would = await removeAsked({ ...ask('erasure', ada), dry_run: true });
  expect(would.counts.disclosures).toEqual({ found: 1, erased: 1, kept: 0 });
  expect(
    [...s3.objects.keys()].filter((name) => name.endsWith('.zip')),
    'after a dry run',
  ).toHaveLength(2);
  const { counts } = await removeAsked(ask('erasure', ada));
  expect(counts.disclosures).toEqual({ found: 1, erased: 1, kept: 0 });
  expect([...s3.objects.keys()].filter((name) => name.endsWith('.zip'))).toEqual([
    `${file}/${disclosures[1]!.uuid}.zip`,
  ]);
  expect([...s3.objects.keys()].some((name) => name.includes(disclosures[0]!.uuid))).toBe(false);
  expect(memoryTable.read(keyOf.privacyRequest('blue', disclosures[0]!.uuid))).toMatchObject({ download_gone: true });
});

test('A disclosure that is being made while one of its orders is erased leaves no file', async () => {
  const ada = placed('ada');
  const request = ask('disclosure', ada);
  const progress = (await collect({ request, shop, turn })) as Partial<PrivacyRequest>;
  await removeAsked(ask('erasure', ada));
  const marked = memoryTable.read(keyOf.privacyRequest('blue', request.uuid)) as unknown as PrivacyRequest;
  expect(await collect({ request: { ...marked, ...progress }, shop, turn })).toBe('done');
  expect([...s3.objects.keys()]).toEqual([]);
});

test('A disclosure that is given up leaves no parts', async () => {
  const request = ask('disclosure', placed('ada'));
  const progress = (await collect({ request, shop, turn })) as Partial<PrivacyRequest>;
  const givenUp = { ...request, ...progress, tries: privacyLimits.tries };
  memoryTable.put(givenUp);
  expect(await workOnRequest(givenUp, turn)).toBe('done');
  expect(memoryTable.read(keyOf.privacyRequest('blue', request.uuid))).toMatchObject({ status: 'failed' });
  expect([...s3.objects.keys()]).toEqual([]);
});

test('An erasure that comes when the file is just done removes it, too', async () => {
  const ada = placed('ada');
  const request = ask('disclosure', ada);
  memoryTable.put({ ...request, download_gone: true });
  await disclose(request, false);
  expect([...s3.objects.keys()]).toEqual([]);
});
