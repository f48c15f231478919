import { describe, expect, test } from 'vitest';
import type { AutomationRun } from '#domain/automations/run.ts';
import type { Claim, Message } from '#domain/claims/claim-rules.ts';
import type { StoredHistoryEntry } from '#domain/claims/claim-store.ts';
import { newDelivery } from '#domain/deliveries/delivery-items.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { type Order, type Shipment, slotOf } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import {
  claimEvent,
  outboxEvents,
  outboxItem,
  type ShipmentOutboxEvent,
  type StoredEvent,
  withSnapshot,
} from '#domain/orders/outbox.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import type { Rating } from '#domain/pages/rating.ts';
import {
  disclosedClaim,
  disclosedDelivery,
  disclosedDocuments,
  disclosedEvent,
  disclosedOrder,
  disclosedRun,
} from '#domain/privacy/disclosed-order.ts';
import { receiversOf } from '#domain/privacy/erase-trail.ts';
import { tableStores } from '#domain/privacy/stores.ts';
import { personalFields } from '#platform/personal-data.ts';
import { fullOrder } from '#test/e2e/kit/orders-samples.ts';
import { claimOf, madeAt, parcel } from '#test/kit/claims.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';

const shop = shopItem('blue');
const serviceUrl = 'https://service.example';
const viewer = await viewerOf({ shop: shop as never, language: 'en', serviceUrl, now: new Date(madeAt) });

const order: Order = { ...parcel.order, ...fullOrder, listed_name: 'erika' };
const shipment: Shipment = {
  ...parcel.shipment,
  tracking_url: 'https://carrier.example/?zip=50667',
  events: parcel.shipment.events.map((event) => ({
    ...event,
    location: { city: 'Köln' },
    additional_info: { mail_message: 'At home' },
  })),
  pickup: {
    type: 'locker',
    name: 'Kiosk',
    address: 'Hauptstraße 2',
    url: 'https://kiosk.example',
    opening_hours: '9 to 5',
    date_to: null,
  } as never,
};
const happened = { event_name: 'OUT_FOR_DELIVERY' as const, time: madeAt };
const item = { sku: null, title: 'Lamp', quantity: 1, net_price: null, image_urls: ['https://images.example/1'] };
const claim = claimOf({
  description: 'It broke',
  customer_signature_image_url: 'https://images.example/2',
  selected_items: [item],
  damaged_product_items: [item],
  image_urls: ['https://images.example/3'],
  optional_image_urls: ['https://images.example/4'],
  step_user_input: [{ step_id: 'one', value: { input_type: 'text', input_value: 'My words' } }] as never,
});
const entry: StoredHistoryEntry = {
  at: madeAt,
  by: 'key',
  action: 'updated',
  changes: [{ field: 'description', from: 'It is late', to: 'It broke' }],
  comment: 'She called',
} as never;
const event: StoredEvent = { ...claimEvent('created', claim, 1, 'key'), shop_slug: 'blue' };
const source = { event_id: event.id, subject_id: claim.uuid, ref: event.ref, event_group: null, triggered_at: madeAt };
const delivery: Delivery = {
  ...newDelivery({ ...source, shop_slug: 'blue' } as never, { id: 'endpoint', kind: 'webhook' }, new Date(madeAt)),
  attempts: [
    { at: madeAt, duration_ms: 1, response: 'Hello Erika', request: { url: 'https://shop.example?e=erika', own: {} } },
  ],
};
const run = { id: 'run', automation_id: 'automation', event, expires_at: 1 } as unknown as AutomationRun;

const message: Message = {
  uuid: 'message',
  at: madeAt,
  from: 'customer',
  author: null,
  text: 'Please call me.',
  image_urls: ['https://images.example/1.jpg'],
};
const rating: Rating = { shipment_id: shipment.uuid, at: madeAt, stars: 5, text: 'Erika was happy.' };

interface Sample {
  /** A value for each of the shapes of the store, with something in every field. */
  values: readonly object[];
  shown: (values: readonly never[]) => unknown;
}

