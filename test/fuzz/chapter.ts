import type { APIGatewayProxyResult } from 'aws-lambda';
import { allOperations, type DeclaredOperation, type FamilyName, familyNames } from '#schemas/families/index.ts';
import { pathsOf } from '#schemas/families/operation.ts';
import { batchOf } from '#test/kit/queue-messages.ts';
import { breakDraft } from './break-draft.ts';
import { mayCall } from './callers.ts';
import { brokenUpdate } from './carrier-updates.ts';
import { faultOf, parsed } from './check-answer.ts';
import { collectionOf, type Draft, gatewayEvent, type Secrets, validDraft } from './draft.ts';
import { type FakeShops, shopAddresses } from './fake-shops.ts';
import { newShops } from './new-shops.ts';
import { outcomeOf } from './outcome.ts';
import { Random } from './random.ts';
import { repeatable } from './repeatable.ts';
import { SeenValues } from './seen-values.ts';
import type { Service } from './service.ts';
import type { Source } from './valid-values.ts';

/** What was sent and what came back. */
export interface Exchange {
  /** The operation, or the queue. */
  name: string;
  caller: string;
  request: string;
  status: number;
  answer: string;
  fault?: string;
  ms: number;
}

/** Make something of each kind, and look at what was made. */
const firstOperations = [
  ...['createDiscount', 'createDiscount', 'createDiscount', 'searchDiscounts', 'createDeal', 'createDeal', 'listDeals'],
  ...['createCampaign', 'createCampaign', 'createCampaign', 'searchCampaigns', 'createAbTest', 'listAbTests'],
  ...['upsertOrder', 'upsertOrder', 'fulfilOrders', 'searchOrders', 'searchShipments', 'createClaim', 'createClaim'],
  ...['createAnnouncement', 'searchAnnouncements', 'createAutomation', 'createWebhook', 'createWebhook', 'testWebhook'],
  ...['updateEventSettings', 'listEvents', 'getEventLedger'],
  ...[
    'createInternalTrigger',
    'createRegistration',
    'createApiKey',
    'createPrivacyRequest',
    'registerApp',
    'confirmApp',
  ],
];

/**
 * A part of a run with two shops of its own and an empty table at its start. Only the seed decides what happens in it, so
 * it can be repeated without the chapters before it.
 */
export class Chapter {
  readonly #service: Service;
  readonly #shops: FakeShops;
  readonly #random: Random;
  #secrets: Secrets = {};
  #seen = new SeenValues([]);
  #family: FamilyName = 'orders';

  constructor(service: Service, shops: FakeShops, seed: string) {
    this.#service = service;
    this.#shops = shops;
    this.#random = new Random(seed);
    repeatable.restart(seed);
  }

