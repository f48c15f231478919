import { randomBytes } from 'node:crypto';
import { CreateMultipartUploadCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PutCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keyOf } from '#platform/table/keys.ts';
import { grantsOf } from '#test/e2e/kit/grants.ts';
import { idleGrants } from '#test/e2e/kit/idle-grants.ts';
import { addPerson, type Person } from '#test/kit/canary/person.ts';
import { ask, finish, fulfil } from '#test/kit/canary/requests.ts';
import { addShop, startWorld, type World } from '#test/kit/canary/world.ts';
import { type WholeShop, wholeShopItems } from '#test/kit/whole-shop-items.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/**
 * What the function does for requests, retention and removals, as its role lets it: the stack enforces the policies of the
 * template.
 */

const asked = 'asked-shop';
let world: World;
let s3: S3Client;
let person: Person;
beforeAll(async () => {
  world = await startWorld();
  s3 = new S3Client({ ...world.service.stack.clientConfig, forcePathStyle: true });
  const { shop } = await addShop(world, asked);
  person = await addPerson(shop, 'za');
  await placeBigOrder();
  await world.settled();
  world.service.stack.usage.start();
});
afterAll(async () => {
  s3?.destroy();
  await world?.stop();
});

/** What is sent of it is too big for the table, and lies in the bucket. */
async function placeBigOrder(): Promise<void> {
  const products = () => Array.from({ length: 300 }, () => ({ title: randomBytes(600).toString('base64') }));
  const { status, text } = await call('PUT', `${asked}/orders`, {
    id: 'big',
    order: { email_id: person.email, products: products() },
    trackings: [{ tracking_number: 'big-parcel', products: products() }],
  });
  if (status !== 200) throw new Error(text);
}

const day = 24 * 3_600_000;
const ago = (days: number) => new Date(Date.now() - days * day);

const payloads = (): string => JSON.parse(world.service.stack.outputs.Failures!).bucket;
const images = (): string => world.service.stack.outputs.ImageBucketName!;

async function putItems(items: readonly object[]): Promise<void> {
  const { table, tableName: TableName } = world.service;
  for (const Item of items) await table.send(new PutCommand({ TableName, Item }));
}

/** A shop with something under each key, of which everything is older than it may be. */
async function oldShop(slug: string): Promise<WholeShop> {
  await world.api('POST', '/v1/shops', { key: world.key, body: { name: slug, slug } });
  const { body } = await call('GET', slug);
  const whole = wholeShopItems(slug, body.uuid, ago(40), ago(10));
  await putItems(Object.values(whole.items).flat());
  await s3.send(new PutObjectCommand({ Bucket: payloads(), Key: whole.payload, Body: '{}' }));
  await s3.send(new PutObjectCommand({ Bucket: images(), Key: whole.image, Body: 'image' }));
  return whole;
}

async function workOf(slug: string): Promise<Record<string, string>[]> {
  const { Items = [] } = await world.service.table.send(
    new QueryCommand({
      TableName: world.service.tableName,
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: 'attribute_exists(list_sk)',
      ExpressionAttributeValues: { ':pk': keyOf.retention(slug).pk },
    }),
  );
  return Items;
}

async function setAttributes({ pk, sk }: { pk: string; sk: string }, values: Record<string, unknown>): Promise<void> {
  const names = Object.keys(values);
  await world.service.table.send(
    new UpdateCommand({
      TableName: world.service.tableName,
      Key: { pk, sk },
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, values[name]])),
    }),
  );
}