const sample = <Values extends readonly object[]>(values: Values, shown: (values: Values) => unknown): Sample => ({
  values,
  shown: shown as unknown as Sample['shown'],
});

const withdrawal = {
  name: 'Erika',
  email_id: 'erika@example.com',
  comment: 'She called',
  history: [{ at: madeAt, by: 'key', by_name: null, status: 'declared', comment: 'She called' }],
};

/** By the names of stores.ts. */
const samples: Record<string, Sample> = {
  order: sample([order, shipment] as const, ([order, shipment]) =>
    disclosedDocuments({ order, shipments: [shipment] }, viewer),
  ),
  claims: sample([claim, entry, message] as const, ([claim, entry, message]) =>
    disclosedClaim(shop as never, claim, { history: [entry], messages: [message] }, { order, shipments: [shipment] }),
  ),
  outbox: sample([event] as const, ([event]) => disclosedEvent(event)),
  deliveries: sample([delivery] as const, ([delivery]) => disclosedDelivery(delivery, undefined)),
  // It is disclosed as it is stored.
  withdrawals: sample([withdrawal] as const, ([one]) => one),
  automationRuns: sample([run, run] as const, ([, run]) => disclosedRun(run)),
  // The page has copies of claims, and ratings, which are shown as they are.
  trackingPages: sample([claim, rating] as const, ([copy, rating]: readonly [Claim, Rating]) => [
    disclosedClaim(shop as never, copy, { history: [], messages: [] }, { order, shipments: [shipment] }),
    rating,
  ]),
};

const declared = Object.entries(tableStores).flatMap(([name, declaration]) =>
  'shapes' in declaration && declaration.shapes.some((shape) => personalFields(shape).length > 0)
    ? [{ name, shapes: declaration.shapes as readonly object[] }]
    : [],
);

describe('what a declaration calls personal is in the disclosure', () => {
  test.each(declared)('of $name', ({ name, shapes }) => {
    const { values, shown } = samples[name]!;
    const words: string[] = [];
    const filled = values.map((value, i) =>
      personalFields(shapes[i]!).reduce((changed, { field }) => {
        const before = words.length;
        const next = withWords(changed, field.split('.'), words);
        expect(words.length, `the sample has no text in ${field}`).toBeGreaterThan(before);
        return next;
      }, value),
    );
    const content = JSON.stringify(shown(filled as never));
    expect(words.filter((word) => !content.includes(`"${word}"`))).toEqual([]);
  });
});

test('what only a copy of the order still says is in the disclosure once, and what the order says is not repeated', async () => {
  const events = outboxEvents('OUT_FOR_DELIVERY', [{ ...shipment, events: [happened] }], madeAt);
  const copied = (address: object, event: ShipmentOutboxEvent) =>
    withSnapshot([event], { order: { ...order, address }, shipments: [shipment] }).map((one) => outboxItem(shop, one));
  const [event] = events as [ShipmentOutboxEvent];
  tableWith(
    shop,
    orderItem('blue', { ...order, shipments: [slotOf(shipment.uuid)] }, 2),
    shipmentItem('blue', shipment, 1),
    ...copied({ city: 'Kiel' }, event),
    ...copied({ city: 'Kiel' }, { ...event, id: 'another' }),
  );
  const disclosed = await disclosedOrder(shop as never, order.uuid, await receiversOf('blue'), viewer);
  expect(disclosed!.content).toMatchObject({ earlier: [{ field: 'address', value: { city: 'Kiel' } }] });
});

/** The value with a new word in the place of each text that is below the path. */
function withWords<T>(value: T, path: readonly string[], words: string[]): T {
  if (Array.isArray(value)) return value.map((element) => withWords(element, path, words)) as T;
  const [field, ...rest] = path;
  if (field === undefined && typeof value === 'string') {
    words.push(`word-${words.length}-`);
    return words.at(-1) as T;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) =>
    field === undefined || name === field ? [name, withWords(inner, rest, words)] : [name, inner],
  );
  return Object.fromEntries(entries) as T;
}
