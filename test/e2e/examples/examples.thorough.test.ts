import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { claimNumber } from '#schemas/catalogues/claim-number.ts';
import { examples } from '#schemas/examples/index.ts';
import { createdClaimEvent, deliveredEvent } from '#schemas/examples/outgoing-events.ts';
import {
  addressHash,
  feedCursors,
  formKey,
  hosts,
  ids,
  imageUrl,
  pageToken,
  secrets,
  simulatedPageToken,
  slug,
  storyBegins,
  unsubscribeToken,
} from '#schemas/examples/story.ts';
import { providerSecrets } from '#schemas/examples/tracking-providers.ts';
import { allOperations } from '#schemas/families/index.ts';
import { isForm, isMultipart } from '#schemas/families/operation.ts';
import { type Answer, clientOf } from '#test/e2e/kit/client.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { superAdmin } from '#test/e2e/kit/local-stack.ts';
import { type Receiver, startReceiver } from '#test/e2e/kit/receiver.ts';
import { cookieIn } from '#test/e2e/kit/sessions.ts';
import { assembly } from '#test/e2e/kit/shared-stack.ts';
import { unsubscribeTokenIn } from '#test/e2e/kit/unsubscribe-links.ts';
import { type FakeShopSystem, startFakeShopSystem } from '#test/kit/fake-shop-system.ts';
import { wholeImages } from '#test/kit/images.ts';
import { upload } from '#test/kit/multipart.ts';
import { signatureOf } from '#test/kit/shop-payloads.ts';
import { shopwareSignature } from '#test/kit/shopware-payloads.ts';
import { StandIns } from './stand-ins.ts';

/**
 * Sends the request of every example, one after the other, and compares each answer with that of the example. The stack is
 * the test's own, because one of the operations lists what all shops have.
 */

let stack: LocalStack & AsyncDisposable;
let shopSystem: FakeShopSystem;
let serviceDesk: Receiver;
let warehouse: Receiver;
let mailing: Receiver;
let standIns: StandIns;
let cookie: string;
const told = new Set<string>();

beforeAll(async () => {
  const { api_key } = examples.setIntegrationKey!.body as { api_key: string };
  [shopSystem, serviceDesk, warehouse, mailing] = await Promise.all([
    startFakeShopSystem({ token: api_key }),
    startReceiver(),
    startReceiver(),
    startReceiver(),
  ]);
  const targets = { integration_1: { url: mailing.url, scheme: 'bearer' } };
  stack = await startInProcess(assembly, {
    ALLOW_LOCAL_TARGETS: 'true',
    // So that a delivery has all its attempts in seconds.
    RETRY_BASE_SECONDS: '0.0001',
    INTEGRATION_TARGETS: JSON.stringify(targets),
  });
  const requests = Object.values(examples).map(({ response: _response, ...request }) => request);
  const seconds = Math.floor((Date.now() - Date.parse(storyBegins)) / 1000);
  standIns = new StandIns(
    [...Object.values(ids), ...Object.values(secrets), claimNumber(ids.claim)],
    requests,
    seconds * 1000,
  );
  standIns.learn(hosts.service, stack.url);
  standIns.learn(`${hosts.shopSystem}/admin/`, shopSystem.adminUrl);
  standIns.learn(`${hosts.receiver}/events`, serviceDesk.url);
  standIns.learn(`${hosts.receiver}/warehouse`, warehouse.url);
  // The log names only the server of an integration.
  standIns.learn(`${hosts.mailing}/…`, `${new URL(mailing.url).origin}/…`);
});

afterAll(async () => {
  await Promise.all([stack, shopSystem, serviceDesk, warehouse, mailing].map((part) => part?.[Symbol.asyncDispose]()));
});

const operationOf = (id: string) => allOperations.find((operation) => operation.id === id)!;

/** Sends the request of an example. */
const send = (id: string): Promise<Answer> =>
  request(id, standIns.toReal(examples[id]!), slug, (body) => credentials(id, body));

function request(
  id: string,
  { params = {}, query = {}, body }: (typeof examples)[string],
  shop: string,
  credentialsFor: (body: unknown) => object,
): Promise<Answer> {
  const { method, path, body: shape } = operationOf(id);
  const filled: Record<string, unknown> = { slug: shop, ...params };
  const address = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(filled[name])));
  const content = contentOf(shape, body);
  return clientOf(stack.url)(method, address, {
    ...credentialsFor(content.body),
    ...content,
    query: query as Record<string, string>,
    staysHere: true,
  });
}

