import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { allOperations } from '#schemas/families/index.ts';
import { tourOfAnalytics } from '#test/e2e/kit/analytics-tour.ts';
import { tourOfAutomations } from '#test/e2e/kit/automations-tour.ts';
import { type Answer, clientOf } from '#test/e2e/kit/client.ts';
import { tourOfEmails } from '#test/e2e/kit/emails-tour.ts';
import { expectError } from '#test/e2e/kit/errors.ts';
import { tourOfFeed } from '#test/e2e/kit/feed-tour.ts';
import { type Grant, grantsOf } from '#test/e2e/kit/grants.ts';
import { idleGrants } from '#test/e2e/kit/idle-grants.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { lacking } from '#test/e2e/kit/narrowed-stack.ts';
import { tourOfOperations } from '#test/e2e/kit/operations-tour.ts';
import { tourOfOrders } from '#test/e2e/kit/orders-tour.ts';
import { tourOfPages } from '#test/e2e/kit/pages-tour.ts';
import { tourOfPrivacy } from '#test/e2e/kit/privacy-tour.ts';
import { type RecordFamily, recordRequests } from '#test/e2e/kit/record-requests.ts';
import { tourOfRecords } from '#test/e2e/kit/records-tour.ts';
import { cookieIn, logIn } from '#test/e2e/kit/sessions.ts';
import { tourOfSessions } from '#test/e2e/kit/sessions-tour.ts';
import { tourOfSettings } from '#test/e2e/kit/settings-tour.ts';
import { assembly, newSlug, superAdmin } from '#test/e2e/kit/shared-stack.ts';
import { tourOfShopSystem } from '#test/e2e/kit/shop-system-tour.ts';
import { tourOfShops } from '#test/e2e/kit/shops-tour.ts';
import { tourOfSimulations } from '#test/e2e/kit/simulations-tour.ts';
import { tourOfStatistics } from '#test/e2e/kit/statistics-tour.ts';
import { tourOfTrackingProviders } from '#test/e2e/kit/tracking-providers-tour.ts';
import { unsubscribeTokenIn } from '#test/e2e/kit/unsubscribe-links.ts';
import { tourOfWebhooks } from '#test/e2e/kit/webhooks-tour.ts';
import { tourOfWithdrawals } from '#test/e2e/kit/withdrawals-tour.ts';
import { type FakeShopSystem, startFakeShopSystem } from '#test/kit/fake-shop-system.ts';

let stack: LocalStack & AsyncDisposable;
let system: FakeShopSystem;
beforeAll(async () => {
  system = await startFakeShopSystem();
  // Every request is counted, as of a busy shop, so that the grants for it are used.
  const KEY_RATE = JSON.stringify({ unitsPerSecond: 1_000_000, burst: 1_000_000, uncounted: 0 });
  stack = await startInProcess(assembly, { ALLOW_LOCAL_TARGETS: 'true', KEY_RATE });
  stack.usage.start();
});
afterAll(async () => {
  await stack.stop();
  await system.stop();
});

type Tour = () => Promise<Record<string, Answer>>;
const api: ReturnType<typeof clientOf> = (...call) => clientOf(stack.url)(...call);

const linkFor = (link: Parameters<typeof unsubscribeTokenIn>[1]) => unsubscribeTokenIn(stack, link);

/** Everything that a family does; families that work on orders share one tour. */
const tours: Record<string, Tour> = {
  ShopsApi: () => tourOfShops(api, superAdmin, newSlug()),
  SettingsApi: () => tourOfSettings(api, superAdmin, newSlug()),
  ShopSystemApi: () => tourOfShopSystem(api, superAdmin, newSlug(), system.adminUrl),
  OperationsApi: () => tourOfOperations(api, superAdmin, newSlug()),
  SessionsApi: () => tourOfSessions(api, superAdmin),
  ProvidersApi: () => tourOfTrackingProviders(api, superAdmin),
  AutomationsApi: () => tourOfAutomations(api, superAdmin, newSlug()),
  CustomerPagesApi: async () => ({
    ...(await tourOfPages(api, superAdmin, newSlug())),
    ...(await tourOfEmails(api, superAdmin, newSlug(), linkFor)),
    ...(await tourOfWithdrawals(api, superAdmin, newSlug())),
  }),
  WithdrawalsApi: () => tourOfWithdrawals(api, superAdmin, newSlug()),
  EmailsApi: () => tourOfEmails(api, superAdmin, newSlug(), linkFor),
  PrivacyApi: () => tourOfPrivacy(api, superAdmin, newSlug(), () => stack.invoke('PrivacyWork', {})),
  SimulationsApi: async () => ({
    ...(await tourOfWithdrawals(api, superAdmin, newSlug())),
    ...(await tourOfSimulations(api, superAdmin, newSlug())),
  }),
  FeedApi: () => tourOfFeed(api, superAdmin, newSlug(), stack),
  AnalyticsApi: () => tourOfAnalytics(api, superAdmin, newSlug()),
  StatisticsApi: () => tourOfStatistics(api, superAdmin, newSlug()),
  WebhooksApi: () => tourOfWebhooks(api, superAdmin, newSlug()),
  OrdersApi: async () => Object.assign({}, ...Object.values(await tourOfOrders(api, superAdmin, newSlug()))),
  ...Object.fromEntries(
    (Object.keys(recordRequests) as RecordFamily[]).map((family) => [
      family,
      () => tourOfRecords(family, api, superAdmin),
    ]),
  ),
};
const beside: Record<string, string[]> = {
  OrdersApi: ['ShipmentsApi', 'EventsApi', 'ClaimsApi'],
  AutomationsApi: ['AutomationRunsAct'],
};
const grants = grantsOf(assembly);

