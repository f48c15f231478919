import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimOf, itemsOf, readClaimForm, shipmentOf } from '#api/pages/claim-form-rules.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { claimReasons, resolutionPreferences } from '#schemas/catalogues/enumerations.ts';
import { formLimits, requestLimits } from '#schemas/catalogues/limits.ts';
import type { FormField, FormFields } from '#schemas/families/operation.ts';
import type { PageParcel } from '#schemas/shapes/tracking-page.ts';

type Product = PageParcel['products'][number];

const product = (title: string, fields: Partial<Product> = {}): Product => ({
  title,
  variant_title: null,
  quantity: 1,
  sku: null,
  image_url: null,
  ...fields,
});

const parcel = (tracking_number: string | null, ...products: Product[]) =>
  ({ tracking_number, products, products_of: 'parcel' }) as unknown as PageParcel;

const shirt = product('Shirt', { sku: 'SHIRT-M', variant_title: 'Blue', quantity: 2 });
const cup = product('Cup');
const parcels = [parcel('P-1', shirt), parcel('P-2', cup)];

const read = (fields: FormFields) => readClaimForm({ reason: 'damage', ...fields }, parcels);
const faultsOf = (fields: FormFields) => read(fields).faults;

describe('a form', () => {
  test('with a reason is enough', () => {
    expect(read({})).toEqual({
      values: {
        reason: 'damage',
        description: '',
        resolution_preference: '',
        selected_items: [],
        tracking_number: undefined,
      },
      photos: [],
      faults: {},
      parcel: 0,
    });
  });

  test('with every known reason and preference has no fault', () => {
    for (const reason of claimReasons) expect(faultsOf({ reason })).toEqual({});
    for (const resolution_preference of resolutionPreferences) expect(faultsOf({ resolution_preference })).toEqual({});
  });

  test('names the fault of each field', () => {
    expect(faultsOf({ reason: '' })).toEqual({ reason: 'reason_missing' });
    expect(
      faultsOf({
        reason: 'constructor',
        description: 'x'.repeat(5001),
        resolution_preference: 'gold',
        selected_items: ['SHIRT-M', 'SHIRT-XL'],
        tracking_number: 'P-3',
        images: 'photo.jpg',
      }),
    ).toEqual({
      reason: 'reason_unknown',
      description: 'description_too_long',
      resolution_preference: 'resolution_unknown',
      selected_items: 'items_unknown',
      tracking_number: 'parcel_unknown',
      images: 'images_not_readable',
    });
  });

  test('takes a description of 5000 characters, whatever they are and however its lines end', () => {
    expect(faultsOf({ description: '🎁'.repeat(5000) })).toEqual({});
    expect(faultsOf({ description: 'a\r\n'.repeat(2500) })).toEqual({});
    expect(faultsOf({ description: 'a\r\n'.repeat(2501) })).toEqual({ description: 'description_too_long' });
  });

  test('takes six photos of 4 MB together, and no file where nobody chose one', () => {
    const photo = new Uint8Array(10);
    const files = (count: number) => Array.from({ length: count }, () => photo);
    expect(faultsOf({ images: files(formLimits.files) })).toEqual({});
    expect(faultsOf({ images: files(formLimits.files + 1) })).toEqual({ images: 'images_too_many' });
    expect(faultsOf({ images: new Uint8Array(requestLimits.fileBytes) })).toEqual({});
    expect(faultsOf({ images: new Uint8Array(requestLimits.fileBytes + 1) })).toEqual({ images: 'images_too_large' });
    const half = requestLimits.fileBytes / 2;
    const halves = (more: number) => [new Uint8Array(half), new Uint8Array(half + more)];
    expect(faultsOf({ images: halves(0) })).toEqual({});
    expect(faultsOf({ images: halves(1) })).toEqual({ images: 'images_too_large' });
    expect(read({ images: new Uint8Array(0) })).toMatchObject({ photos: [], faults: {} });
    expect(read({ images: '' })).toMatchObject({ photos: [], faults: {} });
  });

  test('keeps everything that was typed, also where it is wrong', () => {
    const typed = { reason: 'no', description: ' my\r\ntext ', resolution_preference: 'x', tracking_number: 'y' };
    expect(read({ ...typed, selected_items: ['a', 'b', 'a'] }).values).toEqual({
      ...typed,
      selected_items: ['a', 'b'],
    });
  });
});

