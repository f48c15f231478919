import { randomBytes } from 'node:crypto';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { messages } from '#schemas/catalogues/pipeline.ts';
import { allOperations } from '#schemas/families/index.ts';
import { isBodyByParameter } from '#schemas/families/operation.ts';
import type { Answer, Api } from '#test/e2e/kit/client.ts';
import type { Schema } from '#test/fuzz/valid-values.ts';
import { wholeImages } from '#test/kit/images.ts';
import { multipart, upload } from '#test/kit/multipart.ts';
import { signatureOf } from '#test/kit/shop-payloads.ts';
import type { Sent } from './coverage.ts';
import { filled, type Given, hourAgo, omitted } from './fill.ts';
import { Words } from './words.ts';

/** A shop whose customers leave words. */
export interface CanaryShop {
  api: Api;
  key: string;
  slug: string;
  /** Of its shop system's webhooks. */
  secret: string;
  sqs: SQSClient;
  carrierUpdates: string;
  /** The path behind the link of a mail that the address got. */
  unsubscribePage(address: string): Promise<string>;
}

/** A customer, and everything that a shop, its carriers and the customer themself can say about them. */
export interface Person {
  words: Words;
  email: string;
  customerId: string;
  /** The uuids of the orders, and their numbers. */
  orders: string[];
  numbers: string[];
  trackingNumbers: string[];
  /** The paths of the tracking pages. */
  pages: string[];
  /** The uuids of the claims, and of the withdrawals. */
  claims: string[];
  withdrawals: string[];
  /** What was sent about them. */
  sent: Sent;
}

/** Remembers what a request carries, and gives it back. */
export function noted<T>({ sent }: Pick<Person, 'sent'>, operation: string, value: T): T {
  sent.set(operation, [...(sent.get(operation) ?? []), value]);
  return value;
}

const bodyOf = (operation: string, type?: string): Schema => {
  const { body } = allOperations.find(({ id }) => id === operation)!;
  return (isBodyByParameter(body!) ? body.shapes[type as never] : body) as Schema;
};

let lastNumber = 7_310_000_000;

