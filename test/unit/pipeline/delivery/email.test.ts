import { gzipSync } from 'node:zlib';
import { KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { newDelivery } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import { type Delivery, nextAttemptAt } from '#domain/deliveries/delivery-rules.ts';
import { restart } from '#domain/deliveries/delivery-store.ts';
import { addressHash } from '#domain/emails/address-hash.ts';
import { readMailState, reserveMail } from '#domain/emails/mail-state-store.ts';
import { suppress } from '#domain/emails/suppression-store.ts';
import { readUnsubscribeToken } from '#domain/emails/unsubscribe-token.ts';
import { type Order, type Shipment, slotOf } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { pageReferenceItem } from '#domain/orders/tracking-page.ts';
import { destinationOf } from '#pipeline/delivery/post.ts';
import type { MailResult, OutgoingMail } from '#platform/lazy/ses.ts';
import { knownDataKeys } from '#platform/secrets/data-key.ts';
import { keyOf } from '#platform/table/keys.ts';
import { groupOf, refOf, type ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { claimId, claimOf, parcel } from '#test/kit/claims.ts';
import { DeliverySimulation } from '#test/kit/delivery-simulation.ts';
import { fakeKms } from '#test/kit/fake-kms.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { stored } from '#test/kit/stored-deliveries.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';

const slug = 'blue';
const pageToken = 'AAAAAAAAAAAAAAAAAAAAAA';
const happenedAt = '2026-11-14T11:00:00.000Z';
const kms = mockClient(KMSClient);

const order: Order = {
  ...parcel.order,
  page_token: pageToken,
  email_id: 'Erika@Example.com',
  drafts: [],
  shipments: [slotOf(parcel.shipment.uuid)],
};

const happened = (...events: [ShipmentEventName, time?: string][]): Shipment => ({
  ...parcel.shipment,
  events: events.map(([event_name, time = happenedAt]) => ({ event_name, time })),
});

const moving = happened(['SHIPMENT_EN_ROUTE']);

interface Given {
  order?: Partial<Order>;
  shipment?: Shipment;
  emails?: object;
  items?: object[];
}

function holds({ order: more = {}, shipment = moving, emails = { enabled: true }, items = [] }: Given = {}): void {
  const whole = { ...order, ...more };
  tableWith(
    shopItem(slug, { name: 'Blue & Sons', language: 'de' }),
    { ...keyOf.settings(slug), version: 1, emails },
    orderItem(slug, whole, 1),
    shipmentItem(slug, shipment, 1),
    pageReferenceItem(pageToken, slug, whole),
    ...items,
  );
}

/** As fan-out makes it. */
function deliveryOf(event_name: ShipmentEventName, more: Partial<Delivery> = {}): Delivery {
  const subject_id = parcel.shipment.uuid;
  const source = {
    event_id: `event of ${event_name}`,
    subject_id,
    ref: refOf(event_name, 'merchant_customer'),
    event_group: groupOf(event_name, 'merchant_customer'),
    triggered_at: happenedAt,
    shop_slug: slug,
    mail: { order_id: order.uuid, subject_id, time: happenedAt },
  };
  return { ...newDelivery(source, { id: 'email', kind: 'email' }, new Date(happenedAt), 0), ...more };
}

class Mailing extends DeliverySimulation {
  readonly mails: OutgoingMail[];
  result: (count: number) => MailResult | Promise<MailResult> = (count) => ({ messageId: `message-${count}` });

  constructor() {
    const mails: OutgoingMail[] = [];
    super({
      destinationOf,
      sendMail: async (mail) => {
        mails.push(mail);
        return this.result(mails.length);
      },
    });
    this.mails = mails;
  }

  start(...deliveries: Delivery[]): this {
    const body = gzipSync('{}\n{}');
    for (const delivery of deliveries) {
      memoryTable.put(payloadItem(delivery, { body }));
      this.sendFirst(delivery);
    }
    return this;
  }
}

beforeEach(() => {
  Object.assign(process.env, { EMAIL_FROM: 'post@shops.example', PUBLIC_URL: 'https://service.example' });
  fakeKms(kms);
  knownDataKeys.clear();
});

const inTransit = deliveryOf('SHIPMENT_EN_ROUTE');
const place = { slug, orderId: order.uuid };

describe('an e-mail', () => {
  it('is sent in the language of the shop, with the names of shop, delivery and order', async () => {
    holds();
    const mailing = new Mailing().start(inTransit);
    await mailing.run();
    expect(mailing.mails).toHaveLength(1);
    expect(mailing.mails[0]).toMatchObject({
      fromName: 'Blue & Sons',
      to: 'Erika@Example.com',
      replyTo: null,
      tags: { shop: slug, delivery: inTransit.id, order: order.uuid },
    });
    expect(mailing.mails[0]!.html).toContain(`https://service.example/t/${pageToken}`);
    const { status, attempts, attempt_count } = stored(inTransit);
    expect({ status, attempt_count }).toEqual({ status: 'delivered', attempt_count: 1 });
    expect(JSON.parse(attempts[0]!.response!)).toEqual({ message_id: 'message-1', language: 'de' });
    expect(JSON.stringify(attempts)).not.toMatch(/erika/i);
  });

  it('has a link that ends e-mails with one click', async () => {
    holds({ emails: { enabled: true, sender_name: 'Team Blue', reply_to: 'help@blue.example' } });
    const mailing = new Mailing().start(inTransit);
    await mailing.run();
    const { headers, fromName, replyTo } = mailing.mails[0]!;
    expect({ fromName, replyTo }).toEqual({ fromName: 'Team Blue', replyTo: 'help@blue.example' });
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const token = headers['List-Unsubscribe']!.slice('<https://service.example/u/'.length, -1);
    const hash = await addressHash(slug, 'erika@example.com');
    expect(await readUnsubscribeToken(token)).toEqual({ slug, pageToken, addressHash: hash });
  });

  it.each<[string, Given]>([
    ['switched_off', { emails: { enabled: false } }],
    ['switched_off', { emails: { enabled: true, groups: { shipment_in_transit: false } } }],
    ['no_address', { order: { email_id: undefined as never } }],
    ['no_address', { order: { email_id: 'nobody' } }],
    ['earlier_than_sent', { shipment: happened(['SHIPMENT_EN_ROUTE'], ['SUCCESSFULLY_DELIVERED']) }],
  ])('is not sent: %s', async (reason, given) => {
    holds(given);
    const mailing = new Mailing().start(inTransit);
    await mailing.run();
    expect(mailing.mails).toEqual([]);
    expect(stored(inTransit)).toMatchObject({ status: 'skipped', reason, attempts: [], attempt_count: 0 });
  });

  it('is not sent to an address that is suppressed, however it is written', async () => {
    holds();
    await suppress({
      slug,
      id: await addressHash(slug, 'ERIKA@example.com'),
      reason: 'bounce',
      at: happenedAt,
      order_id: 'x',
    });
    const mailing = new Mailing().start(inTransit);
    await mailing.run();
    expect(stored(inTransit)).toMatchObject({ status: 'skipped', reason: 'suppressed' });
  });

  it('is not sent after a day in which nothing could be sent', async () => {
    holds();
    const mailing = new Mailing();
    mailing.later(25 * 60);
    await mailing.start(inTransit).run();
    expect(stored(inTransit)).toMatchObject({ status: 'skipped', reason: 'stale' });
  });

  it.each([
    [undefined, 'skipped'],
    [true as const, 'delivered'],
  ])('of a simulation that says emails: %s is %s', async (simulation_emails, status) => {
    const simulation_id = '01930000-0000-7000-8000-0000000000aa';
    const more = { simulation_id, ...(simulation_emails && { simulation_emails }) };
    holds({ order: more, items: [{ ...keyOf.simulation(slug, simulation_id), version: 1, document: clock }] });
    const mailing = new Mailing().start({ ...inTransit, simulation_id });
    await mailing.run();
    expect(stored(inTransit).status).toBe(status);
  });

  it('of an order that is gone is cancelled', async () => {
    holds();
    memoryTable.remove(keyOf.order(slug, order.uuid));
    await new Mailing().start(inTransit).run();
    expect(stored(inTransit)).toMatchObject({ status: 'cancelled', attempts: [{ error: 'nothing_to_tell' }] });
  });

  it('is cancelled where the deployment names no sender', async () => {
    holds();
    delete process.env.EMAIL_FROM;
    await new Mailing().start(inTransit).run();
    expect(stored(inTransit).status).toBe('cancelled');
  });
});

const clock = await packedClock();

async function packedClock() {
  const { pack } = await import('#domain/orders/order-items.ts');
  return pack({ clock: '2026-11-20T12:00:00.000Z' });
}

describe('of several e-mails about a parcel', () => {
  const out = deliveryOf('OUT_FOR_DELIVERY');
  const arrived = deliveryOf('SUCCESSFULLY_DELIVERED');
  const all = happened(['SHIPMENT_EN_ROUTE'], ['OUT_FOR_DELIVERY'], ['SUCCESSFULLY_DELIVERED']);

  it('only the newest is sent if they come at once, in whatever order', async () => {
    holds({ shipment: all });
    const mailing = new Mailing().start(arrived, inTransit, out);
    await mailing.run();
    expect(mailing.mails).toHaveLength(1);
    expect([inTransit, out, arrived].map((one) => stored(one).status)).toEqual(['skipped', 'skipped', 'delivered']);
  });

  it('a later one waits until it is settled that the one before it was sent', async () => {
    holds({ shipment: happened(['SHIPMENT_EN_ROUTE']) });
    const mailing = new Mailing().start(inTransit);
    await mailing.poll();
    memoryTable.put(shipmentItem(slug, all, 2));
    const since = mailing.time;
    await mailing.start(arrived).run();
    expect(mailing.mails).toHaveLength(2);
    expect(mailing.time - since).toBe(20_000);
  });

  it('one that comes twice is sent once', async () => {
    holds();
    const mailing = new Mailing().start(inTransit);
    mailing.sendFirst(inTransit);
    await mailing.run();
    mailing.sendFirst(inTransit);
    await mailing.run();
    expect(mailing.mails).toHaveLength(1);
  });
});

describe('when the worker dies', () => {
  it('between the record and SES, the mail is not sent and the log says that nobody knows', async () => {
    holds();
    const mailing = new Mailing();
    const candidate = {
      kind: 'parcel' as const,
      delivery_id: inTransit.id,
      subject: parcel.shipment.uuid,
      name: 'shipment_in_transit',
      step: 2,
      group: 'shipment_in_transit' as const,
      time: happenedAt,
    };
    await reserveMail(place, await readMailState(place), candidate, new Date(mailing.time));
    await mailing.start(inTransit).run();
    expect(mailing.mails).toEqual([]);
    expect(stored(inTransit)).toMatchObject({ status: 'failed', attempts: [{ error: 'outcome_unknown' }] });
  });

  it('after SES took the mail, it is not sent again', async () => {
    holds();
    const mailing = new Mailing();
    mailing.result = () => {
      throw new Error('killed');
    };
    await mailing.start(inTransit).run();
    expect(mailing.mails).toHaveLength(1);
    expect(stored(inTransit)).toMatchObject({ status: 'failed', attempts: [{ error: 'outcome_unknown' }] });
  });
});

describe('what SES answers', () => {
  it('a refusal that may pass is tried again', async () => {
    holds();
    const mailing = new Mailing();
    mailing.result = (count) => (count < 3 ? { error: 'sending_paused' } : { messageId: 'at last' });
    await mailing.start(inTransit).poll();
    expect(stored(inTransit)).toMatchObject({ status: 'pending', attempts: [{ error: 'sending_paused' }] });
    expect(nextAttemptAt(stored(inTransit))).not.toBeNull();
    await mailing.run();
    expect(mailing.mails).toHaveLength(3);
    expect(stored(inTransit)).toMatchObject({ status: 'delivered', attempt_count: 3 });
    expect((await readMailState(place)).mails).toHaveLength(1);
  });

  it('a final refusal ends it, and nothing counts as mailed', async () => {
    holds();
    const mailing = new Mailing();
    mailing.result = () => ({ error: 'message_rejected', isFinal: true });
    await mailing.start(inTransit).run();
    expect(stored(inTransit)).toMatchObject({ status: 'failed', attempts: [{ error: 'message_rejected' }] });
    expect((await readMailState(place)).mails).toEqual([]);
  });

  it('that it is too much makes it wait, without an attempt', async () => {
    holds();
    const mailing = new Mailing();
    mailing.result = (count) => (count === 1 ? { error: 'throttled', isThrottled: true } : { messageId: 'x' });
    await mailing.start(inTransit).run();
    expect(mailing.mails).toHaveLength(2);
    expect(stored(inTransit)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  it('nothing that is certain ends it, and the circuit counts that', async () => {
    holds();
    const mailing = new Mailing();
    mailing.result = () => ({ error: 'timeout', isUnknown: true });
    await mailing.start(inTransit).run();
    expect(mailing.mails).toHaveLength(1);
    expect(stored(inTransit)).toMatchObject({
      status: 'failed',
      attempts: [{ error: 'outcome_unknown', response: 'timeout' }],
    });
    expect(mailing.circuit.calls).toEqual([`failure ${inTransit.id}`]);
  });
});

describe('an e-mail that the merchant sends again', () => {
  const sendAgain = async (mailing: Mailing) => {
    mailing.later(1);
    const again = await restart(stored(inTransit), new Date(mailing.time));
    mailing.send(again);
    await mailing.run();
  };

  it('is mailed again, once', async () => {
    holds();
    const mailing = new Mailing().start(inTransit);
    await mailing.run();
    await sendAgain(mailing);
    expect(mailing.mails).toHaveLength(2);
    expect(stored(inTransit).status).toBe('delivered');
  });

  it('is mailed although it was skipped, and is no longer called so', async () => {
    holds({ emails: { enabled: false } });
    const mailing = new Mailing().start(inTransit);
    await mailing.run();
    expect(stored(inTransit).reason).toBe('switched_off');
    await sendAgain(mailing);
    expect(mailing.mails).toHaveLength(1);
    expect(stored(inTransit)).toMatchObject({ status: 'delivered' });
    expect(stored(inTransit).reason).toBeUndefined();
  });

  it('never goes to an address that complained', async () => {
    holds();
    const mailing = new Mailing().start(inTransit);
    await mailing.run();
    const id = await addressHash(slug, order.email_id!);
    await suppress({ slug, id, reason: 'complaint', at: happenedAt, order_id: order.uuid });
    await sendAgain(mailing);
    expect(mailing.mails).toHaveLength(1);
    expect(stored(inTransit)).toMatchObject({ status: 'skipped', reason: 'suppressed' });
  });
});

describe('an e-mail about a claim', () => {
  const claim = claimOf({ status: 'accepted' });
  const ofClaim = (ref: string, event_group: string, version: number, message_id?: string): Delivery => {
    const source = {
      event_id: `${ref} ${version}`,
      subject_id: claimId,
      ...{ ref, event_group, triggered_at: happenedAt, shop_slug: slug, subject_version: version },
      mail: { order_id: order.uuid, subject_id: claimId, time: happenedAt, ...(message_id && { message_id }) },
    };
    return newDelivery(source, { id: 'email', kind: 'email' }, new Date(happenedAt), 0);
  };
  const { reason, status, created_at } = claim;
  const onPage = { ...keyOf.pageClaim(pageToken, claimId), reason, status, created_at };

  it('is sent for its creation and for each update', async () => {
    holds({ items: [onPage] });
    const created = ofClaim('claims/created', 'claim_created', 1);
    const updated = [2, 3].map((version) => ofClaim('claims/updated', 'claim_updated', version));
    const mailing = new Mailing().start(created);
    await mailing.run();
    for (const one of updated) await mailing.start(one).run();
    expect(mailing.mails).toHaveLength(3);
    await mailing.start(ofClaim('claims/updated', 'claim_updated', 2)).run();
    expect(mailing.mails).toHaveLength(3);
  });

  it('brings what the shop wrote, without a link to unsubscribe', async () => {
    const message = { uuid: 'message', at: happenedAt, from: 'shop', author: 'Ada', text: 'We look into it' };
    const place = { ...keyOf.claimReference(slug, claimId), order_id: order.uuid, shipment_id: parcel.shipment.uuid };
    const item = { ...keyOf.claimMessage(slug, order.uuid, claimId, 1), ...message, image_urls: [] };
    holds({ items: [onPage, place, item] });
    const mailing = new Mailing().start(ofClaim('claims/updated', 'claim_updated', 4, 'message'));
    await mailing.run();
    expect(mailing.mails[0]!.text).toContain('We look into it');
    // What people call the key that wrote it is nothing for customers.
    expect(mailing.mails[0]!.text).not.toContain('Ada');
    expect(mailing.mails[0]!.headers).toEqual({});
  });
});

describe('the acknowledgement of a withdrawal', () => {
  const uuid = '01930000-0000-7000-8000-00000000d1d1';
  const withdrawal = {
    ...keyOf.withdrawal(slug, uuid),
    ...{ uuid, order_id: order.uuid, order_number: order.order_number, name: 'Erika', email_id: 'other@example.com' },
    items: [{ sku: null, title: 'A red lamp', quantity: 2 }],
    ...{ declared_at: happenedAt, deadline: null, status: 'declared', comment: null, history: [], version: 1 },
    based_on: { time_zone: 'Europe/Berlin', days: 14, state: 'under_way' },
  };
  const declared = newDelivery(
    {
      ...{ event_id: 'withdrawal', subject_id: uuid, ref: 'withdrawals/declared', event_group: 'withdrawal_declared' },
      ...{ triggered_at: happenedAt, shop_slug: slug, subject_version: 1 },
      mail: { order_id: order.uuid, subject_id: uuid, time: happenedAt },
    },
    { id: 'email', kind: 'email' },
    new Date(happenedAt),
    0,
  );

  it('is sent to the address that the customer named, although e-mails are off', async () => {
    holds({ emails: { enabled: false }, items: [withdrawal] });
    const mailing = new Mailing().start(declared);
    await mailing.run();
    expect(mailing.mails).toHaveLength(1);
    expect(mailing.mails[0]).toMatchObject({ to: 'other@example.com', headers: {} });
    expect(mailing.mails[0]!.text).toContain('A red lamp');
    expect(stored(declared).status).toBe('delivered');
  });

  it('is cancelled after an erasure', async () => {
    holds({ items: [{ ...withdrawal, name: null, email_id: null }] });
    const mailing = new Mailing().start(declared);
    await mailing.run();
    expect(mailing.mails).toEqual([]);
    expect(stored(declared).status).toBe('cancelled');
  });
});