/** Every family that checks keys also counts wrong ones, reads sessions, and notes when the key of a shop was used. */
async function comeWithEveryKindOfKey(name: string): Promise<void> {
  const own = allOperations.find(({ family, role }) => isNamed(family, name) && role !== 'open' && role !== 'signed');
  if (!own) return;
  const path = own.path.replaceAll(/\{\w+\}/g, 'x');
  const slug = newSlug();
  await api('POST', '/v1/shops', { key: superAdmin, body: { name: 'A shop', slug } });
  const { body } = await api('POST', `/v1/shops/${slug}/api-keys`, { key: superAdmin, body: { role: 'viewer' } });
  expect((await api(own.method, path, { key: `${slug}:${body.secret}` })).status).not.toBe(500);
  expectError(await api(own.method, path, { key: `${newSlug()}:wrong` }), 401, 'invalid_merchant_or_key');
  const headers = { cookie: cookieIn(await logIn(api, superAdmin)) };
  expect((await api(own.method, path, { headers })).status).not.toBe(500);
}

/** The counters of long lists are read once the stream has marked the shop as counted, which a tour does not wait for. */
const isOfLongLists = ({ policy, action, keys = '' }: Grant) =>
  keys.startsWith(partitions.positions) && (action === 'dynamodb:Query' || policy.startsWith('ShipmentsApi'));

/** Functions that were replaced by others with new names. */
const familyOf: Record<string, string> = { CustomerPagesApi: 'pages', ProvidersApi: 'tracking-providers' };

const isNamed = (family: string, name: string) =>
  family === familyOf[name] || `${family.replaceAll('-', '')}api` === name.toLowerCase();

describe.each(Object.entries(tours))('the grants of %s', (family, tour) => {
  test('are sufficient for every operation, and each is needed by one', async () => {
    const answers = Object.entries(await tour()).map(([name, { status, text }]) => ({ name, status, text }));
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    for (const name of [family, ...(beside[family] ?? [])]) {
      await comeWithEveryKindOfKey(name);
      const own = grants.filter((grant) => grant.policy.startsWith(name) && !isOfLongLists(grant));
      expect(own).not.toEqual([]);
      expect(idleGrants(stack, own)).toEqual([]);
    }
  });
});

describe('a function that lacks a grant', () => {
  const cases = [
    { family: 'ShopsApi', action: 'dynamodb:Query', keys: 'SHOPS', operation: 'searchShops' },
    { family: 'ShopsApi', action: 'kms:Encrypt', keys: undefined, operation: 'setIntegrationKey' },
    { family: 'DiscountsApi', action: 'dynamodb:PutItem', keys: 'DISCOUNTS#*', operation: 'createDiscount' },
  ];

  test.each(cases)('fails at $action, and only its log has the reason', async ({ family, action, ...of }) => {
    const grant = grants.find((one) => one.policy.startsWith(family) && one.action === action && one.keys === of.keys)!;
    const answers = await lacking(stack, [grant], tours[family]!);
    const refused = answers[of.operation]!;
    expectError(refused, 500, 'unexpected');
    expect(refused.text).not.toMatch(/denied|dynamodb|kms|arn:|authorized|policy|\.ts|\.mjs|node:/i);
    const errors = stack.logs(family).filter((line) => line.includes('"ERROR"'));
    const logged = errors.find((line) => line.includes(refused.headers.get('x-correlation-id')!));
    expect(logged).toContain('AccessDenied');
    expect(logged).toContain(action);
  });
});
