import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { expect, vi } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { keyOf } from '#platform/table/keys.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { refuse } from '#test/kit/event-receiver.ts';
import type { RunningService } from '#test/kit/service.ts';
import {
  attempt,
  countBatch,
  invoke,
  listeningAt,
  type MeasuredFunction,
  type PlayedShop,
  recordsToCount,
  usagesOf,
} from './played-orders.ts';
import type { Cost } from './tables.ts';

const row = (
  operation: MeasuredFunction,
  what: string,
  access: string,
  code: string,
  usages: readonly Usage[],
): Cost => ({
  scenario: { operation, case: what, access, code: `functions/${code}` },
  usages: usagesOf(operation, usages),
});

const audience = 'all of `SHOP#slug`; automations of the shop; `CLAIMS#slug#order`';
const loaded =
  '`DELIVERIES#slug#target` / `DELIVERY#id` and `CIRCUIT`, `PAYLOADS#slug#event`, `SHOP#slug` / `WEBHOOK#uuid`';

/** What each function behind the API costs, for the least that it is called for. */
export async function measurePipeline({ stack, operator }: RunningService, shop: PlayedShop): Promise<Cost[]> {
  const id = await shop.place();
  await shop.usageUntil(attempt);
  await shop.fulfil(id);
  await shop.usageUntil(attempt);
  const counted = await countBatch(stack, (await recordsToCount(stack, shop.slug)).slice(0, 7));
  await shop.report(id, 'SHIPMENT_EN_ROUTE');
  const moved = await shop.usageUntil(attempt);
  const fired = await fireTrigger({ stack, operator }, shop, id);
  shop.receiver.behave(listeningAt, (response) => response.writeHead(503, { 'retry-after': '7200' }).end());
  await shop.report(id, 'SHIPMENT_EN_ROUTE');
  const keptInTable = await shop.usageUntil(attempt, 'PutItem', 'PutItem');
  shop.receiver.behave(listeningAt, refuse);
  await shop.report(id, 'SHIPMENT_EN_ROUTE');
  const refused = await shop.usageUntil(attempt, 'SendMessageBatch', 'PutItem');
  return [
    row(
      'ingest',
      'an event of one parcel',
      'index `names`: `TRACKING#number`; `TRACKINGREF#slug#number`; settings and shop; all of `ORDER#slug#uuid`; the shipment with its event',
      'domain/orders/record-event.ts',
      moved,
    ),
    row(
      'fan-out',
      'that event, for one endpoint',
      `${audience}; put \`PAYLOADS#slug#event\``,
      'pipeline/fan-out/handler.ts',
      moved,
    ),
    row('delivery', 'a success', `${loaded}; the delivery`, 'pipeline/delivery/attempt-store.ts', moved),
    row(
      'delivery',
      'a failure that is tried again soon',
      `${loaded}; the delivery and the circuit`,
      'pipeline/delivery/attempt-store.ts',
      refused,
    ),
    row(
      'delivery',
      'a failure that is tried again in two hours',
      `${loaded}; the delivery, the circuit and \`RETRIES#slug#delivery\``,
      'domain/deliveries/retry-store.ts',
      keptInTable,
    ),
    row(
      'due',
      'a round with one internal trigger that fires',
      'index `lists`: `DUE#shard`, eight times; shop and triggers; all of `ORDER#slug#uuid`; `DUE#slug#order` / `TRIGGERS#shipment`, a check of the shipment and outbox in one transaction; `HEARTBEAT#region`',
      'pipeline/due/internal-triggers.ts',
      fired,
    ),
    row(
      'counts',
      'a batch: an order is placed, fulfilled and announced',
      '`COUNTED#event id`; `ABTESTS#slug`; with the first `STATISTICS#slug` / `NOW`, `ORDERS#day` and `DELIVERIES#day#target`, `POSITIONS#slug` / `day#…` and `POSITIONS#slug#deliveries#target` / `hour#…` in one transaction',
      'domain/figures/counter-store.ts',
      counted,
    ),
  ];
}

const countedOn = [1, 2, 3];

/**
 * What counts costs where the orders of the bill do not take it: those are handed over and delivered on one day, and nobody
 * looks at their pages.
 */
export async function measureFigures({ stack }: RunningService, shop: PlayedShop): Promise<Cost[]> {
  const ids: string[] = [];
  for (const daysAgo of countedOn) {
    const id = await shop.place();
    await shop.usageUntil(attempt);
    await shop.fulfil(id);
    await shop.usageUntil(attempt);
    // Nobody is told of what happened so long ago.
    await shop.report(id, 'SHIPMENT_EN_ROUTE', daysAgo);
    ids.push(id);
  }
  const before = await recordsToCount(stack, shop.slug);
  await countBatch(stack, before);
  for (const id of ids) {
    await shop.report(id, 'SUCCESSFULLY_DELIVERED');
    await shop.usageUntil(attempt);
  }
  const delivered = await countBatch(stack, (await recordsToCount(stack, shop.slug)).slice(before.length));
  const visited = await countBatch(stack, [visitOf(shop)]);
  return [
    row(
      'counts',
      'a batch: three parcels that were handed over on three days are delivered and announced',
      '`COUNTED#event id`; with it `STATISTICS#slug` / `NOW`, `ORDERS#day`, three of `COHORT#1#day#carrier#country` and `DELIVERIES#day#target`, `POSITIONS#slug` / `day#…` and `POSITIONS#slug#deliveries#target` / `hour#…` in one transaction',
      'domain/figures/counter-store.ts',
      delivered,
    ),
    row(
      'counts',
      'a batch: one visit of a tracking page, and nothing else',
      '`COUNTED#event id`; with it `STATISTICS#slug` / `ORDERS#day` in one transaction',
      'domain/figures/counter-store.ts',
      visited,
    ),
  ];
}