function contentOf(shape: ReturnType<typeof operationOf>['body'], body: unknown) {
  if (shape && isMultipart(shape)) return form(body as Form);
  if (!shape || !isForm(shape)) return { body };
  const fields = Object.entries(body as Record<string, string | string[]>).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { body: new URLSearchParams(fields).toString(), headers };
}

type Form = { image_type: string; image: string };

const form = ({ image_type, image }: Form) => upload(image_type, wholeImages.jpeg, image);

function credentials(id: string, body: unknown) {
  const { role, signer, path } = operationOf(id);
  if (role === 'open') return {};
  if (signer === 'provider') {
    const signature = signatureOf(providerSecrets.webhook_secret, JSON.stringify(body));
    return { headers: { 'aftership-hmac-sha256': signature } };
  }
  if (path.includes('/shop-system/app/') && role === 'signed') {
    const signature = shopwareSignature(standIns.realOf(secrets.appShop), JSON.stringify(body));
    return { headers: { 'shopware-shop-signature': signature } };
  }
  if (role === 'signed') {
    const signature = signatureOf(standIns.realOf(secrets.shopSystem), JSON.stringify(body));
    return { headers: { 'x-shopify-hmac-sha256': signature } };
  }
  if (role === 'session') return { headers: { cookie } };
  const isOperators = role === 'superadmin' || id === 'createApiKey';
  return { key: isOperators ? superAdmin : `${slug}:${standIns.realOf(secrets.apiKey)}` };
}

/** The answer must be that of the example, in every field. */
function expectSame(answer: unknown, example: unknown): void {
  const { value, keep } = standIns.toExample(answer, example);
  expect(value).toEqual(example);
  keep();
}

async function tell(id: string): Promise<void> {
  const { status = 200 } = operationOf(id);
  const answer = await send(id);
  expect(answer.status, answer.text).toBe(status);
  const { response } = examples[id]!;
  expectSame(answer.text === '' ? undefined : answer.body, response === '' ? undefined : response);
  told.add(id);
  if (id === 'createSession') cookie = cookieIn(answer);
}

/** The answer depends on what the service does in the background. */
const tellWhenDone = (id: string) => vi.waitFor(() => tell(id), { timeout: 20_000, interval: 100 });

async function expectDelivery(receiver: Receiver, event: object, delivery: string): Promise<void> {
  const { body, headers } = await receiver.next();
  expectSame(JSON.parse(body), event);
  expectSame(headers['webhook-id'], delivery);
}

const masked = (secret: string) => `****${secret.slice(-4)}`;

/** From now on integration_1 gets events, too: its switch is on already. */
async function setKeyOfMailing(): Promise<void> {
  const key = `${slug}:${standIns.realOf(secrets.apiKey)}`;
  const body = { api_key: 'key-of-the-mailing' };
  const { status } = await clientOf(stack.url)('PUT', `/v1/shops/${slug}/keys/integration_1`, { key, body });
  expect(status).toBe(200);
}

const tells = (...names: string[]) => test.each(names)('%s answers like its example', tell);

const tellsWhenDone = (...names: string[]) => test.each(names)('%s answers like its example', tellWhenDone);

describe('a shop is set up', () => {
  tells('createShop', 'createApiKey', 'updateShop', 'getShop', 'getShopAddresses', 'searchShops');

  test('listApiKeys answers like its example', async () => {
    standIns.learn(masked(secrets.apiKey), masked(standIns.realOf(secrets.apiKey)));
    await tell('listApiKeys');
  });

  tells('createSession', 'getSession', 'deleteSession');
  tells('setIntegrationKey', 'listIntegrationKeys');
  tells('createWebhook', 'searchWebhooks', 'updateEventSettings', 'getEventSettings');
  tells('updateCarrierSettings', 'updateTriggerSwitches', 'updateSegmentSwitches', 'updateCampaignSettings');
  tells('updateBrandPalette', 'getBrandPalette', 'getSettings', 'updateTriggerSettings');
  tells('createInternalTrigger', 'getInternalTrigger', 'updateInternalTrigger', 'listInternalTriggers');
  tells('getTriggerSettings', 'listNotifications', 'setMappings', 'getMappings', 'deleteInternalTrigger');
  tells('createAutomation', 'replaceAutomation', 'getAutomation', 'listAutomations');
});