/** @param bigProducts how many products one of the orders has that make its payloads too big for the table */
export async function addPerson(shop: CanaryShop, letters: string, bigProducts = 0): Promise<Person> {
  const words = new Words(letters);
  const email = `${words.at('email')}@canary.example`;
  const customerNumber = ++lastNumber;
  const customerId = String(customerNumber);
  words.add(customerId, 'external_customer_id');
  const person: Person = {
    words,
    email,
    customerId,
    orders: [],
    numbers: [],
    trackingNumbers: [],
    pages: [],
    claims: [],
    withdrawals: [],
    sent: new Map(),
  };
  const path = `/v1/shops/${shop.slug}`;

  const send = async (operation: string, method: string, rest: string, given: Given, at = path) => {
    const answer = await shop.api(method, at + rest, {
      key: shop.key,
      body: noted(person, operation, filled(bodyOf(operation), words, operation, given)),
    });
    return mustSucceed(operation, answer).body;
  };
  const number = (operation: string) => words.at(`${operation} id`);
  const tracking = (operation: string) => {
    const made = words.at(`${operation} tracking_number`);
    person.trackingNumbers.push(made);
    return made;
  };
  const fullName = (operation: string) =>
    `${words.at(`${operation} address.name`)} ${words.at(`${operation} address.name`)}`;
  /** What the fields of an order are given, wherever they stand in a body. */
  const order = (operation: string, prefix: string): Record<string, unknown> => ({
    [`${prefix}email_id`]: email,
    [`${prefix}external_customer_id`]: customerId,
    [`${prefix}address.name`]: fullName(operation),
  });
  const found = async (order_number: string) => {
    const [one] = mustSucceed(
      'searchOrders',
      await shop.api('GET', `${path}/orders`, { key: shop.key, query: { order_number } }),
    ).body;
    person.orders.push(one.uuid);
    person.numbers.push(order_number);
    person.pages.push(new URL(one.tracking_page_url).pathname);
    return one;
  };

  const first = number('upsertOrder');
  const firstParcel = tracking('upsertOrder');
  await send('upsertOrder', 'PUT', '/orders', {
    id: first,
    id_type: 'order_number',
    'order.order_number': first,
    ...order('upsertOrder', 'order.'),
    'trackings.*.tracking_number': firstParcel,
  });
  const { uuid, trackings } = await found(first);
  await send('upsertAttribution', 'PUT', '/orders/analytics', { id: first, id_type: 'order_number' });
  await send('updateOrder', 'PATCH', `/orders/${uuid}`, { 'address.name': fullName('updateOrder') });
  await send('updateOrderShipment', 'PATCH', `/orders/${uuid}/shipments/${trackings[0].uuid}`, {});
  await send('createShipment', 'POST', '/shipments', {
    order_id: first,
    order_id_type: 'order_number',
    tracking_number: tracking('createShipment'),
    products: omitted,
  });
  const event = { event_time: new Date().toISOString() };
  await send('createEventOfShipment', 'POST', `/shipments/${trackings[0].uuid}/events`, {
    ...event,
    event_name: 'PICKUP_SUCCESSFUL',
  });
  await send(
    'createShipmentEvent',
    'POST',
    `/v1/shop/${shop.slug}/shipment-events`,
    {
      ...event,
      id: firstParcel,
      id_type: 'tracking_number',
      event_name: 'ARRIVED_AT_PICKUP_POINT',
    },
    '',
  );

  const second = number('placeOrder');
  await send('placeOrder', 'POST', '/orders', { order_number: second, ...order('placeOrder', '') });
  await found(second);
  const third = number('fulfilOrders');
  // Payloads with so much in them are too big for the table, and lie in the bucket.
  const products = Array.from({ length: bigProducts }, () => ({ title: `big ${randomBytes(600).toString('base64')}` }));
  const bulk = filled(bodyOf('fulfilOrders'), words, 'fulfilOrders', {
    '*.id': third,
    '*.id_type': 'order_number',
    '*.order.order_number': third,
    ...order('fulfilOrders', '*.order.'),
    '*.trackings.*.tracking_number': tracking('fulfilOrders'),
  }) as [{ order: { products: object[] }; trackings: [{ products: object[] }] }];
  bulk[0].order.products.push(...products);
  bulk[0].trackings[0].products.push(...products);
  const body = noted(person, 'fulfilOrders', bulk);
  mustSucceed('fulfilOrders', await shop.api('PUT', `${path}/orders/bulk`, { key: shop.key, body }));
  const big = await found(third);
  mustSucceed(
    'createEventOfShipment',
    await shop.api('POST', `${path}/shipments/${big.trackings[0].uuid}/events`, {
      key: shop.key,
      body: { event_name: 'OUT_FOR_DELIVERY' },
    }),
  );

  // The shop's own system.
  const hook = async (operation: string, type: string, given: Given, more: Record<string, string> = {}) => {
    const body = JSON.stringify(noted(person, operation, filled(bodyOf(operation, type), words, operation, given)));
    const signature = { 'x-shopify-hmac-sha256': signatureOf(shop.secret, body) };
    const headers = { 'content-type': 'application/json', ...signature, ...more };
    mustSucceed(type, await shop.api('POST', `${path}/shop-system/inbound/${type}`, { body, headers }));
  };
  const fourth = number('receiveShopWebhook');
  const shopId = ++lastNumber;
  const parcelOfShop = tracking('receiveShopWebhook');
  const hooked = {
    id: shopId,
    order_number: fourth,
    email,
    'customer.id': customerNumber,
    'shipping_address.name': fullName('receiveShopWebhook'),
    order_status_url: `https://canary.example/${words.at('receiveShopWebhook order_status_url')}`,
    cancelled_at: null,
    'fulfillments.*.tracking_number': parcelOfShop,
    'fulfillments.*.tracking_numbers': [parcelOfShop],
    'fulfillments.*.status': 'success',
  };
  await hook('receiveShopWebhook', 'order-creation', { ...hooked, updated_at: hourAgo });
  await hook('receiveShopWebhook', 'order-update', { ...hooked, updated_at: new Date().toISOString() });
  await found(fourth);
  await hook('receiveShopWebhook', 'order-fulfillment-update', {
    order_id: shopId,
    status: 'success',
    tracking_number: parcelOfShop,
    tracking_numbers: [parcelOfShop],
  });

  // Claims of the merchant, one of which was deleted, and of the customer.
  const image = async () => {
    const { body } = mustSucceed(
      'uploadImage',
      await shop.api('POST', `${path}/images`, { key: shop.key, ...upload('claim', wholeImages.jpeg) }),
    );
    return body.url as string;
  };
  const claim = async () => {
    const made = await send('createClaim', 'POST', '/claims', {
      shipment_id: trackings[0].uuid,
      tracking_number: firstParcel,
      order_number: first,
      image_urls: [await image()],
    });
    person.claims.push(made.uuid);
    return made.uuid as string;
  };
  const kept = await claim();
  await send('updateClaim', 'PUT', `/claims/${kept}`, { status: 'rejected' });
  const answered = await send('createClaimMessage', 'POST', `/claims/${kept}/messages`, {
    image_urls: [await image()],
  });
  for (const url of answered.image_urls) words.add(new URL(url).pathname.split('/').at(-1)!, 'image');
  mustSucceed('deleteClaim', await shop.api('DELETE', `${path}/claims/${await claim()}`, { key: shop.key }));
  await visit(shop, person, person.pages[0]!, firstParcel);
  await rateDelivery(shop, person, person.pages.at(-1)!, parcelOfShop);
  await withdraw(shop, person, person.pages[1]!);
  const { withdrawals } = mustSucceed(
    'searchWithdrawals',
    await shop.api('GET', `${path}/withdrawals`, { key: shop.key }),
  ).body;
  const { uuid: withdrawal } = withdrawals.find((one: { order_number: string }) => one.order_number === second);
  person.withdrawals.push(withdrawal);
  await send('settleWithdrawal', 'PUT', `/withdrawals/${withdrawal}`, { status: 'accepted' });
  const claims = mustSucceed(
    'searchClaims',
    await shop.api('GET', `${path}/claims`, { key: shop.key, query: { order_id: uuid } }),
  ).body;
  for (const { uuid: claim, image_urls } of claims.claims) {
    if (!person.claims.includes(claim)) person.claims.push(claim);
    for (const url of image_urls) words.add(new URL(url).pathname.split('/').at(-1)!, 'image');
    const { body: written } = await shop.api('GET', `${path}/claims/${claim}/messages`, { key: shop.key });
    for (const url of written.flatMap((message: { image_urls: string[] }) => message.image_urls))
      words.add(new URL(url).pathname.split('/').at(-1)!, 'image');
  }

  // Carriers.
  const report = async (name: 'carrierUpdate' | 'carrierHistory', given: Given) => {
    const body = noted(person, name, filled(messages[name] as Schema, words, name, given));
    await shop.sqs.send(new SendMessageCommand({ QueueUrl: shop.carrierUpdates, MessageBody: JSON.stringify(body) }));
  };
  await report('carrierUpdate', { ...event, tracking_number: firstParcel, event_name: 'OUT_FOR_DELIVERY' });
  const ofHistory = Object.fromEntries(Object.entries(event).map(([name, value]) => [`events.*.${name}`, value]));
  await report('carrierHistory', {
    ...ofHistory,
    tracking_number: person.trackingNumbers.at(-1),
    'events.*.event_name': 'OUT_FOR_DELIVERY',
  });

  // A simulation of an order like theirs.
  const simulated = await send('startSimulation', 'POST', '/simulations', {
    journey: omitted,
    steps: [
      { event_name: 'ORDER_PROCESSED', after_minutes: 1 },
      { event_name: 'PICKUP_SUCCESSFUL', after_minutes: 200_000 },
    ],
    start_at: omitted,
    ...order('startSimulation', 'order.'),
  });
  mustSucceed(
    'advanceSimulation',
    await shop.api('POST', `${path}/simulations/${simulated.uuid}/advance`, { key: shop.key, body: { steps: 1 } }),
  );
  person.pages.push(new URL(simulated.tracking_page_url).pathname);
  await lookAt(shop, person);
  await changeSubscription(shop, person);
  await send('sendTestEmail', 'POST', '/emails/test', {
    to: `${words.at('sendTestEmail to')}@canary.example`,
    language: omitted,
  });

  // What the shop's own system asks on their behalf.
  await hook(
    'receiveShopPrivacyWebhook',
    'privacy',
    { 'customer.email': email, 'customer.id': customerNumber, orders_requested: [shopId], orders_to_redact: omitted },
    { 'x-shopify-topic': 'customers/data_request' },
  );
  return person;
}

