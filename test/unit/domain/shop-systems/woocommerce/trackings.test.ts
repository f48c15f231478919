import { describe, expect, test } from 'vitest';
import { isCarrierReference } from '#domain/carriers/catalogue.ts';
import { carriersNamed } from '#domain/carriers/detect.ts';
import { readWooCommerce } from '#domain/shop-systems/woocommerce/order.ts';
import { orderLimits } from '#schemas/catalogues/limits.ts';
import {
  afterShipTracking,
  officialTracking,
  wooMeta,
  wooProcessing,
  zoremTracking,
} from '#test/kit/woocommerce-payloads.ts';

const changedAt = '2026-11-12T14:05:10';

function told(meta: Record<string, unknown>, fields: Record<string, unknown> = {}, receivedAt?: Date) {
  const payload = wooProcessing({ date_modified_gmt: changedAt, meta_data: wooMeta(meta), ...fields });
  const reading = readWooCommerce(payload, 'order.updated', [], receivedAt);
  if (reading.kind !== 'order') throw new Error(`the payload is ${JSON.stringify(reading)}`);
  return reading.converted;
}

const parcels = (meta: Record<string, unknown>) => told(meta).trackings;
const numbers = (meta: Record<string, unknown>) => parcels(meta).map(({ tracking_number }) => tracking_number);
const listed = (...items: unknown[]) => ({ _wc_shipment_tracking_items: items });

describe('a parcel', () => {
  test('is read as "Shipment Tracking" of WooCommerce writes it', () => {
    expect(parcels(listed(officialTracking('00340434161094042557')))).toEqual([
      {
        tracking_number: '00340434161094042557',
        tracking_placed_at: '2026-11-12T00:00:00.000Z',
        tracking_company: 'DHL Intraship (DE)',
        carrier_reference: 'dhl',
      },
    ]);
  });

  test('is read as "Advanced Shipment Tracking" writes it, with its products', () => {
    expect(parcels(listed(zoremTracking('01405400945058')))).toEqual([
      {
        tracking_number: '01405400945058',
        tracking_placed_at: '2026-11-12T09:30:00.000Z',
        tracking_company: 'dpd-de',
        carrier_reference: 'dpd',
        products: [{ title: 'Mug', quantity: 1, price: 9.95, product_id: '22', type: 'product' }],
      },
    ]);
  });

  test('is read as AfterShip writes it, with a part of a line', () => {
    const [parcel] = parcels({ _aftership_tracking_items: [afterShipTracking('00340434161094042557')] });
    expect(parcel).toMatchObject({ tracking_company: 'dhl-germany', carrier_reference: 'dhl' });
    expect(parcel).not.toHaveProperty('tracking_placed_at');
    expect(parcel!.products).toMatchObject([{ title: 'Hoodie & Cap', quantity: 1, price: 29.99 }]);
  });

  test('has the name of the carrier that somebody typed', () => {
    const own = {
      tracking_provider: '',
      custom_tracking_provider: 'Lieferheld',
      custom_tracking_link: 'https://x/%1$s',
    };
    const [parcel] = parcels(listed(officialTracking('A1', own)));
    expect(parcel).toMatchObject({ tracking_company: 'Lieferheld' });
    expect(parcel).not.toHaveProperty('carrier_reference');
  });

  test('of other plugins may have its number alone', () => {
    expect(parcels(listed({ tracking_number: 'A1' }))).toEqual([{ tracking_number: 'A1' }]);
    expect(parcels(listed({ tracking_number: 4711 }))).toEqual([{ tracking_number: '4711' }]);
  });

  test.each([
    ['_tracking_number', { _tracking_provider: 'Royal Mail', _date_shipped: '1794475800' }, 'Royal Mail'],
    ['_tracking_number', { _tracking_provider: '', _custom_tracking_provider: 'Fahrrad' }, 'Fahrrad'],
    ['_aftership_tracking_number', { _aftership_tracking_provider_name: 'hermes-de' }, 'hermes-de'],
    ['_aftership_tracking_number', { _aftership_tracking_provider: 'swiss-post' }, 'swiss-post'],
    ['ywot_tracking_code', {}, undefined],
  ])('in a single meta field %s with %j is read too', (key, rest, tracking_company) => {
    expect(parcels({ [key]: 'A1', ...rest })).toMatchObject([
      { tracking_number: 'A1', ...(tracking_company !== undefined && { tracking_company }) },
    ]);
  });

  test('that several extensions tell is one parcel, with what each of them knows', () => {
    const meta = {
      _aftership_tracking_number: 'ab-12',
      _wc_shipment_tracking_items: [{ tracking_number: 'AB 12' }, officialTracking('AB12')],
      _aftership_tracking_items: [afterShipTracking('ab12')],
    };
    expect(parcels(meta)).toMatchObject([
      { tracking_number: 'AB 12', tracking_company: 'DHL Intraship (DE)', products: [{ title: 'Hoodie & Cap' }] },
    ]);
  });

  test('with several numbers is several parcels, of which nobody knows the products', () => {
    const shared = parcels({ _aftership_tracking_items: [afterShipTracking('A1, B2,,')] });
    expect(shared.map(({ tracking_number }) => tracking_number)).toEqual(['A1', 'B2']);
    expect(shared.filter((parcel) => 'products' in parcel)).toEqual([]);
  });
});