describe('an order is sent and arrives', () => {
  tells('upsertOrder', 'placeOrder', 'fulfilOrders', 'upsertAttribution');

  test('searchOrders answers like its example', async () => {
    const { body } = await send('searchOrders');
    standIns.learn(pageToken, /[^/]+$/.exec(body[0].tracking_page_url)![0]);
    await tell('searchOrders');
  });

  tells('getOrderTimeline', 'search');
  tells('updateOrderShipment', 'updateOrder', 'detectCarrier');
  tells('createEventOfShipment', 'createShipmentEvent');

  test('the endpoint gets the example of a shipment event', async () => {
    await expectDelivery(serviceDesk, deliveredEvent, ids.deliveredDelivery);
  });

  // No order of the story was erased.
  test('listEvents answers like its example, but for what was erased', async () => {
    const { status, body } = await send('listEvents');
    expect(status).toBe(200);
    standIns.learn(feedCursors.behindDelivered, body.events[0].cursor);
    standIns.learn(feedCursors.end, body.next);
    const example = examples.listEvents!.response as { events: object[] };
    expectSame(body, { ...example, events: example.events.filter((event) => !('erased' in event)) });
    told.add('listEvents');
  });

  test('getEventLedger answers like its example, with the digest of what the endpoint got', async () => {
    const [{ digest }] = examples.getEventLedger!.response as [{ digest: string }];
    const own = standIns.realOf(ids.deliveredDelivery);
    standIns.learn(digest, createHash('sha256').update(own).digest('hex'));
    await tellWhenDone('getEventLedger');
  });

  tells('searchShipments');
});

describe('the customer makes a claim', () => {
  test('uploadImage answers like its example', async () => {
    const { body } = await send('uploadImage');
    // The local stack serves images under the address of the API, so the host alone would stand for two.
    standIns.learn(imageUrl, body.url);
    standIns.learn(ids.image, /([^/]+)\.jpg$/.exec(body.url)![1]!);
    expectSame(body, examples.uploadImage!.response);
    told.add('uploadImage');
  });

  test('createClaim answers like its example', async () => {
    serviceDesk.answer(503);
    mailing.answer(503);
    await setKeyOfMailing();
    await tell('createClaim');
  });

  test('the endpoint and the automation get the example of a claim event', async () => {
    await expectDelivery(serviceDesk, createdClaimEvent, ids.claimDelivery);
    await expectDelivery(warehouse, createdClaimEvent, ids.warehouseDelivery);
  });

  tellsWhenDone('getStatistics', 'getTargetStatistics', 'getAttention');
  tellsWhenDone('getDeliveryTimes', 'getOverview', 'getArrivalCalibration');

  tells('getClaim', 'searchClaims');
  tellsWhenDone('listAutomationRuns', 'listWebhookDeliveries', 'listIntegrationDeliveries');
  tellsWhenDone('getWebhookHealth', 'getIntegrationHealth');
  tells('dryRunAutomation', 'updateClaim', 'listClaimHistory', 'createClaimMessage', 'listClaimMessages');
  tells('createShipment', 'deleteShipment');
});

describe('the endpoint works again', () => {
  test('recoverWebhook answers like its example and sends the event again', async () => {
    serviceDesk.answer(200);
    await tell('recoverWebhook');
    await expectDelivery(serviceDesk, createdClaimEvent, ids.claimDelivery);
  });

  tells('getWebhookDelivery', 'redeliverWebhook', 'testWebhook', 'rotateWebhookSecret', 'updateWebhook');
  tells('getIntegrationDelivery', 'redeliverToIntegration');
  tellsWhenDone('recoverIntegration');
});