async function makeDue(slug: string): Promise<void> {
  for (const { pk, sk, list_sk } of await workOf(slug))
    await setAttributes({ pk: pk!, sk: sk! }, { list_sk: list_sk!.replace(/^[^#]+/, '2026-01-01T00:00:00.000Z') });
}

/** Rounds of the function, each as if all had become due before it, until nothing is left for the shop or it is so far. */
async function rounds(slug: string, isFar: (work: readonly Record<string, string>[]) => boolean): Promise<void> {
  for (let round = 0; round < 20; round++) {
    if (isFar(await workOf(slug))) return;
    await makeDue(slug);
    await world.service.stack.invoke('PrivacyWork', {});
  }
  throw new Error(`There is work left: ${JSON.stringify(await workOf(slug))}`);
}

const call = (method: string, path: string, body?: object) =>
  world.api(method, `/v1/shops/${path}`, { key: world.key, ...(body && { body }) });

test('It discloses a person with images and large payloads', async () => {
  const { status, download_url, stores } = await fulfil(world, asked, { kind: 'disclosure', email_id: person.email });
  expect(status).toBe('done');
  expect(stores.filter(({ found }) => found > 0).map(({ store }) => store)).toEqual(
    expect.arrayContaining(['images', 'payload_files', 'automation_runs', 'waiting_retries']),
  );
  expect((await fetch(download_url!)).status).toBe(200);
});

test('It drops a disclosure that is being made, when its orders are erased', async () => {
  const { uuid } = (await ask(world, asked, { kind: 'disclosure', order_numbers: person.numbers })).body;
  const object = { Bucket: payloads(), Key: `disclosures/${asked}/${uuid}.zip` };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(object));
  const position = JSON.stringify({ upload: { ...object, UploadId } });
  await setAttributes(keyOf.privacyRequest(asked, uuid), { step: 'zip', position, download_gone: true });
  expect(await finish(world, asked, uuid)).toMatchObject({ status: 'done', download_url: null });
});

test('It erases a person, with the ledger and its key, and looks again two minutes later', async () => {
  const { email: email_id, customerId: external_customer_id } = person;
  const { status, stores } = await fulfil(world, asked, { kind: 'erasure', email_id, external_customer_id });
  expect(status).toBe('done');
  expect(stores.filter(({ found, erased }) => found > 0 && erased === 0)).toEqual([]);
  await rounds(asked, (work) => work.length === 0);
});

test('It keeps a shop no longer than asked, and finds orders of before there was an index of customers', async () => {
  const { customerId, orderId } = await oldShop('kept-shop');
  const byCustomer = { kind: 'erasure', external_customer_id: customerId, dry_run: true };
  expect(await fulfil(world, 'kept-shop', byCustomer)).toMatchObject({ status: 'done', orders: 1 });
  const days = { orders_days: 30, claim_images_days: 30, deliveries_days: 5 };
  expect((await call('PATCH', 'kept-shop/settings/retention', days)).status).toBe(200);
  const isAfterNight = (work: readonly Record<string, string>[]) =>
    work.length === 1 && work[0]!.list_sk! > new Date().toISOString();
  await makeDue('kept-shop');
  await rounds('kept-shop', isAfterNight);
  const { body: orders } = await call('GET', 'kept-shop/orders');
  expect(orders).toMatchObject([{ uuid: orderId, erased_at: expect.any(String) }]);
});

test('It removes a shop with all that it held', async () => {
  const { items } = await oldShop('gone-shop');
  expect((await call('DELETE', 'gone-shop?confirm=gone-shop')).status).toBe(200);
  // A request that was on its way made a key after all.
  await putItems(items.keys);
  await rounds('gone-shop', (work) => work.length === 0);
  const { Items = [] } = await world.service.table.send(new ScanCommand({ TableName: world.service.tableName }));
  expect(Items.filter((item) => JSON.stringify(item).includes('gone-shop'))).toEqual([]);
});

/** S3 asks for them beside others: it says only to who may list a bucket that an object is missing. */
const isBesideOthers = /^s3:(ListBucket|DeleteObject)$/;

test('It has no grant that nothing of this needed', () => {
  const all = grantsOf(process.env.TEST_ASSEMBLY!, /^(dynamodb|kms|s3):/);
  const own = all.filter(({ policy, action }) => policy.startsWith('PrivacyWork') && !isBesideOthers.test(action));
  expect(own).not.toEqual([]);
  expect(idleGrants(world.service.stack, own)).toEqual([]);
});
