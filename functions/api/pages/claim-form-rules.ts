import { createHash } from 'node:crypto';
import type { Shipment } from '#domain/orders/model.ts';
import { currentEvent, currentFlag } from '#domain/orders/shipment-rules.ts';
import { claimReasons, resolutionPreferences } from '#schemas/catalogues/enumerations.ts';
import { claimLimits } from '#schemas/catalogues/limits.ts';
import { isTowardsMerchant } from '#schemas/catalogues/shipment-events.ts';
import type { ClaimCreate } from '#schemas/families/claims.ts';
import type { FormFields } from '#schemas/families/operation.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { cleanText, filesOf, isLongerThan, photoFault, textOf, textsOf } from './form-fields.ts';
import type { ClaimFormState } from './views/claim-view.ts';
import { parcelValue } from './views/parcel-view.ts';

type Parcels = TrackingPage['parcels'];
type Product = Parcels[number]['products'][number];
type Preference = (typeof resolutionPreferences)[number];
type Values = ClaimFormState['values'];
type Faults = ClaimFormState['faults'];
/** The products of a parcel, by what chooses them. */
type Choices = ReadonlyMap<string, Product>;
export type FormItem = ClaimFormState['items'][number];

/** What a customer sent. If there are no faults, it makes a claim. */
export interface ClaimForm {
  values: Values;
  photos: Uint8Array[];
  faults: Faults;
  /** The position on the page of the parcel that the claim is about. */
  parcel: number;
}

export function readClaimForm(fields: FormFields, parcels: Parcels): ClaimForm {
  const values = {
    reason: textOf(fields, 'reason'),
    description: textOf(fields, 'description'),
    resolution_preference: textOf(fields, 'resolution_preference'),
    selected_items: [...new Set(textsOf(fields, 'selected_items'))],
    tracking_number: textOf(fields, 'tracking_number') || undefined,
  };
  const choices = parcels.map(({ products }) => choicesOf(products));
  const parcel = parcelOf(values, parcels, choices);
  const faults = {
    reason: reasonFault(values.reason),
    description: isTooLong(values.description) ? 'description_too_long' : undefined,
    resolution_preference: isPreference(values.resolution_preference) ? undefined : 'resolution_unknown',
    selected_items: itemsFault(values.selected_items, choices, choices[values.tracking_number ? parcel : -1]),
    tracking_number: parcel === -1 ? 'parcel_unknown' : undefined,
    images: photoFault(fields),
  } as const;
  return { values, photos: filesOf(fields, 'images'), faults: definedOf(faults), parcel };
}

const definedOf = (faults: { [Field in keyof Faults]: Faults[Field] | undefined }): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined));

/**
 * Without a choice it is the parcel that contains the chosen items: all of them, or else the first of them. Without
 * items it is the first parcel that has a number, or else the first. -1 if the choice is none of the parcels.
 */
function parcelOf({ tracking_number, selected_items }: Values, parcels: Parcels, choices: readonly Choices[]): number {
  if (tracking_number) return parcels.findIndex((parcel, i) => parcelValue(parcel, i) === tracking_number);
  const [first] = selected_items;
  const places = [
    first === undefined ? -1 : choices.findIndex((products) => selected_items.every((item) => products.has(item))),
    first === undefined ? -1 : choices.findIndex((products) => products.has(first)),
    parcels.findIndex((parcel) => parcel.tracking_number !== null),
  ];
  return places.find((place) => place !== -1) ?? 0;
}

/** Of a parcel without products nobody knows what it contains, so it takes every item. */
function itemsFault(items: readonly string[], choices: readonly Choices[], chosen: Choices | undefined) {
  if (!items.every((item) => choices.some((products) => products.has(item)))) return 'items_unknown';
  if (!chosen || chosen.size === 0 || items.length === 0) return undefined;
  return items.some((item) => chosen.has(item)) ? undefined : 'items_elsewhere';
}

/**
 * The shipment that a parcel of the page shows. The page shows parcels without a number that are at the same point in
 * the order of their shipments.
 */
