import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { examples } from '#schemas/examples/index.ts';
import { slug } from '#schemas/examples/story.ts';
import { allOperations, familyNames } from '#schemas/families/index.ts';
import { isPage, isRedirect } from '#schemas/families/operation.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { superAdmin } from '#test/e2e/kit/local-stack.ts';
import { type Receiver, startReceiver } from '#test/e2e/kit/receiver.ts';
import { assembly } from '#test/e2e/kit/shared-stack.ts';
import { hasPrograms, Shell } from '#test/e2e/kit/shell.ts';
import { unsubscribeTokenIn } from '#test/e2e/kit/unsubscribe-links.ts';
import { type FakeShopSystem, startFakeShopSystem } from '#test/kit/fake-shop-system.ts';
import { codeIn, examplesIn } from './docs-code.ts';

/**
 * Runs the commands of every operation of the reference in a shell, as a person copies them from the pages that the service
 * serves, and holds each answer against the one that is shown. Only the addresses of other systems are put in.
 */

/** In the order of the story: an example that another needs comes before it. */
const named = [
  ...['createShop', 'createApiKey', 'updateShop', 'getShop', 'getShopAddresses', 'searchShops', 'listApiKeys'],
  ...['createSession', 'getSession', 'deleteSession', 'setIntegrationKey', 'listIntegrationKeys'],
  ...['createWebhook', 'searchWebhooks', 'updateEventSettings', 'getEventSettings'],
  ...['updateCarrierSettings', 'updateTriggerSwitches', 'updateSegmentSwitches'],
  ...['updateCampaignSettings', 'updateBrandPalette', 'getBrandPalette', 'getSettings', 'updateTriggerSettings'],
  ...['createInternalTrigger', 'getInternalTrigger', 'updateInternalTrigger', 'listInternalTriggers'],
  ...['getTriggerSettings', 'listNotifications', 'setMappings', 'getMappings', 'deleteInternalTrigger'],
  ...['createAutomation', 'replaceAutomation', 'getAutomation', 'listAutomations'],
  ...['upsertOrder', 'placeOrder', 'fulfilOrders', 'upsertAttribution', 'searchOrders', 'getOrderTimeline', 'search'],
  ...['updateOrderShipment', 'updateOrder', 'detectCarrier', 'createEventOfShipment', 'createShipmentEvent'],
  ...[
    'searchShipments',
    'listEvents',
    'getEventLedger',
    'uploadImage',
    'createClaim',
    'getStatistics',
    'getAttention',
    'getDeliveryTimes',
  ],
  ...['getOverview', 'getArrivalCalibration', 'getClaim', 'searchClaims'],
  ...['listAutomationRuns', 'listWebhookDeliveries', 'listIntegrationDeliveries', 'getWebhookHealth'],
  ...['getIntegrationHealth', 'dryRunAutomation', 'updateClaim', 'listClaimHistory'],
  ...['createClaimMessage', 'listClaimMessages', 'createShipment'],
  ...['deleteShipment', 'recoverWebhook', 'getWebhookDelivery', 'redeliverWebhook', 'testWebhook'],
  ...['rotateWebhookSecret', 'updateWebhook', 'getIntegrationDelivery', 'redeliverToIntegration'],
  ...['recoverIntegration', 'createDiscount', 'searchDiscounts', 'createDeal', 'updateDeal', 'listDeals'],
  ...['listAllDeals', 'createCampaign', 'updateCampaign', 'updateTrackingPageSettings', 'getTrackingPageSettings'],
  ...['getClaimForm', 'getWithdrawalForm', 'sendWithdrawalForm', 'getTrackingFacts', 'searchWithdrawals'],
  ...['getWithdrawal', 'settleWithdrawal', 'followPromotion', 'getTrackingPage', 'previewTrackingPage'],
  ...['previewDraft', 'getLookup', 'sendClaimForm', 'sendMessageForm', 'sendRating'],
  ...['sendLookup', 'getCampaign', 'searchCampaigns'],
  ...[
    'getPromotion',
    'createAbTest',
    'getAbTest',
    'getAbTestResults',
    'listAbTests',
    'endAbTest',
    'createAnnouncement',
  ],
  ...['searchAnnouncements', 'updateAnnouncement', 'getWebhookConfig', 'createRegistration', 'getRegistration'],
  ...['getRegistrationOfType', 'listRegistrations', 'receiveShopWebhook', 'deleteRegistration'],
  ...['receiveShopPrivacyWebhook', 'createPrivacyRequest', 'updateRetention'],
  ...['createRegistration', 'deleteRegistrationOfType', 'getAppManifest', 'registerApp', 'confirmApp'],
  ...['receiveAppEvent', 'getShopInbound', 'listJourneys', 'startSimulation', 'listSimulations'],
  ...['getSimulation', 'advanceSimulation', 'removeSimulation', 'updateEmailSettings', 'previewEmail'],
  ...['sendTestEmail', 'getUnsubscribePage', 'sendUnsubscribe', 'listSuppressions', 'deleteSuppression'],
  ...['deleteClaim', 'deleteCampaign', 'deleteDeal'],
  ...['updateDiscount', 'deleteDiscount', 'deleteAnnouncement', 'deleteAutomation', 'deleteWebhook'],
  ...['deleteIntegrationKey', 'deleteApiKey', 'setTrackingProvider', 'listTrackingProviders'],
  ...['receiveProviderWebhook', 'listUnmappedCodes', 'deleteTrackingProvider', 'getHealth', 'getDescription'],
  ...['getDocs', 'getDocsPage', 'deleteShop'],
];