/** What an order adds where an A/B test runs: once of a customer who is new, once of one who comes back. */
export async function measureTests({ stack, operator }: RunningService, shop: PlayedShop): Promise<Cost[]> {
  const key = `${operator.username}:${operator.secret}`;
  const post = async (path: string, body: object) => {
    const answer = await clientOf(stack.url)('POST', `/v1/shops/${shop.slug}${path}`, { key, body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { uuid: string };
  };
  const placed = async () => {
    await shop.place();
    await shop.usageUntil(attempt);
    const records = await recordsToCount(stack, shop.slug);
    return records.findLast(({ eventName, dynamodb }) => eventName === 'INSERT' && dynamodb!.Keys!.sk!.S === 'ORDER')!;
  };
  const alone = await countBatch(stack, [await placed()]);
  const promotion = { promotion_type: 'basic', promotion_properties: { title: 'A campaign of costs' } };
  const campaign = await post('/campaigns', { name: 'Costs', segment: 'all', ...promotion });
  const campaigns = [{ campaign_id: campaign.uuid, allocation: 100 }];
  await post('/ab-tests', { name: 'Costs', segment: 'all', campaign_type: 'basic', campaigns });
  const counted = await countBatch(stack, [await placed()]);
  const countedAgain = await countBatch(stack, [await placed()]);
  const counters = '`STATISTICS#slug` / `NOW` and `ORDERS#day`, `POSITIONS#slug` / `day#…`';
  const customers = 'index `order_emails`: the orders of the customer';
  return [
    row(
      'counts',
      'a batch: an order is placed in a shop without A/B tests',
      `\`COUNTED#event id\`; \`ABTESTS#slug\`; with the first ${counters} in one transaction`,
      'pipeline/counts/test-counts.ts',
      alone,
    ),
    row(
      'counts',
      'a batch: the first order of a customer while an A/B test runs',
      `\`COUNTED#event id\`; \`ABTESTS#slug\`; ${customers}; with the first ${counters} and \`TEST#test#day\` in one transaction`,
      'pipeline/counts/test-counts.ts',
      counted,
    ),
    row(
      'counts',
      'a batch: an order of a customer who comes back to it',
      `the same, and \`ORDER#slug#uuid\` of each order of the customer since the test began`,
      'pipeline/counts/test-counts.ts',
      countedAgain,
    ),
  ];
}

function visitOf({ slug }: PlayedShop): DynamoDBRecord {
  const now = new Date();
  const { pk, sk } = keyOf.pageVisits('page-of-an-order');
  const NewImage = marshall({ pk, sk, slug, visits: [now.toISOString()], language: 'en' });
  const Keys = marshall({ pk, sk });
  const at = Math.floor(now.getTime() / 1000);
  const dynamodb = { Keys, NewImage, SequenceNumber: '1', ApproximateCreationDateTime: at };
  return { eventID: `visit-${slug}`, eventName: 'INSERT', dynamodb: dynamodb as DynamoDBRecord['dynamodb'] & object };
}

/** Calls the function until a round writes nothing but its heartbeat. */
async function settleDue(stack: LocalStack): Promise<void> {
  for (let round = 0; round < 10; round++) {
    stack.usage.take();
    await invoke(stack, 'due', {});
    const writes = usagesOf('due', stack.usage.take()).filter(({ action }) => /Write|Put|Update|Delete/.test(action));
    if (writes.length === 1) return;
  }
  throw new Error('there is always something due');
}

/** Fires an internal trigger of the parcel; returns what that cost. */
async function fireTrigger(
  { stack, operator }: Pick<RunningService, 'stack' | 'operator'>,
  shop: PlayedShop,
  id: string,
): Promise<Usage[]> {
  const path = `/v1/shops/${shop.slug}/settings/triggers/webhook/internal-triggers`;
  const when = { operator: 'AND', time_threshold_type: 'latest_event_time', time_threshold_value: 0 };
  const body = { name: 'At once', ...when, phase_in: ['in_delivery'] };
  const key = `${operator.username}:${operator.secret}`;
  expect((await clientOf(stack.url)('POST', path, { key, body })).status).toBe(200);
  await untilFanOutWrites(stack); // it asks for the shipments that were there before the trigger
  await settleDue(stack);
  await shop.report(id, 'IN_DELIVERY');
  await shop.usageUntil(attempt);
  await invoke(stack, 'due', {});
  return shop.usageUntil(attempt);
}

const untilFanOutWrites = (stack: LocalStack): Promise<void> =>
  vi.waitFor(
    () => {
      const written = usagesOf('fan-out', stack.usage.take()).filter(({ writeUnits }) => writeUnits > 0);
      expect(written).not.toHaveLength(0);
    },
    { timeout: 20_000, interval: 5 },
  );