const anyField: fc.Arbitrary<FormField> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 5 }),
  fc.array(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 5 })), { maxLength: 4 }),
);
const anyForm = fc.dictionary(
  fc.constantFrom(
    'reason',
    'description',
    'resolution_preference',
    'selected_items',
    'tracking_number',
    'images',
    '__proto__',
  ),
  anyField,
);

test('whatever a form contains, it is read, and without faults it makes a claim', () => {
  fc.assert(
    fc.property(anyForm, (fields) => {
      const form = readClaimForm(fields, parcels);
      if (Object.keys(form.faults).length > 0) return;
      expect(claimReasons).toContain(claimOf(form, parcels, []).reason);
    }),
  );
});

describe('the parcel of a claim', () => {
  const parcelOf = (tracking_number: string, of: PageParcel[]) =>
    readClaimForm({ reason: 'damage', tracking_number }, of).parcel;

  test('is the chosen one', () => {
    expect(parcelOf('P-2', parcels)).toBe(1);
  });

  test('is otherwise the first with a number, and without any the first', () => {
    expect(parcelOf('', [parcel(null), parcel('P-1'), parcel('P-2')])).toBe(1);
    expect(parcelOf('', [parcel(null), parcel(null)])).toBe(0);
  });

  test('can be one without a number, by its place on the page', () => {
    expect(parcelOf('parcel-2', [parcel('P-1'), parcel(null)])).toBe(1);
    expect(readClaimForm({ reason: 'damage', tracking_number: 'parcel-1' }, parcels).faults).toEqual({
      tracking_number: 'parcel_unknown',
    });
  });

  describe('without a choice', () => {
    const [bowl, lid] = [product('Bowl', { sku: 'BOWL' }), product('Lid', { sku: 'LID' })];
    const of = [parcel('P-1', shirt), parcel('P-2', shirt, bowl), parcel(null, lid)];
    const parcelWith = (...selected_items: string[]) => readClaimForm({ reason: 'damage', selected_items }, of).parcel;

    test('is the first that contains all chosen items', () => {
      expect(parcelWith('LID')).toBe(2);
      expect(parcelWith('SHIRT-M')).toBe(0);
      expect(parcelWith('SHIRT-M', 'BOWL')).toBe(1);
    });

    test('is the one of the first item, if none contains all', () => {
      expect(parcelWith('LID', 'SHIRT-M')).toBe(2);
      expect(parcelWith('BOWL', 'LID')).toBe(1);
    });
  });

  test('contains one of the chosen items, unless nobody knows what it contains', () => {
    const of = [...parcels, parcel('P-3')];
    const faultsWith = (tracking_number: string, ...selected_items: string[]) =>
      readClaimForm({ reason: 'damage', tracking_number, selected_items }, of).faults;
    const cupValue = itemsOf(parcels)[1]!.value;
    expect(faultsWith('P-2', 'SHIRT-M')).toEqual({ selected_items: 'items_elsewhere' });
    expect(faultsWith('P-2', 'SHIRT-M', cupValue)).toEqual({});
    expect(faultsWith('P-3', 'SHIRT-M')).toEqual({});
    expect(faultsWith('P-3', 'SHIRT-XL')).toEqual({ selected_items: 'items_unknown' });
  });
});

describe('the shipment of a parcel', () => {
  const shipmentWith = (uuid: string, tracking_number: string | null, event_name = 'ORDER_CREATED') =>
    ({ uuid, tracking_number, direction: 'merchant_customer', events: [{ event_name }] }) as unknown as Shipment;
  const shown = (tracking_number: string | null, event_name = 'ORDER_CREATED') =>
    ({ tracking_number, is_return: false, event_name, flag: 'normal' }) as unknown as PageParcel;
  const uuidOf = (index: number, of: PageParcel[], shipments: Shipment[]) => shipmentOf(index, of, shipments)?.uuid;

  test('has its number', () => {
    const shipments = [shipmentWith('a', 'P-1'), shipmentWith('b', 'P-2')];
    expect(uuidOf(0, [shown('P-2'), shown('P-1')], shipments)).toBe('b');
  });

  test('without a number is told by what happened to it, and then by its place', () => {
    const shipments = [
      shipmentWith('a', null),
      shipmentWith('b', 'P-1'),
      shipmentWith('c', null),
      shipmentWith('d', null, 'ORDER_PROCESSED'),
    ];
    const page = [shown(null, 'ORDER_PROCESSED'), shown(null), shown('P-1'), shown(null)];
    expect(page.map((_, i) => uuidOf(i, page, shipments))).toEqual(['d', 'a', 'b', 'c']);
  });
});

