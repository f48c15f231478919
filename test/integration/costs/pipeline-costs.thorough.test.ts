import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countsWindowSeconds } from '#lib/constructs/counts.ts';
import { learnedItem } from '#test/kit/arrival-models.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { storeItems } from '#test/kit/store-items.ts';
import { type MailUsage, messagesAtOnce, type OrderUsage, secondsOfMonth, sumOf } from './bill.ts';
import { before } from './bill-before.ts';
import { dollarsOf, renderBill, type Side, writeBill, writtenUnits } from './bill-table.ts';
import { alarmMetricsIn, type BilledStage, edgeOf, factsOf, shardsOf } from './billed-stages.ts';
import { measureMails } from './mail-scenarios.ts';
import { measureOrder, recordsWithFeed, recordsWithin } from './measured-order.ts';
import { measureFigures, measurePipeline, measureTests } from './pipeline-scenarios.ts';
import { functionIds, openPlayedShop } from './played-orders.ts';
import { measurePrivacyWork } from './privacy-work-scenarios.ts';
import { type Cost, expectTable, renderTable } from './tables.ts';

/**
 * Write units of fan-out: one for each of the five events, and one more for each of two payloads that have little less than a
 * kilobyte, and pass it with the mark of the feed.
 */
const mostOfFeed = 7;

/** US dollars for a million orders in prod, with all that is in the bill. */
const most = 110;

/** The table has one decimal. */
const rounding = 0.05;

test('the bill knows the shards and the alarms of each stage', async () => {
  expect(shardsOf({})).toBe(4);
  expect(shardsOf({ warmThroughput: { readUnitsPerSecond: 24_000, writeUnitsPerSecond: 12_000 } })).toBe(12);
  expect(shardsOf({ warmThroughput: { readUnitsPerSecond: 40_000, writeUnitsPerSecond: 4_000 } })).toBe(14);
  const alarms = { one: { MetricName: 'Errors' }, sum: { Metrics: [{ Expression: 'a + b' }, stat, stat] } };
  const Resources = Object.fromEntries(
    Object.entries(alarms).map(([id, Properties]) => [id, { Type: 'AWS::CloudWatch::Alarm', Properties }]),
  );
  expect(alarmMetricsIn({ Resources, Outputs: {} })).toBe(3);
});

const stat = { MetricStat: {} };

test('the bill counts for API Gateway only requests that go there', () => {
  const Origins = [
    { Id: 'api', DomainName: { 'Fn::Join': ['', [{ Ref: 'Api' }, '.execute-api.us-east-1.amazonaws.com']] } },
    { Id: 'url', DomainName: { 'Fn::Select': [2, { 'Fn::Split': ['/', { 'Fn::GetAtt': ['Url', 'FunctionUrl'] }] }] } },
  ];
  const FunctionAssociations = [{ EventType: 'viewer-request' }];
  const edgeWith = (...patterns: string[]) => {
    const CacheBehaviors = patterns.map((PathPattern) => ({ PathPattern, TargetOriginId: 'url' }));
    const DefaultCacheBehavior = { TargetOriginId: 'api', FunctionAssociations };
    const Properties = { DistributionConfig: { Origins, CacheBehaviors, DefaultCacheBehavior } };
    const Distribution = { Type: 'AWS::CloudFront::Distribution', Properties };
    return edgeOf({ Resources: { Distribution, Url: { Type: 'AWS::Lambda::Url', Properties: {} } }, Outputs: {} });
  };
  expect(edgeWith()).toEqual({ gatewayRequests: 9, edgeFunctions: 9 });
  expect(edgeWith('t/*')).toEqual({ gatewayRequests: 5, edgeFunctions: 5 });
  expect(edgeWith('/v1/tracking-providers/*/webhook', '/t/*')).toEqual({ gatewayRequests: 2, edgeFunctions: 2 });
});