/** What a customer does at their tracking page. */
async function visit({ api, slug }: CanaryShop, person: Person, page: string, parcel: string): Promise<void> {
  const { words, email, numbers } = person;
  const headers = {
    'user-agent': words.at('getTrackingPage user-agent'),
    referer: `https://canary.example/${words.at('getTrackingPage referer')}`,
  };
  const query = (operation: string, ...names: string[]) =>
    noted(person, operation, Object.fromEntries(names.map((name) => [name, words.at(`${operation} ${name}`)])));
  mustSucceed('getTrackingPage', await api('GET', page, { headers, query: query('getTrackingPage', 'lang', 'sent') }));
  await api('GET', `/v1/tracking/${page.split('/').at(-1)}`, { headers, query: query('getTrackingFacts', 'lang') });
  await api('GET', `/lookup/${slug}`, { headers, query: query('getLookup', 'lang') });
  const { text } = await api('GET', `${page}/claim`, { headers, query: query('getClaimForm', 'lang') });
  const formKey = formKeyIn(text);
  const photo = { bytes: wholeImages.jpeg, filename: `${words.at('sendClaimForm filename')}.jpg` };
  const fields = noted(person, 'sendClaimForm', {
    form_key: formKey,
    reason: 'damage',
    description: words.at('sendClaimForm description'),
    tracking_number: parcel,
  });
  const form = multipart(...Object.entries(fields), ['images', photo]);
  const inForm = query('sendClaimForm', 'lang');
  mustSucceed('sendClaimForm', await api('POST', `${page}/claim`, { ...form, query: inForm, staysHere: true }));
  const { body: facts } = await api('GET', `/v1/tracking/${page.split('/').at(-1)}`);
  const message = noted(person, 'sendMessageForm', {
    form_key: formKeyIn((await api('GET', page)).text),
    text: words.at('sendMessageForm text'),
  });
  const other = { bytes: wholeImages.jpeg, filename: `${words.at('sendMessageForm filename')}.jpg` };
  mustSucceed(
    'sendMessageForm',
    await api('POST', `${page}/claims/${facts.claims[0].uuid}/messages`, {
      ...multipart(...Object.entries(message), ['images', other]),
      query: query('sendMessageForm', 'lang'),
      staysHere: true,
    }),
  );
  const known = noted(person, 'sendLookup', { order_number: numbers[0]!, email_or_postcode: email });
  const body = new URLSearchParams(known).toString();
  const asForm = { headers: urlEncoded, body, staysHere: true };
  mustSucceed('sendLookup', await api('POST', `/lookup/${slug}`, { ...asForm, query: query('sendLookup', 'lang') }));
}