describe('the shop promotes its products', () => {
  tells('createDiscount', 'searchDiscounts', 'createDeal', 'updateDeal', 'listDeals', 'listAllDeals');
  tells('createCampaign', 'updateCampaign', 'updateTrackingPageSettings', 'getTrackingPageSettings');

  const begins = (...names: string[]) =>
    test.each(names)('%s begins like its example', async (id) => {
      const { status, text } = await send(id);
      expect(status).toBe(200);
      expect(text.slice(0, 1000)).toContain(examples[id]!.response);
      told.add(id);
    });

  /** Each sends a form that stands on a page. */
  const tellsFrom = (page: string, ...names: string[]) =>
    test.each(names)('%s answers like its example', async (id) => {
      const { text } = await send(page);
      standIns.learn(formKey, /name="form_key" value="([^"]+)"/.exec(text)![1]!);
      await tell(id);
    });

  // Afterwards it leads to the page.
  begins('getWithdrawalForm');
  tellsFrom('getWithdrawalForm', 'sendWithdrawalForm');
  tells('getTrackingFacts', 'searchWithdrawals', 'getWithdrawal', 'settleWithdrawal', 'followPromotion');
  begins('getTrackingPage', 'previewTrackingPage', 'previewDraft', 'getClaimForm', 'getLookup');
  tellsFrom('getClaimForm', 'sendClaimForm');
  tellsFrom('getTrackingPage', 'sendMessageForm', 'sendRating');

  tells('sendLookup', 'getCampaign', 'searchCampaigns', 'getPromotion');
  tells('createAbTest', 'getAbTest', 'getAbTestResults', 'listAbTests', 'endAbTest');
  tells('createAnnouncement', 'searchAnnouncements', 'updateAnnouncement');
});

describe("the shop's own system is connected", () => {
  tells('getWebhookConfig', 'createRegistration', 'getRegistration', 'getRegistrationOfType', 'listRegistrations');
  tells('receiveShopWebhook', 'deleteRegistration');

  test('deleteRegistrationOfType answers like its example', async () => {
    await send('createRegistration');
    await tell('deleteRegistrationOfType');
  });
});

describe('a customer asks what is stored', () => {
  tells('getRetention', 'updateRetention');
  tells('createPrivacyRequest', 'getPrivacyRequest', 'listPrivacyRequests', 'receiveShopPrivacyWebhook');
});

describe('the shop plays the life of a parcel', () => {
  tells('listJourneys');

  test('startSimulation answers like its example', async () => {
    const { body } = await send('startSimulation');
    standIns.learn(simulatedPageToken, /[^/]+$/.exec(body.tracking_page_url)![0]);
    expectSame(body, examples.startSimulation!.response);
    told.add('startSimulation');
  });

  tells('listSimulations', 'getSimulation', 'advanceSimulation', 'removeSimulation');
});

describe('the customer hears by e-mail', () => {
  tells('updateEmailSettings', 'getEmailSettings');

  test.each(['previewEmail', 'sendTestEmail'])('%s answers like its example', async (id) => {
    const { status, text, body } = await send(id);
    expect(status, text).toBe(200);
    const { response } = examples[id]!;
    if (typeof response === 'string') expect(text.toLowerCase()).toContain(response);
    else expect(Object.keys(body)).toEqual(Object.keys(response as object));
    told.add(id);
  });

  test('getUnsubscribePage and sendUnsubscribe begin like their examples', async () => {
    const address = (examples.searchOrders!.response as [{ email_id: string }])[0].email_id;
    const token = await unsubscribeTokenIn(stack, { pageToken: standIns.realOf(pageToken), slug, address });
    // The shop and its page are known already.
    const invented = unsubscribeToken.split('.');
    token.split('.').forEach((part, i) => {
      if (i > 1) standIns.learn(invented[i]!, part);
    });
    for (const id of ['getUnsubscribePage', 'sendUnsubscribe']) {
      const { status, text } = await send(id);
      expect(status, text).toBe(200);
      expect(text.slice(0, 1000)).toContain(examples[id]!.response);
      told.add(id);
    }
  });

  tells('listSuppressions', 'deleteSuppression');
});