  /** Makes the shops, and something of each kind in one of them. */
  async begin(): Promise<void> {
    this.#shops.renew();
    const { secrets, tokenIds } = await newShops(this.#service, this.#random);
    this.#secrets = secrets;
    this.#seen = new SeenValues(tokenIds);
    for (const id of firstOperations) await this.#make(id);
  }

  /** A request that probably succeeds. */
  async #make(id: string): Promise<void> {
    const operation = allOperations.find((one) => one.id === id)!;
    const draft = validDraft(operation, { ...this.#source(), density: 0 }, this.#secrets, 'superadmin');
    await this.#send(operation, { ...draft, params: { ...draft.params, slug: 'blue' } });
  }

  /** Sends the next request. */
  async next(): Promise<Exchange> {
    const random = this.#random;
    repeatable.advance(
      random.weighted([
        [random.between(1, 50), 80],
        [random.between(1, 60_000), 15],
        [random.between(1, 7_200_000), 3],
      ]),
    );
    if (random.chance(0.02)) return this.#update();
    if (random.chance(0.02)) return this.#privacyWork();
    const operation = this.#nextOperation();
    const draft = validDraft(operation, this.#source(), this.#secrets);
    if (random.chance(0.5)) breakDraft(draft, random);
    return this.#send(operationOf(draft) ?? operation, draft);
  }

  /** Stays with a family for a while, so that requests find what those before them made. */
  #nextOperation(): DeclaredOperation {
    if (this.#random.chance(0.05)) this.#family = this.#random.pick(familyNames);
    const operations = allOperations.filter(({ family }) => family === this.#family);
    return this.#random.pick(this.#random.chance(0.2) ? allOperations : operations);
  }

  #source(): Source {
    const urls = [
      ...Object.values(shopAddresses),
      'https://www.example.com/',
      'http://127.0.0.1:9/hook',
      'https://203.0.113.7/x',
    ];
    const density = this.#random.pick([0.1, 0.3, 0.6, 0.95]);
    return { random: this.#random, seen: this.#seen, now: Date.now(), urls, density };
  }

  async #send(operation: DeclaredOperation, draft: Draft): Promise<Exchange> {
    const event = gatewayEvent(draft, this.#secrets);
    const request = printed(draft, event);
    const writesBefore = this.#service.writes();
    const {
      value: answer,
      error,
      ms,
    } = await outcomeOf(() => this.#service.api[operation.family](event, { awsRequestId: 'request' }));
    const base = { name: operation.id, caller: draft.caller, request, ms };
    if (!answer) return { ...base, status: 0, answer: '', fault: `the handler threw ${error}` };
    this.#learn(operation, draft, answer);
    this.#learnSecret(operation, draft, answer);
    const hasWritten = this.#service.writes() > writesBefore;
    const fault = this.#faultOf(operation, draft, answer, hasWritten);
    return { ...base, status: answer.statusCode, answer: answer.body, ...(fault !== undefined && { fault }) };
  }

  #faultOf(operation: DeclaredOperation, draft: Draft, answer: APIGatewayProxyResult, hasWritten: boolean) {
    const { caller, params } = draft;
    const isAccepted = answer.statusCode < 400;
    if (isAccepted && !mayCall(caller, operation, params.slug)) return 'this caller may not do this';
    if (!isAccepted && hasWritten && !mayWriteAndRefuse(operation, answer))
      return 'a refused request changed the table';
    return faultOf(operation, answer);
  }

  #learn(
    { path, family }: DeclaredOperation,
    { method, body, params }: Draft,
    { statusCode, body: text }: APIGatewayProxyResult,
  ) {
    const id = Object.values(params).at(-1);
    const isGone = statusCode === 404 || (statusCode < 300 && method === 'DELETE');
    if (isGone && id !== undefined && id !== params.slug) this.#seen.forget(id);
    if (statusCode >= 300 || isGone || family === 'meta') return;
    const collection = collectionOf(path);
    const [, form_key] = /name="form_key" value="([^"]+)"/.exec(text) ?? [];
    if (form_key) this.#seen.learn({ form_key }, collection);
    this.#seen.learn(parsed(text), collection, params);
    this.#seen.learn(body, collection, params);
  }

  /** The app of shop_system_2 agrees on a new secret with its shop, which signs as soon as it is confirmed. */
  #learnSecret({ id }: DeclaredOperation, { params }: Draft, { statusCode, body }: APIGatewayProxyResult): void {
    if (statusCode >= 300 || params.slug !== 'blue') return;
    const secrets = this.#secrets;
    if (id === 'registerApp') secrets['registered app'] = (parsed(body) as { secret: string }).secret;
    if (id === 'confirmApp') secrets['shop system'] = secrets['registered app']!;
  }

  /** Erases and discloses what was asked for, and removes shops, so that requests meet what is left. */
  async #privacyWork(): Promise<Exchange> {
    const { value, error, ms } = await outcomeOf(() => this.#service.privacyWork());
    return {
      name: 'privacy work',
      caller: 'the schedule',
      request: '',
      status: value ? 200 : 0,
      answer: JSON.stringify(value ?? null),
      ...(value?.failed !== 0 && { fault: value ? 'some work failed' : `the handler threw ${error}` }),
      ms,
    };
  }

  /** A message of a carrier. It may fail, but the function must not. */
  async #update(): Promise<Exchange> {
    const bodies = Array.from({ length: this.#random.between(1, 5) }, () => brokenUpdate(this.#source()));
    const { value, error, ms } = await outcomeOf(() => this.#service.ingest(batchOf(bodies)));
    return {
      name: 'carrier updates',
      caller: 'the queue',
      request: JSON.stringify(bodies),
      status: value ? 200 : 0,
      answer: JSON.stringify(value ?? null),
      ...(!value && { fault: `the handler threw ${error}` }),
      ms,
    };
  }
}

/**
 * A bulk call refuses single orders and stores the others. Wrong credentials may be counted. That a shop does not answer is
 * noted.
 */
const mayWriteAndRefuse = ({ id }: DeclaredOperation, { statusCode }: APIGatewayProxyResult) =>
  id === 'fulfilOrders' ||
  statusCode === 401 ||
  statusCode === 429 ||
  (id === 'receiveShopWebhook' && statusCode === 502);

/** A broken method may be that of another operation on the same path. */
const operationOf = ({ method, resource }: Draft) =>
  allOperations.find((operation) => operation.method === method && pathsOf(operation).includes(resource));

function printed(
  { method, resource, params, query, caller }: Draft,
  event: { headers: object; body: unknown },
): string {
  const path = resource.replace(/\{(\w+)\}/g, (_whole, name) => encodeURI(params[name]?.toWellFormed() ?? ''));
  return [
    `${method} ${path} as ${caller}`,
    `params ${JSON.stringify(params)}`,
    `query ${JSON.stringify(query)}`,
    `headers ${JSON.stringify(event.headers)}`,
    `body ${String(event.body)}`,
  ].join('\n');
}