const formKeyIn = (page: string): string => /name="form_key" value="([^"]+)"/.exec(page)?.[1] ?? '';

/** What a customer says about a parcel that has arrived. */
async function rateDelivery({ api, key, slug }: CanaryShop, person: Person, page: string, parcel: string) {
  const { words } = person;
  const body = { id: parcel, event_name: 'SUCCESSFULLY_DELIVERED' };
  mustSucceed('createShipmentEvent', await api('POST', `/v1/shops/${slug}/shipment-events`, { key, body }));
  const fields = noted(person, 'sendRating', {
    form_key: formKeyIn((await api('GET', page)).text),
    stars: '4',
    text: words.at('sendRating text'),
    parcel,
  });
  const query = noted(person, 'sendRating', { lang: words.at('sendRating lang') });
  const form = multipart(...Object.entries(fields));
  mustSucceed('sendRating', await api('POST', `${page}/rating`, { ...form, query, staysHere: true }));
}

/** What a customer declares about an order. The acknowledgement goes to an address that does not exist. */
async function withdraw({ api }: CanaryShop, person: Person, page: string): Promise<void> {
  const { words } = person;
  const query = (operation: string) => noted(person, operation, { lang: words.at(`${operation} lang`) });
  const { text } = await api('GET', `${page}/withdrawal`, { query: query('getWithdrawalForm') });
  const items = [...text.matchAll(/name="items" value="([^"]+)"/g)].map(([, value]) => value!);
  const fields = noted(person, 'sendWithdrawalForm', {
    form_key: formKeyIn(text),
    name: words.at('sendWithdrawalForm name'),
    email_id: `bounce+${words.at('sendWithdrawalForm email_id')}@simulator.amazonses.com`,
  });
  const form = new URLSearchParams(fields);
  for (const item of items) form.append('items', item);
  const sent = await api('POST', `${page}/withdrawal`, {
    ...{ headers: urlEncoded, body: form.toString(), staysHere: true },
    query: query('sendWithdrawalForm'),
  });
  mustSucceed('sendWithdrawalForm', sent);
}

