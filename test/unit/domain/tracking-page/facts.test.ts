import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trackingView } from '#api/pages/views/tracking-view.ts';
import type { Order, OrderWithShipments, Shipment } from '#domain/orders/model.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { newShipment } from '#domain/orders/shipment-rules.ts';
import type { Storefront } from '#domain/pages/storefront.ts';
import type { CampaignRecord } from '#domain/promotions/campaign.ts';
import { toPageSettings, toPalette } from '#domain/settings/page-settings.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { type PageSources, toTrackingPage } from '#domain/tracking-page/facts.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { addressTexts, pageContentLimits } from '#schemas/catalogues/limits.ts';
import {
  type Direction,
  type ShipmentEventName,
  shipmentEventNames,
  shipmentEvents,
} from '#schemas/catalogues/shipment-events.ts';
import type { Pickup } from '#schemas/shapes/order-shapes.ts';
import { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { validatorOf } from '#test/kit/validators.ts';

const now = new Date('2026-11-15T12:00:00Z');
const at = (hour: number) => new Date(now.getTime() + hour * 3_600_000).toISOString();
const reader = { language: 'en', texts: await loadTexts('en'), serviceUrl: 'https://service.example', now } as const;

const storefront: Storefront = {
  shop: { uuid: '', name: 'Blue', language: 'en', logo_url: null, shop_url: null, service_url: null, faq_url: null },
  palette: toPalette({}),
  settings: toPageSettings({}),
  showsProducts: true,
  deals: [],
  announcements: [],
  promotions: null,
};

const order = newOrder(newOrderId(now), { order_number: '1', expected_number_of_shipments: 0 }, now);

function parcel(slot: number, names: ShipmentEventName[], fields: Partial<Shipment> = {}): Shipment {
  const { direction = 'merchant_customer' as Direction } = fields;
  const events = names.map((event_name, i) => ({ event_name, time: at(i) }));
  return { ...newShipment(order, slot, direction, at(0)), tracking_number: `T${slot}`, events, ...fields };
}

const sources = (fullOrder: OrderWithShipments, fields: Partial<PageSources> = {}): PageSources => ({
  token: 'r5kT0xw2QmS8vYb1eJ7uNg',
  fullOrder,
  claims: [],
  storefront,
  promotion: undefined,
  ...fields,
});

const factsOf = (shipments: Shipment[], of: Partial<Order> = {}, fields: Partial<PageSources> = {}) =>
  toTrackingPage(sources({ order: { ...order, ...of }, shipments }, fields), reader);

describe('parcels', () => {
  test('come in the order of their urgency: attention, under way, returns, arrived', () => {
    const named = (is: (event: (typeof shipmentEvents)[ShipmentEventName]) => boolean) =>
      shipmentEventNames.find((name) => is(shipmentEvents[name]))!;
    const shipments = [
      parcel(1, ['SUCCESSFULLY_DELIVERED']),
      parcel(2, ['ORDER_PROCESSED'], { direction: 'customer_merchant' }),
      parcel(3, ['SHIPMENT_EN_ROUTE']),
      parcel(4, [named(({ phase }) => phase === 'collect')]),
      parcel(5, ['ORDER_PROCESSED']),
      parcel(6, [named(({ phase, flag }) => phase === 'in_transit' && flag === 'delay')]),
      parcel(7, [named(({ phase }) => phase === 'delivery_failed')]),
    ];
    const { parcels } = factsOf(shipments);
    expect(parcels.map(({ tracking_number }) => tracking_number)).toEqual(['T4', 'T6', 'T7', 'T3', 'T5', 'T2', 'T1']);
    // Their numbers do not follow: a customer may have noted one.
    expect(parcels.map(({ number }) => number)).toEqual([3, 5, 6, 2, 4, 1, 1]);
  });

  test('have the clock of the customer’s country where no place of the journey is known', () => {
    const zonesOf = (shipment: Shipment, country_code: string) =>
      factsOf([shipment], { address: { country_code } }).parcels[0]!.events.map(({ timezone }) => timezone);
    expect(zonesOf(parcel(1, ['ORDER_PROCESSED', 'SHIPMENT_EN_ROUTE']), 'at')).toEqual([
      'Europe/Vienna',
      'Europe/Vienna',
    ]);
    expect(zonesOf(parcel(1, ['ORDER_PROCESSED']), 'US')).toEqual([null]);
    const scan = { event_name: 'SHIPMENT_EN_ROUTE' as const, time: at(1), timezone: 'Europe/London' };
    expect(zonesOf({ ...parcel(1, []), events: [{ event_name: 'ORDER_PROCESSED', time: at(0) }, scan] }, 'DE')).toEqual(
      ['Europe/London', null],
    );
  });

  test('have their events newest first, with city and country alone', () => {
    const events = [
      { event_name: 'ORDER_PROCESSED' as const, time: at(1) },
      {
        event_name: 'SHIPMENT_EN_ROUTE' as const,
        time: at(2),
        timezone: 'Europe/Berlin',
        location: { city: 'Leipzig', country_code: 'DE', line1: 'Secret street 1', zip: '04103' },
        additional_info: { mail_message: 'Dear Ada' },
      },
    ];
    const [shown] = factsOf([parcel(1, [], { events })]).parcels;
    expect(shown!.events.map(({ event_name }) => event_name)).toEqual(['SHIPMENT_EN_ROUTE', 'ORDER_PROCESSED']);
    expect(shown!.events[0]).toMatchObject({
      timezone: 'Europe/Berlin',
      location: { city: 'Leipzig', country_code: 'DE' },
    });
    expect(JSON.stringify(shown)).not.toMatch(/Secret|04103|Ada/);
  });

  test('keep their answer, their collection point and its last day after a remark, which the journey shows', async () => {
    const pickup = { type: 'parcel_shop', name: 'Kiosk', date_to: at(100) };
    const waiting: ShipmentEventName[] = ['ORDER_PROCESSED', 'ARRIVED_AT_PARCEL_SHOP'];
    const before = factsOf([parcel(1, waiting, { pickup })]);
    const after = factsOf([parcel(1, [...waiting, 'NOTIFICATION_SENT_TO_RECIPIENT', 'PATCHED'], { pickup })]);
    const answer = ({ parcels: [shown] }: TrackingPage) => ({ ...shown!, events: [] });
    expect(answer(after)).toEqual(answer(before));
    expect(answer(after)).toMatchObject({ phase: 'collect', pickup: { name: 'Kiosk', date_to: at(100) } });
    expect(after.parcels[0]!.events[0]).toMatchObject({ event_name: 'PATCHED', phase: 'in_transit' });
    const context = { language: 'en', texts: await loadPageTexts('en'), now } as const;
    const [wasShown, shown] = [before, after].map(
      (page) => trackingView(page, context).content.split('<section class="stack">')[0]!,
    );
    const withoutTime = (page: string) => page.replace(/Latest news: [^<]+/, '');
    expect(withoutTime(shown!)).toBe(withoutTime(wasShown!));
    // The news is that of the journey below it.
    expect(wasShown).toContain('Latest news: Today, 13:00');
    expect(shown).toContain('Latest news: Today, 15:00');
  });

  test('have the zone of an event, or else that of its place', () => {
    const event = { event_name: 'SHIPMENT_EN_ROUTE' as const, time: at(0) };
    const location = { city: 'Lisboa', timezone: 'Europe/Lisbon' };
    const events = [
      { ...event, timezone: 'Europe/Berlin', location },
      { ...event, timezone: '', location },
      { ...event, timezone: '' },
    ];
    const [shown] = factsOf([parcel(1, [], { events })]).parcels;
    expect(shown!.events.map(({ timezone }) => timezone)).toEqual([null, 'Europe/Lisbon', 'Europe/Berlin']);
  });

  test.each([
    ['//cdn.shop.example/a.jpg', 'https://cdn.shop.example/a.jpg', 'https://cdn.shop.example/a.jpg'],
    ['tel:+49301234', null, 'tel:+49301234'],
    ['a.jpg', null, null],
    ['ftp://shop.example/a.jpg', null, null],
    ['javascript:alert(1)', null, null],
  ])('show the link %j as the picture %j and as the link %j', (given, picture, link) => {
    const shipment = parcel(1, ['ORDER_PROCESSED'], { tracking_url: given });
    const [shown] = factsOf([shipment], { products: [{ title: 'A', images: [{ src: given }] }] }).parcels;
    expect([shown!.products[0]!.image_url, shown!.carrier.tracking_url]).toEqual([picture, link]);
  });

  test('have the products of the order unless they have their own, or the shop shows none', () => {
    const product = { title: 'Shirt', price: 9.99, images: [{ alt: 'x' }, { src: 'https://shop.example/a.jpg' }] };
    const shipments = [parcel(1, ['ORDER_PROCESSED']), parcel(2, ['ORDER_PROCESSED'], { products: [] })];
    const shown = factsOf(shipments, { products: [product] }).parcels;
    expect(shown.map(({ products }) => products)).toEqual([
      [
        {
          title: 'Shirt',
          variant_title: null,
          quantity: 1,
          sku: null,
          image_url: 'https://shop.example/a.jpg',
        },
      ],
      [],
    ]);
    const settings = { ...storefront.settings, show_products: false };
    const hidden = factsOf(shipments, { products: [product] }, { storefront: { ...storefront, settings } });
    expect(hidden.parcels.flatMap(({ products }) => products)).toEqual([]);
  });

  test('have our estimate where the carrier has none, unless the shop does not show it', () => {
    const prediction = { since: '2026-11-13', window: '3-5', first: '3-5', bands: '' };
    const events = [
      { event_name: 'SHIPMENT_EN_ROUTE' as const, time: at(-2), timezone: 'Asia/Shanghai' },
      { event_name: 'SHIPMENT_UPDATED_ETA' as const, time: at(-1), predicted: true as const },
    ];
    const shown = (fields: Partial<Shipment>, change: Partial<Storefront['settings']> = {}) => {
      const settings = { ...storefront.settings, ...change };
      const shipment = parcel(1, [], { events, country: 'DE', prediction, ...fields });
      return factsOf([shipment], {}, { storefront: { ...storefront, settings } }).parcels[0]!;
    };
    const ours = { from: '2026-11-16T00:00:00+01:00', to: '2026-11-18T23:59:59+01:00', source: 'prediction' };
    const names = (one: TrackingPage['parcels'][number]) => one.events.map(({ event_name }) => event_name);
    expect(shown({}).estimated_arrival).toMatchObject(ours);
    expect(names(shown({}))).toEqual(['SHIPMENT_UPDATED_ETA', 'SHIPMENT_EN_ROUTE']);
    // A view of the storefront that the release before this one stored.
    expect(shown({}, { show_predictions: undefined as never }).estimated_arrival).toMatchObject(ours);
    const off = { show_predictions: false };
    expect(shown({}, off).estimated_arrival).toBeNull();
    expect(names(shown({}, off))).toEqual(['SHIPMENT_EN_ROUTE']);
    // What the carrier says, and what it changes.
    const expected_delivery = { start: null, end: at(48), source: 'carrier' };
    expect(shown({ expected_delivery }, off).estimated_arrival).toMatchObject({ to: at(48), source: 'carrier' });
    const told = events.map(({ event_name, time }) => ({ event_name, time }));
    expect(names(shown({ events: told }, off))).toEqual(['SHIPMENT_UPDATED_ETA', 'SHIPMENT_EN_ROUTE']);
  });

  test('keep our estimate after a failed attempt, because it knows of that', () => {
    const prediction = { since: '2026-11-13', window: '3-5', bands: '' };
    const names: ShipmentEventName[] = ['SHIPMENT_EN_ROUTE', 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME'];
    const forecast_by = { event_name: names[0]!, time: at(0) };
    const fields = { country: 'DE', forecast_by, expected_delivery: { start: null, end: null } };
    const estimate = (more: Partial<Shipment>) => factsOf([parcel(1, names, { ...fields, ...more })]).parcels[0]!;
    expect(estimate({ prediction }).estimated_arrival).toMatchObject({ source: 'prediction' });
    expect(estimate({ expected_delivery: { start: null, end: at(48) } }).estimated_arrival).toBeNull();
  });

  test('of a split order have their own products, and only the first that has none has those of the order', () => {
    const titled = (title: string) => ({ title });
    const shipments = [
      parcel(1, ['ORDER_PROCESSED'], { products: [titled('Cup')] }),
      parcel(2, ['ORDER_PROCESSED']),
      parcel(3, ['ORDER_PROCESSED']),
      parcel(4, ['ORDER_PROCESSED'], { direction: 'customer_merchant' }),
    ];
    const shown = factsOf(shipments, { products: [titled('Cup'), titled('Shirt')] }).parcels;
    expect(shown.map(({ products, products_of }) => [products_of, ...products.map(({ title }) => title)])).toEqual([
      ['parcel', 'Cup'],
      ['order', 'Cup', 'Shirt'],
      ['parcel'],
      ['parcel'],
    ]);
  });

  test('are shown up to limits, with the newest events, so that a page stays far below what can be sent', async () => {
    const { parcels, products, events, productsOfParcel, eventsOfParcel } = pageContentLimits;
    const many = Array.from({ length: 300 }, (_, i) => ({ title: `${i}` }));
    const scans = Array.from({ length: 300 }, (_, i) => ({ event_name: 'SHIPMENT_EN_ROUTE' as const, time: at(i) }));
    const fields = { products: many, events: scans };
    const [only] = factsOf([parcel(1, [], fields)]).parcels;
    expect([only!.products.length, only!.events.length]).toEqual([productsOfParcel, eventsOfParcel]);
    expect(only!.events[0]!.time).toBe(at(299));
    const all = factsOf(
      Array.from({ length: parcels + 50 }, (_, i) => parcel(i + 1, [], fields)),
      { products: many },
    );
    expect(all.parcels).toHaveLength(parcels);
    expect(all.parcels.flatMap((one) => one.products)).toHaveLength(products);
    expect(all.parcels.flatMap((one) => one.events)).toHaveLength(events);
    const context = { language: 'en' as const, texts: await loadPageTexts('en'), now };
    for (const text of [JSON.stringify(all), trackingView(all, context).content]) {
      expect(text.length).toBeLessThan(2 * 1024 ** 2);
    }
  });

  test('wait at a place with its address, and at a neighbour without', () => {
    const pickup: Pickup = {
      type: 'parcel_shop',
      name: 'Kiosk Meier',
      address: { name: 'Ada Lovelace', phone: '0123', street: 'Hauptstr. 1', zip_code: '04103', city: 'Leipzig' },
      url: 'javascript:alert(1)',
      opening_hours: { monday: '8–20' },
      date_to: at(48),
    };
    const shownAt = (of: Pickup, ...names: ShipmentEventName[]) =>
      factsOf([parcel(1, names, { pickup: of })]).parcels[0]!.pickup;
    expect(shownAt(pickup, 'SHIPMENT_EN_ROUTE')).toEqual({
      type: 'parcel_shop',
      name: 'Kiosk Meier',
      address: ['Hauptstr. 1', '04103 Leipzig'],
      url: null,
      opening_hours: { monday: '8–20' },
      date_to: at(48),
    });
    const neighbour = {
      type: 'neighbour',
      name: null,
      address: null,
      url: null,
      opening_hours: null,
      date_to: at(48),
    };
    for (const type of ['neighbour', 'Neighbor', 'neighbour_delivery', 'AT_NEIGHBOR']) {
      expect(shownAt({ ...pickup, type }, 'SUCCESSFULLY_DELIVERED'), type).toEqual(neighbour);
      expect(shownAt({ ...pickup, type }, 'SHIPMENT_EN_ROUTE'), type).toBeNull();
    }
    for (const type of ['parcel_shop', null]) {
      expect(shownAt({ ...pickup, type }, 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR')).toEqual(neighbour);
      expect(shownAt({ ...pickup, type }, 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR', 'SHIPMENT_EN_ROUTE')).not.toMatchObject(
        {
          name: 'Kiosk Meier',
        },
      );
    }
  });

  test('say nothing about the place where they were to be collected once they have arrived', () => {
    const pickup: Pickup = { type: 'parcel_shop', name: 'Kiosk Meier' };
    const shown = factsOf([
      parcel(1, ['SUCCESSFULLY_DELIVERED'], { pickup }),
      parcel(2, ['ORDER_PROCESSED'], { pickup, direction: 'customer_merchant' }),
    ]);
    expect(shown.parcels.map((one) => one.pickup)).toEqual([null, null]);
  });
});

test('the link of a claim is there only if the order has a parcel and the shop takes claims on its pages', () => {
  const settings = { ...storefront.settings, claims_enabled: false };
  const parcels = [parcel(1, ['SUCCESSFULLY_DELIVERED'])];
  expect(factsOf(parcels).links.claim_url).toBe('https://service.example/t/r5kT0xw2QmS8vYb1eJ7uNg/claim');
  expect(factsOf(parcels, {}, { storefront: { ...storefront, settings } }).links.claim_url).toBeNull();
  expect(factsOf([]).links.claim_url).toBeNull();
});

/** Texts that nothing but a personal field can have brought there. */
const personal = () => fc.stringMatching(/^[a-z]{6}$/).map((text) => `PERSONAL-${text}`);
const price = () => fc.integer({ min: 0, max: 999_999 }).map((cents) => 7_000_000_000 + cents);
const personalAddress = () =>
  fc.record(Object.fromEntries(Object.keys(addressTexts).map((name) => [name, personal()])));
const secretInfo = () => fc.record({ mail_message: personal(), pickup_point: personal(), merchant_name: personal() });
const secretPlace = () =>
  fc.record({
    city: fc.constant('Leipzig'),
    line1: personal(),
    line2: personal(),
    full: personal(),
    formatted_address: personal(),
    place: personal(),
    postal_code: personal(),
    zip: personal(),
  });

const anyEvent = () =>
  fc.record({
    event_name: fc.constantFrom(...shipmentEventNames),
    time: fc.integer({ min: 0, max: 99 }).map(at),
    location: secretPlace(),
    additional_info: secretInfo(),
    external_id: personal(),
  });

const anyParcel = () =>
  fc
    .record({
      slot: fc.integer({ min: 1, max: 50 }),
      direction: fc.constantFrom<Direction>('merchant_customer', 'customer_merchant'),
      events: fc.array(anyEvent(), { minLength: 1, maxLength: 4 }),
      external_shipment_id: personal(),
      pickup: fc.record({
        type: fc.constantFrom('neighbour', 'NEIGHBOR', 'neighbour_delivery'),
        name: personal(),
        address: personalAddress(),
        url: personal(),
        opening_hours: fc.record({ monday: personal() }),
      }),
      products: fc.array(fc.record({ title: fc.constant('Shirt'), price: price(), product_id: personal() })),
    })
    .map(({ slot, ...fields }) => ({ ...parcel(slot, []), ...fields }) as Shipment);

const anyOrder = () =>
  fc
    .record({
      email_id: personal(),
      external_customer_id: personal(),
      external_id: personal(),
      order_name: personal(),
      order_status_url: personal(),
      user_agent: personal(),
      address: personalAddress(),
      segments: fc.array(personal()),
      total_order_price: price(),
      shipping_price: price(),
      sub_total_price: price(),
      discount_price: price(),
      page_token: personal(),
      discounts: fc.array(fc.record({ code: personal(), amount: personal() })),
      order_analytics: fc.record({ landing_url: personal(), note: personal() }),
    })
    .map((fields) => ({ ...order, ...fields }) as unknown as Order);

const validates = validatorOf(TrackingPage);

test('nothing personal, no price and no id of the order or a parcel is among the facts, whatever they are made from', async () => {
  const texts = new Map(
    await Promise.all(languages.map(async (language) => [language, await loadTexts(language)] as const)),
  );
  fc.assert(
    fc.property(
      anyOrder(),
      fc.array(anyParcel(), { maxLength: 4 }),
      fc.constantFrom(...languages),
      (of, shipments, language) => {
        const facts = toTrackingPage(sources({ order: of, shipments }), {
          ...reader,
          language,
          texts: texts.get(language)!,
        });
        const text = JSON.stringify(facts);
        expect(text).not.toMatch(/PERSONAL|7000\d{6}/);
        expect(text).not.toContain(order.uuid.slice(0, -3));
        expect(validates(facts)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('a promotion has its own code or that of its discount, and a link only if it leads somewhere', () => {
  const properties = {
    title: 'T',
    subtitle: null,
    cta_label: null,
    cta_url: null,
    image_url: null,
    discount_code: null,
  };
  const campaign = {
    uuid: '01930000-0000-7000-8000-00000000000a',
    promotion_properties: { ...properties, translations: [], products: [] },
  } as unknown as CampaignRecord;
  const promotion = { campaign, discount_code: 'SAVE', testId: undefined };
  expect(factsOf([], {}, { promotion }).promotion).toMatchObject({ title: 'T', discount_code: 'SAVE', url: null });
});