describe('the app of shop_system_2 is installed', () => {
  test('getAppManifest begins like its example', async () => {
    const key = `${slug}:${standIns.realOf(secrets.apiKey)}`;
    await clientOf(stack.url)('PATCH', `/v1/shops/${slug}`, { key, body: { shop_provider: 'shop_system_2' } });
    const { status, text } = await send('getAppManifest');
    expect(status, text).toBe(200);
    expect(text.startsWith(String(examples.getAppManifest!.response))).toBe(true);
    standIns.learn(secrets.app, /<secret>(.*)<\/secret>/.exec(text)![1]!);
    told.add('getAppManifest');
  });

  test('registerApp answers like its example', async () => {
    const { query, response } = examples.registerApp! as {
      query: Record<string, string>;
      response: { proof: string };
    };
    // A shop sends the time of the moment.
    const asked = { ...query, timestamp: String(Math.floor(Date.now() / 1000)) };
    const text = Object.entries(asked)
      .map((pair) => pair.join('='))
      .join('&');
    const signature = shopwareSignature(standIns.realOf(secrets.app), text);
    const { status, body } = await request('registerApp', { query: asked, response }, slug, () => ({
      headers: { 'shopware-app-signature': signature },
    }));
    expect(status).toBe(200);
    standIns.learn(response.proof, body.proof);
    expectSame(body, response);
    told.add('registerApp');
  });

  tells('confirmApp', 'receiveAppEvent');

  // Which webhooks came depends on what else was sent.
  test('getShopInbound has the fields of its example', async () => {
    const { status, body } = await send('getShopInbound');
    const expected = examples.getShopInbound!.response as typeof body;
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(Object.keys(expected));
    expect(body).toMatchObject({ shop_provider: expected.shop_provider, is_connected: expected.is_connected });
    told.add('getShopInbound');
  });
});

describe('everything is removed', () => {
  tells('deleteClaim', 'deleteCampaign', 'deleteDeal', 'updateDiscount', 'deleteDiscount', 'deleteAnnouncement');
  tells('deleteAutomation', 'deleteWebhook', 'deleteIntegrationKey', 'deleteApiKey');
});

describe('a tracking provider is connected', () => {
  tells('setTrackingProvider', 'listTrackingProviders', 'receiveProviderWebhook', 'listUnmappedCodes');

  // How much waits, and how old the stream is, depends on the moment.
  test('getOperations has the queues, the provider and the streams of its example', async () => {
    const { body } = await send('getOperations');
    const expected = examples.getOperations!.response as typeof body;
    const names = (list: { name: string }[]) => list.map(({ name }) => name).toSorted();
    expect(names(body.queues)).toEqual(names(expected.queues));
    expect(names(body.streams)).toEqual(names(expected.streams));
    expectSame(body.providers, expected.providers);
    told.add('getOperations');
  });

  tells('deleteTrackingProvider');
});

describe('the shop itself is removed', () => {
  tells('deleteShop');
});

describe('the service describes itself', () => {
  tells('getHealth');

  test('getDescription begins like its example', async () => {
    const { body } = await send('getDescription');
    expect(body).toMatchObject(JSON.parse(String(examples.getDescription!.response)));
    told.add('getDescription');
  });

  test.each(['getDocs', 'getDocsPage'])('%s begins like its example', async (id) => {
    const { text } = await send(id);
    expect(text.slice(0, 200)).toContain(examples[id]!.response);
    told.add(id);
  });
});

describe('another shop takes what is sent as it is written in the description', () => {
  const shop = `${slug}-2`;
  const made = [...Object.values(ids), ...Object.values(secrets), imageUrl, addressHash];
  /** They call a server of the story, which nobody has, look back for a limited time, or name the shop of the story. */
  const left = new Set(['createRegistration', 'deleteRegistrationOfType', 'recoverIntegration', 'deleteShop']);
  const isWritten = (id: string) => {
    const { method, path, role } = operationOf(id);
    const { response: _response, ...example } = examples[id]!;
    const isOfShop = method !== 'GET' && path.startsWith('/v1/shops/{slug}') && role !== 'signed' && !left.has(id);
    return isOfShop && !made.some((value) => JSON.stringify(example).includes(value));
  };
  const asWritten = (id: string, example = examples[id]!) => request(id, example, shop, () => ({ key: superAdmin }));

  test('createShop', async () => {
    const { body } = examples.createShop!;
    const { status, text } = await asWritten('createShop', {
      response: null,
      body: { ...(body as object), slug: shop },
    });
    expect(status, text).toBe(200);
  });

  const written = Object.keys(examples).filter(isWritten);

  test.each(written)('%s', async (id) => {
    const { status = 200 } = operationOf(id);
    const answer = await asWritten(id);
    expect(answer.status, answer.text).toBe(status);
  });

  test('and among it are all that name an address that the service calls', () => {
    expect(written).toEqual(expect.arrayContaining(['updateShop', 'createWebhook', 'createAutomation']));
  });
});

test('every example was sent', () => {
  expect(Object.keys(examples).filter((id) => !told.has(id))).toEqual([]);
});