/** What only reads needs no place of its own: it comes before everything is deleted. */
const end = named.indexOf('deleteClaim');
const others = allOperations.filter(({ id, method }) => method === 'GET' && !named.includes(id)).map(({ id }) => id);
const story = [...named.slice(0, end), ...others, ...named.slice(end)];

/** What the service does in the background comes a moment later. */
const comesLater = new Set(['listAutomationRuns', 'listWebhookDeliveries', 'listIntegrationDeliveries']);

const folder = mkdtempSync(join(tmpdir(), 'docs-examples-'));
let stack: LocalStack & AsyncDisposable;
let shopSystem: FakeShopSystem;
let receiver: Receiver;
let shell: Shell;
let commands: Map<string, string>;
/** What has to be run before the story goes on. */
let first: string[];
/** What has to be run before one of them. */
let before: Map<string, string>;

beforeAll(async () => {
  const { api_key } = examples.setIntegrationKey!.body as { api_key: string };
  [shopSystem, receiver] = await Promise.all([startFakeShopSystem({ token: api_key }), startReceiver()]);
  const targets = { integration_1: { url: new URL('/mailing', receiver.url).href } };
  stack = await startInProcess(assembly, {
    ALLOW_LOCAL_TARGETS: 'true',
    INTEGRATION_TARGETS: JSON.stringify(targets),
  });
  const page = async (name: string) => (await clientOf(stack.url)('GET', `/docs${name}`)).text;
  const families = await Promise.all(familyNames.map((family) => page(`/${family}`)));
  commands = new Map(families.flatMap((html) => [...examplesIn(html)]));
  before = new Map(families.flatMap((html) => [...examplesIn(html, 'Before')]));
  first = families.flatMap((html) => [...examplesIn(html, 'First').values()]);
  const settings = codeIn(await page('')).findLast(({ label }) => label === 'Terminal 2')!.text;
  shell = new Shell(folder);
  const others = [
    `receiver=${new URL(receiver.url).origin}`,
    `shop_system=${new URL(shopSystem.adminUrl).origin}`,
  ].join('\n');
  const { code, printed } = await shell.run(
    `${settings.replaceAll('operator:first-order-secret', superAdmin)}\n${others}`,
  );
  expect(code, printed).toBe(0);
});

afterAll(async () => {
  shell?.[Symbol.dispose]();
  await Promise.all([stack, shopSystem, receiver].map((part) => part?.[Symbol.asyncDispose]()));
  rmSync(folder, { recursive: true });
});

/** A person has it from a mail. */
async function keepUnsubscribeToken(): Promise<void> {
  const { printed: pageToken } = await shell.run('printf %s "$token"');
  const [{ email_id: address }] = examples.searchOrders!.response as [{ email_id: string }];
  const token = await unsubscribeTokenIn(stack, { pageToken: pageToken.trim(), slug, address });
  expect(await shell.run(`unsubscribe=${token}`)).toMatchObject({ code: 0 });
}

async function expectAsShown(id: string): Promise<void> {
  const operation = allOperations.find((one) => one.id === id)!;
  const { printed, code } = await shell.run(commands.get(id)!);
  expect(code, `${commands.get(id)}\n${printed}`).toBe(0);
  const { response } = examples[id]!;
  if (isRedirect(operation)) expect(printed).toMatch(new RegExp(`^HTTP/1.1 ${operation.status}`));
  else if (isPage(operation)) expect(printed.trim()).toMatch(/^<!doctype html>/);
  else if (typeof response !== 'string') expect(differences(JSON.parse(printed || 'null'), response, id)).toEqual([]);
}

/** Where an answer has another shape than the one that is shown. Null can stand for anything, and a list can be empty. */
function differences(got: unknown, shown: unknown, place: string): string[] {
  if (got === null || shown === null) return [];
  if (Array.isArray(got) && Array.isArray(shown)) {
    return got.length === 0 || shown.length === 0 ? [] : differences(got[0], shown[0], `${place}[0]`);
  }
  if (typeof got !== typeof shown || Array.isArray(got) !== Array.isArray(shown)) {
    return [`${place}: ${JSON.stringify(got)} is shown as ${JSON.stringify(shown)}`];
  }
  if (typeof got !== 'object') return [];
  return Object.entries(shown as object).flatMap(([name, value]) =>
    name in (got as object)
      ? differences((got as Record<string, unknown>)[name], value, `${place}.${name}`)
      : [`${place}.${name} is missing`],
  );
}

describe.skipIf(!hasPrograms('curl', 'bash', 'openssl'))('the example of', () => {
  test.each(story)('%s runs as it stands', async (id) => {
    if (id === 'getUnsubscribePage') await keepUnsubscribeToken();
    if (id === 'createClaim') for (const command of first) expect(await shell.run(command)).toMatchObject({ code: 0 });
    if (before.has(id)) expect(await shell.run(before.get(id)!)).toMatchObject({ code: 0 });
    if (!comesLater.has(id)) return expectAsShown(id);
    const shown = examples[id]!.response as unknown[];
    const isThere = async () => {
      expect(JSON.parse((await shell.run(commands.get(id)!)).printed)).toHaveLength(shown.length);
    };
    await vi.waitFor(isThere, { timeout: 20_000, interval: 100 });
    await expectAsShown(id);
  });

  test('every operation is run', () => {
    expect(allOperations.map(({ id }) => id).filter((id) => !story.includes(id))).toEqual([]);
  });
});