export function shipmentOf(parcel: number, parcels: Parcels, shipments: readonly Shipment[]): Shipment | undefined {
  const { tracking_number } = parcels[parcel]!;
  if (tracking_number !== null) return shipments.find((shipment) => shipment.tracking_number === tracking_number);
  const point = pointOf(parcels[parcel]!);
  const before = parcels.slice(0, parcel).filter((other) => other.tracking_number === null && pointOf(other) === point);
  const alike = shipments.filter((shipment) => {
    const { event_name } = currentEvent(shipment.events);
    const is_return = isTowardsMerchant(shipment.direction);
    return (
      shipment.tracking_number === null && pointOf({ is_return, event_name, flag: currentFlag(shipment) }) === point
    );
  });
  return alike[before.length];
}

const pointOf = ({ is_return, event_name, flag }: Pick<Parcels[number], 'is_return' | 'event_name' | 'flag'>): string =>
  [is_return, event_name, flag].join();

function reasonFault(reason: string) {
  if (reason === '') return 'reason_missing';
  return claimReasons.some((known) => known === reason) ? undefined : 'reason_unknown';
}

const isTooLong = (description: string): boolean => isLongerThan(description, claimLimits.descriptionCharacters);

const isPreference = (preference: string): boolean =>
  preference === '' || resolutionPreferences.some((known) => known === preference);

/** The products that a customer can choose. A product that comes in two parcels can be chosen for each. */
export function itemsOf(parcels: Parcels): FormItem[] {
  return parcels.flatMap(({ products, products_of }, parcel) =>
    [...choicesOf(products)].map(([value, product]) => ({
      value,
      title: titleOf(product),
      image_url: product.image_url,
      parcel: products_of === 'order' ? null : parcel,
    })),
  );
}

/**
 * A product is chosen by its sku. One without a sku, with one that a form would change, or with one that another product
 * of the parcel has, has a hash of what the customer sees of it: that stays the same when the order gets another parcel.
 */
function choicesOf(products: readonly Product[]): Choices {
  const bySight = Map.groupBy(products, seenOf);
  const different = [...bySight.values()].map(([product]) => product!);
  const bySku = Map.groupBy(different, ({ sku }) => sku);
  return new Map(different.map((product) => [hasOwnSku(product, bySku) ? product.sku! : hashOf(product), product]));
}

const hasOwnSku = ({ sku }: Product, bySku: ReadonlyMap<string | null, readonly Product[]>): boolean =>
  bySku.get(sku)!.length === 1 && /^[^\p{Cc}\p{Cs}]+$/u.test(sku ?? '');

const hashOf = (product: Product): string =>
  `product-${createHash('sha256').update(seenOf(product)).digest('base64url').slice(0, 22)}`;

const seenOf = ({ sku, title, variant_title }: Product): string => JSON.stringify([sku, title, variant_title]);

const titleOf = ({ title, variant_title }: Product): string => (variant_title ? `${title}, ${variant_title}` : title);

/** The claim that a form without faults makes. */
export function claimOf({ values, parcel }: ClaimForm, parcels: Parcels, imageUrls: string[]): ClaimCreate {
  const { reason, description, resolution_preference, selected_items } = values;
  const chosenFirst = [parcels[parcel]!, ...parcels].map(({ products }) => choicesOf(products));
  return {
    reason: reason as ClaimCreate['reason'],
    description: cleanText(description ?? '') || null,
    resolution_preference: (resolution_preference || null) as Preference | null,
    // A product that several parcels contain is the one of the chosen parcel.
    selected_items: selected_items.map((value) => claimItem(chosenFirst.find((one) => one.has(value))!.get(value)!)),
    damaged_product_items: [],
    image_urls: imageUrls,
    optional_image_urls: [],
  };
}

const claimItem = (product: Product) => ({
  sku: product.sku,
  title: [...titleOf(product)].slice(0, claimLimits.titleCharacters).join(''),
  quantity: product.quantity,
  image_urls: [],
});