test('a batch gathers a fifth of what comes in its window, because five pollers gather', () => {
  expect(messagesAtOnce(0, 5)).toBe(1);
  expect(messagesAtOnce(2, 5)).toBeCloseTo(1 + (5e6 / secondsOfMonth) * (2 / 5));
});

/** On a stack of its own: after the operations, deliveries of other shops are still tried again. */
describe('in a shop where nothing else happens', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({
      isSequential: true,
      // The test hands over batches as large as those of a busy service.
      withoutStream: functionIds.counts,
      environment: { ALLOW_LOCAL_TARGETS: 'true' },
    });
    service.stack.usage.start();
  }, 240_000);
  afterAll(() => service?.stop());

  test('an order costs no more write units on its whole way than the bill says', async () => {
    const [dev, prod] = [await billed('dev'), await billed('prod')];
    const fed = { dev: await fedOrder('dev'), prod: await fedOrder('prod') };
    if (process.env.UPDATE_COSTS) writeBill(renderBill({ before, dev, prod }, await mailUsage(), fed));
    for (const [stage, { order }] of Object.entries({ dev, prod })) {
      const ofFeed = fed[stage as BilledStage].writeUnits['fan-out'] - order.writeUnits['fan-out'];
      expect(ofFeed, `write units of the feed for five events, ${stage}`).toBeLessThanOrEqual(mostOfFeed);
    }
    expect(dollarsOf(prod), 'US dollars for a million orders').toBeLessThanOrEqual(most);
    for (const [stage, { order }] of Object.entries({ dev, prod })) {
      expect(sumOf(order.writeUnits), stage).toBeLessThanOrEqual(writtenUnits(stage as BilledStage) + rounding);
    }
  });

  let mails: Promise<{ costs: Cost[]; mail: Cost['usages'] }> | undefined;
  const measuredMails = () => {
    mails ??= measureMails(service);
    return mails;
  };

  async function mailUsage(): Promise<MailUsage> {
    const { mail } = await measuredMails();
    const sum = (units: 'writeUnits' | 'readUnits') => mail.reduce((total, usage) => total + usage[units], 0);
    return { writeUnits: sum('writeUnits'), readUnits: sum('readUnits') };
  }

  /** A shop for each stage, because its counts come in batches of another size. */
  async function billed(stage: BilledStage): Promise<Side> {
    const { shards, assumptions } = await factsOf(stage);
    await using played = await openPlayedShop(service, `billed-${stage}`);
    // A shop with a million orders knows its lanes, and learns each anew once a day.
    await storeItems(service, [learnedItem(played.slug, { days: [0, 1, 1, 2] }, new Date())]);
    const order = await measureOrder(service.stack, played, 3, recordsWithin(countsWindowSeconds, shards));
    return { order, assumptions };
  }

  /** The same orders in a shop with a feed. */
  async function fedOrder(stage: BilledStage): Promise<OrderUsage> {
    const { shards } = await factsOf(stage);
    await using played = await openPlayedShop(service, `fed-${stage}`);
    await storeItems(service, [learnedItem(played.slug, { days: [0, 1, 1, 2] }, new Date())]);
    await played.switchFeedOn();
    const atOnce = recordsWithin(countsWindowSeconds, shards, recordsWithFeed);
    // The receiver of the shop listens until it is done.
    return await measureOrder(service.stack, played, 3, atOnce, recordsWithFeed);
  }

  test('every function behind the API costs what its table says', async () => {
    await using erased = await openPlayedShop(service, 'private-shop');
    await using played = await openPlayedShop(service, 'piped-shop');
    await using counted = await openPlayedShop(service, 'counted-shop');
    await using tested = await openPlayedShop(service, 'tested-shop');
    const privacyWork = await measurePrivacyWork(service, erased);
    const { costs: ofMails } = await measuredMails();
    const figures = await measureFigures(service, counted);
    const tests = await measureTests(service, tested);
    const costs = [...(await measurePipeline(service, played)), ...figures, ...tests, ...ofMails, ...privacyWork];
    expectTable('pipeline', 'What the functions behind the API cost', renderTable('Function', costs));
  });
});