test('Hermes of AfterShip is not the German one', () => {
  const [parcel] = parcels({ _aftership_tracking_items: [afterShipTracking('A1', { slug: 'hermes' })] });
  expect(carriersNamed(parcel!.tracking_company)).toEqual([]);
  expect(carriersNamed('hermes')).toEqual(['hrs']);
});

describe('a list of parcels', () => {
  const items = [officialTracking('A1'), officialTracking('B2')];

  test.each<[string, unknown]>([
    ['a list', items],
    ['an object, because the list has gaps', { 0: items[0], 2: items[1] }],
    ['a text', JSON.stringify(items)],
  ])('may be %s', (_, value) => {
    expect(numbers({ _wc_shipment_tracking_items: value })).toEqual(['A1', 'B2']);
    expect(told({ _wc_shipment_tracking_items: value }).unread).toEqual([]);
  });

  test.each<unknown>(['', [], null])('that is %j has no parcel', (value) => {
    const { trackings, unread } = told({ _wc_shipment_tracking_items: value });
    expect({ trackings, unread }).toEqual({ trackings: [], unread: [] });
  });

  test.each<unknown>(['a:1:{i:0;a:1:{}}', { tracking_number: 'A1' }, 7])('that is %j is noted', (value) => {
    const { trackings, unread } = told({ _wc_shipment_tracking_items: value });
    expect({ trackings, unread }).toEqual({
      trackings: [],
      unread: [{ field: 'meta_data._wc_shipment_tracking_items' }],
    });
  });

  test('that is too long loses its first entries, and that is noted', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => officialTracking(`N${i}`));
    const most = orderLimits.trackingsInOneUpsert;
    expect(told(listed(...many(most))).unread).toEqual([]);
    const { trackings, unread, source } = told(
      { ...listed(...many(most)), _aftership_tracking_items: [afterShipTracking('n0'), afterShipTracking('last')] },
      { status: 'completed' },
    );
    expect(trackings).toHaveLength(most);
    expect([trackings.at(0), trackings.at(-1)]).toMatchObject([{ tracking_number: 'N1' }, { tracking_number: 'last' }]);
    expect(unread).toEqual([{ field: 'meta_data._wc_shipment_tracking_items.0' }]);
    expect(source.parcels).toEqual({ count: most + 1, areAll: true });
  });

  test('loses only what cannot be read', () => {
    const long = officialTracking('x'.repeat(256));
    const odd = officialTracking('B2', { date_shipped: 'soon', products_list: '' });
    const { trackings, unread } = told(listed(null, 'x', {}, officialTracking(''), long, odd));
    expect(trackings.map(({ tracking_number }) => tracking_number)).toEqual(['B2']);
    expect(unread).toEqual([
      { field: 'meta_data._wc_shipment_tracking_items.4.tracking_number' },
      { field: 'meta_data._wc_shipment_tracking_items.5.date_shipped' },
    ]);
  });
});

