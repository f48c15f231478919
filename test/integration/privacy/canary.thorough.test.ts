import { readdirSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { packText } from '#platform/table/packed-text.ts';
import { personalStores } from '#schemas/catalogues/personal-stores.ts';
import { Random } from '#test/fuzz/random.ts';
import { answersOf } from '#test/kit/canary/answers.ts';
import { fieldsWithout, leftOut } from '#test/kit/canary/coverage.ts';
import { everythingIn, finderOf, hitsIn, readable, recordsOf, type Stored } from '#test/kit/canary/everything.ts';
import { mayStay } from '#test/kit/canary/kept.ts';
import { noted, type Person } from '#test/kit/canary/person.ts';
import { finish, fulfil, type PrivacyAnswer } from '#test/kit/canary/requests.ts';
import type { Word } from '#test/kit/canary/words.ts';
import { addCanaries, type Canaries, type Queued, startWorld, type World } from '#test/kit/canary/world.ts';
import { eraseAgain } from '../../../bin/operator/erase-again.ts';
import { replayFailures } from '../../../bin/operator/failures.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Each test goes on where the one before it ended. */

let world: World;
let people: Canaries;
/** Everything, and what operations answer, before anybody asked for anything. */
let before: Stored[];
let answersBefore: Stored[];
/** What was ever in a queue, or a change in the stream, of the person who is erased. */
let queuedBefore: Queued[];
let recordsBefore: string[];
beforeAll(async () => {
  world = await startWorld();
  people = await addCanaries(world);
  people.first.words.at('createPrivacyRequest reference');
  noted(people.first, 'createPrivacyRequest', disclosureOf(people.first));
  answersBefore = await answersOf(world, people);
  before = await world.settled();
  const isOfFirst = concernsFirst();
  queuedBefore = world.queued.filter(({ body }) => isOfFirst(readable(body)));
  recordsBefore = (await recordsOf(world.place)).filter((record) => isOfFirst(readable(record)));
});
afterAll(async () => {
  await world?.stop();
  await rm(copy(), { recursive: true, force: true });
});

/** Those of the shop, and that of the simulation. */
const orderCount = () => people.first.orders.length + 1;
const slug = () => people.shop.shop.slug;
const mustGo = (): Word[] => people.first.words.all.filter(({ place }) => !mayStay(place));
const others = (): Word[] => [...people.neighbour.words.all, ...people.stranger.words.all];
const hasOneOf = (words: readonly Word[]) => {
  const find = finderOf(words);
  return ({ text }: Stored) => find(text).length > 0;
};
const linesOf = (stored: readonly Stored[]) =>
  stored.map(({ kind, where, raw }) => `${kind} ${where} ${raw}`).toSorted();
const isCount = ({ where }: Stored) => /^(STATISTICS|COUNTS|POSITIONS|PROMOTIONS)#/.test(where);
const isLog = ({ kind }: Stored) => kind === 'log';
const copy = () => `${world.dataDir}-copy`;

/** Messages name an event, a delivery or a run, and these name the order. */
function concernsFirst(): (text: string) => boolean {
  const { orders, claims, numbers, trackingNumbers } = people.first;
  const own = [...orders.map((id) => id.slice(0, 33)), ...claims, ...numbers, ...trackingNumbers];
  const hasWord = hasOneOf(people.first.words.all);
  const items = before.filter(({ kind }) => kind === 'item');
  const isOwn = (one: Stored) => hasWord(one) || own.some((id) => one.where.includes(id) || one.text.includes(id));
  const ids = items
    .filter(({ where }) => /^(PAYLOADS|DELIVERIES|AUTOMATIONRUNS)#/.test(where))
    .filter(isOwn)
    .map(({ where }) => where.split('#').at(-1)!);
  const all = [...own, ...ids];
  return (text) => all.some((id) => text.includes(id));
}

test('every field that takes a text had a word in it, but for those that are left out with a reason', () => {
  const { words, sent } = people.first;
  const without = fieldsWithout(words.all, sent);
  expect(without.filter((field) => !leftOut.some(([one]) => one.test(field)))).toEqual([]);
  expect(leftOut.filter(([one]) => !without.some((field) => one.test(field)))).toEqual([]);
});

test('the canaries have left words wherever a customer leaves something', () => {
  const partitions = before.filter(hasOneOf(mustGo())).map(({ where }) => where.replace(/^(\w+: )?(\w+)#.*/s, '$1$2'));
  expect([...new Set(partitions)]).toEqual(
    expect.arrayContaining([
      ...['ORDER', 'PAGE', 'CLAIMS', 'WITHDRAWALS', 'OUTBOX', 'DELIVERIES', 'PAYLOADS', 'AUTOMATIONRUNS'],
      ...['order_emails: ORDER', 'order_zip_codes: ORDER', 'names: PAGE', 'names: ORDERREF'],
    ]),
  );
  const objects = before.filter(({ kind }) => kind === 'object').filter(hasOneOf(mustGo()));
  const bucketOf = ({ where }: Stored) => /(images|payloads)bucket/.exec(where)?.[1];
  expect(new Set(objects.map(bucketOf)), 'images, and payloads that are too big for the table').toEqual(
    new Set(['images', 'payloads']),
  );
  expect(hitsIn(answersBefore, mustGo()).length).toBeGreaterThan(20);
  expect(
    before
      .filter(isLog)
      .map(({ raw }) => raw.length)
      .filter(Boolean).length,
    'logs',
  ).toBeGreaterThan(10);
  expect(hitsIn(before.filter(isLog), [...mustGo(), ...others()]), 'words in logs').toEqual([]);
  expect(queuedBefore.length, 'messages').toBeGreaterThan(20);
  expect(recordsBefore.length, 'changes').toBeGreaterThan(20);
});

/** By all that names a person. */
const disclosureOf = (person: Person) => ({
  kind: 'disclosure',
  email_id: person.email,
  external_customer_id: person.customerId,
  order_numbers: person.numbers,
  reference: person.words.all.find(({ place }) => place === 'createPrivacyRequest reference')!.text,
});
let disclosure: string;
const downloadOf = async () =>
  (await world.api('GET', `/v1/shops/${slug()}/privacy/requests/${disclosure}`, { key: world.key })).body.download_url;

test('a disclosure has every word about the person that is stored, and none about others', async () => {
  const asked = disclosureOf(people.first);
  const { uuid, status, download_url, orders } = await fulfil(world, slug(), asked);
  expect({ status, orders }).toEqual({ status: 'done', orders: orderCount() });
  disclosure = uuid;
  const zip = Buffer.from(await (await fetch(download_url!)).arrayBuffer());
  const disclosed: Stored = { kind: 'object', where: 'ZIP', raw: '', text: readable(zip) };
  expect(hitsIn([disclosed], others())).toEqual([]);
  const stored = before
    .filter(({ kind, where }) => (kind === 'item' || kind === 'object') && !where.includes('disclosures/'))
    .map(({ text }) => text)
    .join('\n');
  // The API shows no id that a shop gave to an event: it only tells a repeated event by it.
  const isShown = ({ place }: Word) => !/^create(ShipmentEvent|EventOfShipment) external_id$/.test(place);
  const known = people.first.words.all.filter((word) => isShown(word) && stored.includes(word.text));
  expect(known.length).toBeGreaterThan(300);
  expect(
    known.filter(({ text }) => !disclosed.text.includes(text)).map(({ place, text }) => `${text} ${place}`),
  ).toEqual([]);
});

test('a dry run counts what would go, and changes nothing', async () => {
  const asked = { kind: 'erasure', email_id: people.first.email, dry_run: true };
  const { status, stores } = await fulfil(world, slug(), asked);
  expect(status).toBe('done');
  counted = stores;
  const after = await world.settled();
  const isOwn = ({ where }: Stored) => /PRIVACY#|KEYUSES#|COUNTED#|HEARTBEAT#|disclosures\//.test(where);
  expect(linesOf(after.filter((one) => !isOwn(one) && !isLog(one)))).toEqual(
    linesOf(before.filter((one) => !isOwn(one) && !isLog(one))),
  );
});

let counted: PrivacyAnswer['stores'];
/** How many requests to AWS the function made for it. */
let steps: number;

test('after an erasure no word about the person is anywhere, and everything of the others is as before', async () => {
  await world.restart(() => cp(world.dataDir, copy(), { recursive: true }));
  const download = await downloadOf();
  expect((await fetch(download)).status).toBe(200);
  world.service.stack.usage.start();
  const asked = { kind: 'erasure', email_id: people.first.email };
  const { status, orders, stores } = await fulfil(world, slug(), asked);
  steps = requestsOfPrivacyWork();
  expect({ status, orders }).toEqual({ status: 'done', orders: orderCount() });
  expect(
    stores.filter(({ found }) => found > 0).map(({ store }) => store),
    'where something was',
  ).toEqual(personalStores.toSorted());
  expect(stores, 'as the dry run said').toEqual(counted);
  await nothingIsLeft();
  expect((await fetch(download)).status, 'the disclosure of before').toBe(404);
  expect(await downloadOf()).toBe(null);
});

const requestsOfPrivacyWork = (): number =>
  world.service.stack.usage.take().filter(({ functionId }) => functionId.startsWith('PrivacyWork')).length;

/** What was put aside before the erasure, or is handled twice, comes after it. */
test('whatever was in a queue or in the stream brings no word back when it comes again, and none is sent', async () => {
  const began = Date.now();
  await comesAgain();
  // What had been counted already is counted twice then: nobody replays that.
  await nothingIsStored();
  const { first, shop } = people;
  const paths = ['ok', 'later', 'dead', 'deleted', 'automation'].map((name) => `/${shop.shop.slug}/${name}`);
  const sent = [...paths, '/vendor'].flatMap((path) =>
    world.receiver
      .received(path)
      .filter(({ at }) => at >= began)
      .map(({ body }): Stored => ({ kind: 'message', where: path, raw: body, text: readable(body) })),
  );
  const mailed = world.service.stack
    .mails()
    .filter(({ at }) => Date.parse(at) >= began)
    .map((mail): Stored => ({ kind: 'message', where: mail.subject, raw: '', text: readable(mail) }));
  expect(hitsIn([...sent, ...mailed], mustGo()), `sent about ${first.email}`).toEqual([]);
});

test('after the data folder was restored from before, `erase-again` erases the person again, though its function is killed at ten random steps', async () => {
  await world.restart(() => restore());
  expect(hitsIn(await everythingIn(world.place), mustGo()), 'what was restored').not.toEqual([]);
  expect(await applyLedger()).toBe(orderCount());
  const seed = process.env.SEED ?? `${Date.now() % 100_000}`;
  const random = new Random(seed);
  const kills = Array.from({ length: 10 }, () => random.between(1, Math.floor(steps / 12)));
  const about = `SEED=${seed}, killed after ${kills.join(', ')} of ${steps} requests`;
  for (const requests of kills) expect(await isKilledAfter(requests), about).toBe(true);
  const { body: requests } = await world.api('GET', `/v1/shops/${slug()}/privacy/requests`, { key: world.key });
  const again = requests.find(({ requested_by }: { requested_by: string }) => requested_by === 'ledger');
  const done = await finish(world, slug(), again.uuid, endHolds);
  expect(done, about).toMatchObject({ status: 'done', orders: orderCount() });
  expect(done.stores, about).toEqual(counted);
  await nothingIsLeft(about);
});

/** False if the function ended before it had made so many requests. */
async function isKilledAfter(requests: number): Promise<boolean> {
  const { stack } = world.service;
  stack.usage.start();
  let hasEnded = false;
  const round = stack
    .invoke('PrivacyWork', {})
    .catch(() => {})
    .then(() => {
      hasEnded = true;
    });
  for (let made = 0; made < requests && !hasEnded; made += requestsOfPrivacyWork()) await pause(1);
  const isAtWork = !hasEnded;
  await stack.kill('PrivacyWork');
  await round;
  await endHolds();
  return isAtWork;
}

async function nothingIsLeft(about = ''): Promise<void> {
  const answers = await answersOf(world, people);
  expect(hitsIn(answers, mustGo()), about).toEqual([]);
  expect(totalsIn(answers), about).toEqual(totalsIn(answersBefore));
  const after = await nothingIsStored(about);
  expect(linesOf(after.filter(isCount)), about).toEqual(linesOf(before.filter(isCount)));
  for (const page of people.first.pages) expect((await world.api('GET', page)).status).toBe(404);
  for (const page of people.neighbour.pages) expect((await world.api('GET', page)).status).toBe(200);
}

async function nothingIsStored(about = ''): Promise<Stored[]> {
  const after = await world.settled();
  expect(hitsIn(after, mustGo()), about).toEqual([]);
  expect(linesOf(after.filter(hasOneOf(others())).filter((one) => !isLog(one))), about).toEqual(
    linesOf(before.filter(hasOneOf(others())).filter((one) => !isLog(one))),
  );
  return after;
}

/** What statistics say, and how long lists are. */
function totalsIn(answers: readonly Stored[]): Record<string, string> {
  const isStatistic = ({ where }: Stored) => /\/(statistics|analytics)/.test(where);
  const isList = ({ where }: Stored) => /\/(orders|shipments|claims|deliveries|runs|simulations)$/.test(where);
  const lengthOf = ({ raw }: Stored) => {
    const body = JSON.parse(raw.slice(4));
    const entries = Array.isArray(body) ? [body] : Object.values(body).filter(Array.isArray);
    return JSON.stringify([...entries.map(({ length }) => length), body.total, body.count]);
  };
  return Object.fromEntries([
    ...answers.filter(isStatistic).map(({ where, raw }) => [where, raw]),
    ...answers
      .filter(isList)
      .filter(({ raw }) => raw.startsWith('200 '))
      .map((one) => [one.where, lengthOf(one)]),
  ]);
}

/** Which changes each function of the stream reads: by its sort key, or because it has a kind. */
const readers: Readonly<Record<string, RegExp>> = {
  events: /"Keys":\{[^}]*\},"sk":\{"S":"(ORDER"|SHIPMENT#)|"kind":\{"S":"(event|wake|run|tracking_request)"/,
  counts: /"Keys":\{[^}]*\},"sk":\{"S":"(ORDER"|(SHIPMENT|CLAIM|DELIVERY|RUN)#)/,
};

/** All messages again, by the queue of failures where there is one, and all changes as what was put aside. */
async function comesAgain(): Promise<void> {
  const { table, stack } = world.service;
  const { clientConfig, outputs } = stack;
  const s3 = new S3Client({ ...clientConfig, forcePathStyle: true });
  const sqs = new SQSClient(clientConfig);
  const place = { failures: JSON.parse(outputs.Failures!), sqs, s3, table };
  const { queues } = place.failures as { queues: { name: string; from: string; to: string }[] };
  const url = (queue: string) => new URL(queue, `${queues[0]!.to}`).href;
  for (const { queue, body: MessageBody } of queuedBefore) {
    const found = queues.find(({ to }) => to.endsWith(`/${queue}`));
    await sqs.send(new SendMessageCommand({ QueueUrl: found?.from ?? url(queue), MessageBody }));
  }
  for (const record of recordsBefore) {
    const packed = Buffer.from(packText(record)).toString('base64');
    const { SequenceNumber: sequence_number } = JSON.parse(record).dynamodb;
    const aside = { kind: 'event', sequence_number, reason: 'Test', put_aside_at: '2026-01-01T00:00:00Z', packed };
    for (const { from } of queues.filter(({ name }) => readers[name]?.test(record)))
      await sqs.send(new SendMessageCommand({ QueueUrl: from, MessageBody: JSON.stringify(aside) }));
  }
  expect(await replayFailures(place)).toBeGreaterThan(recordsBefore.length / 2);
  sqs.destroy();
  s3.destroy();
}

/** All but the ledger of erasures, which lies in a folder of its own. */
async function restore(): Promise<void> {
  for (const folder of [world.dataDir, copy()]) {
    for (const name of readdirSync(folder).filter((one) => one !== 'ledger')) {
      if (folder === world.dataDir) await rm(join(folder, name), { recursive: true });
      else await cp(join(folder, name), join(world.dataDir, name), { recursive: true });
    }
  }
}

async function applyLedger(): Promise<number> {
  const { table, tableName, stack } = world.service;
  const s3 = new S3Client({ ...stack.clientConfig, forcePathStyle: true });
  const place = { table, tableName, s3, ledger: stack.outputs.ErasureLedgerBucketName! };
  const orders = await eraseAgain(place, undefined, new Date());
  s3.destroy();
  return orders;
}

/** As if the time had passed in which nobody else takes what a killed round held, or a failed one left. */
async function endHolds(): Promise<void> {
  const { table, tableName: TableName } = world.service;
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `PRIVACY#${slug()}` },
      ConsistentRead: true,
    }),
  );
  for (const { pk, sk, list_sk } of Items.filter(({ status }) => status === 'running')) {
    const due = String(list_sk).replace(/^[^#]+/, '2026-01-01T00:00:00.000Z');
    const UpdateExpression = 'SET list_sk = :due REMOVE held_until, tries';
    const ExpressionAttributeValues = { ':due': due };
    await table.send(new UpdateCommand({ TableName, Key: { pk, sk }, UpdateExpression, ExpressionAttributeValues }));
  }
}
