import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as shops } from '#api/shops/handler.ts';
import { takePlaces } from '#domain/feed/blocks.ts';
import { workOnRemoval } from '#pipeline/privacy-work/remove-shop.ts';
import { runRound } from '#pipeline/privacy-work/round.ts';
import { chunks } from '#platform/batches.ts';
import { keyOf } from '#platform/table/keys.ts';
import { shopRemovalLimits } from '#schemas/catalogues/limits.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, beforeRequest, keyFor, operator, tableWith } from '#test/kit/table.ts';
import { putWholeShop } from '#test/kit/whole-shop.ts';

const bucket = vi.hoisted(() => new Map<string, string[]>());

vi.mock('#platform/lazy/s3-versions.ts', () => ({
  async *versionPages(name: string, prefix: string) {
    const keys = (bucket.get(name) ?? []).filter((key) => key.startsWith(prefix));
    yield keys.map((key) => ({ key, versionId: '1' }));
  },
  removeVersion: async (name: string, { key }: { key: string }) => {
    bucket.set(
      name,
      bucket.get(name)!.filter((one) => one !== key),
    );
  },
}));
vi.mock('#platform/lazy/s3.ts', () => ({
  deleteObject: async ({ Bucket, Key }: { Bucket: string; Key: string }) => {
    bucket.set(
      Bucket,
      bucket.get(Bucket)!.filter((one) => one !== Key),
    );
  },
}));

const [blue, green] = ['01930000-0000-7000-8000-00000000b1be', '01930000-0000-7000-8000-0000000067ee'];

let clock: number;
const turnsEnd = { after: Number.POSITIVE_INFINITY };

beforeEach(async () => {
  vi.stubEnv('IMAGE_BUCKET', 'images');
  vi.stubEnv('PAYLOAD_BUCKET', 'payloads');
  tableWith(operator.item);
  await putWholeShop('blue', blue);
  await putWholeShop('green', green);
  const images = [blue, green].flatMap((uuid) => [`public/images/${uuid}/logo/1`, `private/images/${uuid}/claim/1`]);
  bucket.set('images', images);
  bucket.set(
    'payloads',
    ['blue', 'green'].flatMap((slug) => [`payloads/${slug}.json.gz`, `disclosures/${slug}/1.zip`]),
  );
  clock = Date.now();
  turnsEnd.after = Number.POSITIVE_INFINITY;
});
afterEach(() => vi.unstubAllEnvs());

const remove = (slug: string, confirm = slug) =>
  invoke(shops, {
    method: 'DELETE',
    resource: '/v1/shops/{slug}',
    params: { slug },
    query: { confirm },
    headers: asOperator,
  });

const create = (slug: string) =>
  invoke(shops, { method: 'POST', resource: '/v1/shops', headers: asOperator, body: { name: 'Again', slug } });

const others = { request: async () => 'done' as const, retention: async () => 'done' as const };
const isOfRemoval = ({ sk }: { sk: string }) => sk === 'REMOVAL';

/** The work of a minute. */
async function round() {
  // A turn that is over ends in an hour here.
  clock += turnsEnd.after === Number.POSITIVE_INFINITY ? 60_000 : 2 * 3_600_000;
  let calls = 0;
  const now = () => new Date(clock + (++calls > turnsEnd.after ? 3_600_000 : 0));
  const workers = { ...others, removal: workOnRemoval };
  // The other work of the shop is not what is tested here.
  for (const item of memoryTable.all('PRIVACY#'))
    if (item.list_pk && !isOfRemoval(item)) memoryTable.put(withoutList(item));
  return runRound(workers, { now, remainingMs: () => 50_000, spend: async () => {} });
}

const withoutList = ({ list_pk: _pk, list_sk: _sk, ...item }: Record<string, unknown>) => item;

const isGone = () => memoryTable.read(keyOf.shopRemoval('blue')) === undefined;

async function roundsUntilGone(max = 30): Promise<number> {
  for (let rounds = 1; rounds <= max; rounds++) {
    await round();
    if (isGone()) return rounds;
  }
  throw new Error('The shop is not removed.');
}

const withBlue = () => memoryTable.all().filter((item) => /blue|b1be/.test(JSON.stringify(item)));
const stateOfGreen = () =>
  memoryTable
    .all()
    .filter((item) => !/blue|b1be/.test(JSON.stringify(item)))
    .map((item) => (item.pk.startsWith('PRIVACY#') ? withoutList(item) : item));