describe('the time at which a parcel was shipped', () => {
  const midnight = '1794441600'; // 2026-11-12T00:00:00Z
  const time = (date_shipped: unknown, receivedAt?: string, fields: Record<string, unknown> = {}) =>
    told(listed(officialTracking('A1', { date_shipped })), fields, receivedAt ? new Date(receivedAt) : undefined)
      .trackings[0]!.tracking_placed_at;

  test('is that of the webhook on the chosen day, because the day begins hours before', () => {
    expect(time(midnight, '2026-11-11T20:00:00Z')).toBeUndefined();
    expect(time(midnight, '2026-11-12T14:05:10Z')).toBeUndefined();
    expect(time(midnight, '2026-11-13T11:59:59Z')).toBeUndefined();
    expect(time(midnight, '2026-11-13T12:00:00Z')).toBe('2026-11-12T00:00:00.000Z');
    expect(time(midnight)).toBe('2026-11-12T00:00:00.000Z');
  });

  test('is exact if the extension took the time, and never in the future', () => {
    expect(time(1794475800, '2026-11-12T09:30:05Z')).toBe('2026-11-12T09:30:00.000Z');
    expect(time(1794475800, '2026-11-12T09:29:00Z')).toBeUndefined();
  });

  test('is not before the order was placed', () => {
    expect(time(1, '2026-11-30T00:00:00Z')).toBe('2026-11-10T16:15:47.000Z');
  });

  test('is the same in every state of the order, as is the text that sorts states whenever they came', () => {
    const states = [
      { status: 'processing', date_modified_gmt: '2026-11-12T10:00:00' },
      { status: 'completed', date_modified_gmt: '2026-11-12T14:05:10', date_completed_gmt: '2026-11-12T14:05:10' },
      { status: 'refunded', date_modified_gmt: '2026-11-25T08:00:00', date_completed_gmt: '2026-11-12T14:05:10' },
    ];
    for (const receivedAt of [undefined, '2026-11-12T14:05:12Z', '2026-11-26T00:00:00Z']) {
      expect(new Set(states.map((state) => time(midnight, receivedAt, state))).size).toBe(1);
    }
    const meta = listed(officialTracking('A1'));
    const asOf = (receivedAt: string) => told(meta, {}, new Date(receivedAt)).source.asOf;
    expect(asOf('2026-11-12T14:05:12Z')).toBe(asOf('2026-11-26T00:00:00Z'));
  });

  test.each<unknown>(['', 0, '0', null, undefined])('is unknown if it is %j', (value) => {
    expect(time(value)).toBeUndefined();
  });
});

test.each([
  ['_wc_shipment_tracking_items', 'tracking_provider', 'dhl-intraship-de', 'dhl'],
  ['_wc_shipment_tracking_items', 'tracking_provider', 'DPD.co.uk', 'dpduk'],
  ['_wc_shipment_tracking_items', 'tracking_provider', 'belgium-post', 'bpost'],
  ['_wc_shipment_tracking_items', 'tracking_provider', 'dhl-at', 'dhlexp'],
  ['_wc_shipment_tracking_items', 'tracking_provider', 'dhl', undefined],
  ['_aftership_tracking_items', 'slug', 'dhl', 'dhlexp'],
  ['_aftership_tracking_items', 'slug', 'deutsch-post', 'depost'],
  ['_aftership_tracking_items', 'slug', 'danmark-post', 'postnord'],
  ['_aftership_tracking_items', 'slug', 'constructor', undefined],
])('in %s the %s %s is the carrier %s', (key, name, company, reference) => {
  const [parcel] = parcels({ [key]: [{ tracking_number: 'A1', [name]: company }] });
  expect(parcel).toMatchObject({ tracking_company: company });
  expect(parcel!.carrier_reference).toBe(reference);
  expect(reference === undefined || isCarrierReference(reference)).toBe(true);
});