/** The customer wants no e-mails, and then wants them again: so it is not for that reason that none comes after an erasure. */
async function changeSubscription({ api, unsubscribePage }: CanaryShop, person: Person): Promise<void> {
  const { words, email } = person;
  const page = await unsubscribePage(email);
  const query = (operation: string) => noted(person, operation, { lang: words.at(`${operation} lang`) });
  mustSucceed('getUnsubscribePage', await api('GET', page, { query: query('getUnsubscribePage') }));
  for (const emails of ['off', 'on']) {
    const form = { headers: urlEncoded, body: `emails=${emails}`, query: query('sendUnsubscribe') };
    mustSucceed('sendUnsubscribe', await api('POST', page, form));
  }
}

const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' };

/** Searches that the service remembers, because their next page begins somewhere. */
async function lookAt({ api, key, slug }: CanaryShop, person: Person): Promise<void> {
  const { email, orders, words, trackingNumbers } = person;
  const path = `/v1/shops/${slug}`;
  const wordAt = (place: string) => words.all.findLast((word) => word.place === place)!.text;
  const search = (operation: string, rest: string, query: Record<string, string>) =>
    api('GET', path + rest, { key, query: { ...noted(person, operation, query), per_page: 1 } });
  const ofOrders = {
    email_id: email,
    zip_code: wordAt('updateOrder address.zip_code'),
    order_number: person.numbers[0]!,
    external_id: wordAt('upsertOrder order.external_id'),
    order_name: wordAt('upsertOrder order.order_name'),
  };
  for (const [name, value] of Object.entries(ofOrders)) await search('searchOrders', '/orders', { [name]: value });
  await search('searchOrders', '/orders', {});
  for (const q of [email, wordAt('upsertOrder address.name')]) await search('search', '/search', { q });
  await search('searchShipments', '/shipments', { tracking_number: trackingNumbers[0]! });
  await search('detectCarrier', '/carrier-detection', {
    tracking_number: trackingNumbers[0]!,
    tracking_company: words.at('detectCarrier tracking_company'),
  });
  await api('GET', `${path}/orders/${orders[0]}/timeline`, { key });
}

function mustSucceed(what: string, answer: Answer): Answer {
  if (answer.status >= 400) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 1000)}`);
  return answer;
}