test('A removed shop leaves nothing under any key, and nothing of another shop goes', async () => {
  const before = stateOfGreen();
  expect(withBlue().length).toBeGreaterThan(70);
  expect((await remove('blue')).status).toBe(200);
  await roundsUntilGone();
  expect(withBlue()).toEqual([]);
  expect(stateOfGreen()).toEqual(before);
  expect([...bucket.values()].flat().filter((key) => /blue|b1be/.test(key))).toEqual([]);
  expect([...bucket.values()].flat()).toHaveLength(4);
});

test.each([Number.POSITIVE_INFINITY, 12])(
  'What only its feeds name goes, too (turns end after %d steps)',
  async (after) => {
    const ids = Array.from({ length: 80 }, () => randomUUID());
    for (const generation of [2, 5]) await takePlaces({ slug: 'blue', generation }, ids.slice(0, 20));
    for (const some of chunks(ids, 20)) await takePlaces({ slug: 'blue', generation: 12 }, some);
    memoryTable.put(...ids.map((id) => ({ ...keyOf.payload('blue', id), s3_key: 'payloads/blue.json.gz' })));
    turnsEnd.after = after;
    expect((await remove('blue')).status).toBe(200);
    await roundsUntilGone(400);
    expect(withBlue()).toEqual([]);
  },
);

test('Its keys end at once, no request finds it, and its slug is taken until it is removed', async () => {
  const { secret, item } = keyFor('blue', 'viewer');
  memoryTable.put(item);
  const headers = { Authorization: `Basic ${Buffer.from(`blue:${secret}`).toString('base64')}` };
  const get = (as: Record<string, string>) =>
    invoke(shops, { method: 'GET', resource: '/v1/shops/{slug}', params: { slug: 'blue' }, headers: as });
  expect((await get(headers)).status).toBe(200);
  await remove('blue');
  expect((await get(headers)).body.key).toBe('invalid_merchant_or_key');
  expect((await get(asOperator)).body.key).toBe('shop_not_found');
  expect((await remove('blue')).body.key).toBe('shop_not_found');
  expect((await create('blue')).body.key).toBe('shop_exists');
  await roundsUntilGone();
  expect((await create('blue')).status).toBe(200);
});

test.each([['green'], ['']])('Without its slug as confirmation (%j) nothing is removed', async (confirm) => {
  const before = JSON.stringify(memoryTable.all());
  expect((await remove('blue', confirm)).status).toBe(422);
  expect(JSON.stringify(memoryTable.all())).toBe(before);
});

describe('What comes in late', () => {
  test('is removed by a later pass, and the slug is free only after one that finds nothing', async () => {
    await remove('blue');
    await round();
    expect(isGone()).toBe(false);
    const late = keyOf.countsNow('blue');
    memoryTable.put({ ...late, n: -1 });
    clock += shopRemovalLimits.pauseSeconds * 1000;
    await round();
    expect(memoryTable.read(late)).toBeUndefined();
    expect(isGone()).toBe(false);
    clock += shopRemovalLimits.pauseSeconds * 1000;
    await round();
    expect(isGone()).toBe(true);
  });
});

test('A removal that dies at any batch goes on in the next round', { timeout: 120_000 }, async () => {
  await remove('blue');
  let batches = 0;
  for (let rounds = 0; !isGone() && rounds < 200; rounds++) {
    let isFirst = true;
    beforeRequest(BatchWriteCommand, () => {
      if (!isFirst && batches++ % 2 === 0) throw new Error('The function dies.');
      isFirst = false;
    });
    await round();
    clock += 3_600_000;
  }
  expect(withBlue()).toEqual([]);
});

test('A removal in turns that are over at once comes to its end, too', async () => {
  await remove('blue');
  turnsEnd.after = 12;
  await roundsUntilGone(400);
  expect(withBlue()).toEqual([]);
});

test('A shop that a release before this one created meanwhile is left alone', async () => {
  await remove('blue');
  memoryTable.put({ ...keyOf.shop('blue'), uuid: green });
  const before = withBlue().filter((item) => !isOfRemoval(item));
  expect((await round()).failed).toBe(1);
  expect(withBlue().filter((item) => !isOfRemoval(item)).length).toBe(before.length);
});