describe('the items of a form', () => {
  test('are the products of all parcels, each once in its parcel', () => {
    const items = itemsOf([parcel('P-1', shirt, shirt), parcel('P-2', shirt)]);
    expect(items).toEqual([
      { value: 'SHIRT-M', title: 'Shirt, Blue', image_url: null, parcel: 0 },
      { value: 'SHIRT-M', title: 'Shirt, Blue', image_url: null, parcel: 1 },
    ]);
  });

  test('have a value without a sku, which stays the same when the order changes', () => {
    const [item] = itemsOf([parcel('P-1', cup)]);
    expect(item!.value).toMatch(/^product-[\w-]{22}$/);
    expect(itemsOf([parcel('P-0', shirt), parcel('P-1', shirt, cup)]).at(-1)!.value).toBe(item!.value);
  });

  test('have other values if they look different', () => {
    const seen = [cup, product('Cup', { variant_title: 'Red' }), product('Bowl'), product('Cup', { sku: '' })];
    expect(new Set(itemsOf([parcel('P-1', ...seen)]).map(({ value }) => value)).size).toBe(4);
  });

  test('with the same sku in one parcel are told apart, and the claim names the chosen one', () => {
    const [small, large] = [product('Mug, small', { sku: 'MUG' }), product('Mug, large', { sku: 'MUG' })];
    const of = [parcel('P-1', small, large)];
    const items = itemsOf(of);
    expect(items.map(({ title }) => title)).toEqual(['Mug, small', 'Mug, large']);
    for (const { value, title } of items) {
      const form = readClaimForm({ reason: 'damage', selected_items: value }, of);
      expect(claimOf(form, of, []).selected_items).toMatchObject([{ sku: 'MUG', title }]);
    }
  });

  test('have a value that a browser sends back as it is', () => {
    const odd = ['a\nb', 'a\rb', '\ud83d', 'a\u0000'].map((sku) => product('Odd', { sku }));
    for (const { value } of itemsOf([parcel('P-1', ...odd)])) expect(value).toMatch(/^product-[\w-]{22}$/);
  });
});

describe('a claim', () => {
  test('has what the form contains', () => {
    const [, cupItem] = itemsOf(parcels);
    const form = read({
      description: ' torn\r\nat the seam ',
      resolution_preference: 'refund',
      selected_items: ['SHIRT-M', cupItem!.value],
    });
    expect(claimOf(form, parcels, ['https://images.example.net/1.jpg'])).toEqual({
      reason: 'damage',
      description: 'torn\nat the seam',
      resolution_preference: 'refund',
      selected_items: [
        { sku: 'SHIRT-M', title: 'Shirt, Blue', quantity: 2, image_urls: [] },
        { sku: null, title: 'Cup', quantity: 1, image_urls: [] },
      ],
      damaged_product_items: [],
      image_urls: ['https://images.example.net/1.jpg'],
      optional_image_urls: [],
    });
  });

  test('names the product of the chosen parcel, if several contain it', () => {
    const three = parcel('P-2', { ...shirt, quantity: 3 });
    const form = readClaimForm({ reason: 'damage', selected_items: 'SHIRT-M', tracking_number: 'P-2' }, [
      parcels[0]!,
      three,
    ]);
    expect(claimOf(form, [parcels[0]!, three], []).selected_items).toMatchObject([{ quantity: 3 }]);
  });
});

test('a product of the order whose parcel is not known can be chosen, and belongs to none', () => {
  const ordered = [{ ...parcel('P-1', shirt), products_of: 'order' as const }, parcel('P-2')];
  expect(itemsOf(ordered)).toMatchObject([{ value: 'SHIRT-M', parcel: null }]);
  const form = readClaimForm({ reason: 'damage', selected_items: ['SHIRT-M'], tracking_number: 'P-2' }, ordered);
  expect(form.faults).toEqual({});
  expect(claimOf(form, ordered, []).selected_items).toMatchObject([{ sku: 'SHIRT-M' }]);
});
