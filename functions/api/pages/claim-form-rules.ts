import { createHash } from 'node:crypto';
import { claimReasons, resolutionPreferences } from '#schemas/catalogues/enumerations.ts';
import { claimLimits, formLimits, requestLimits } from '#schemas/catalogues/limits.ts';
import type { ClaimCreate } from '#schemas/families/claims.ts';
import type { FormFields } from '#schemas/families/operation.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { filesOf, textOf, textsOf } from './form-fields.ts';
import type { ClaimFormState } from './views/claim-view.ts';

type Parcels = TrackingPage['parcels'];
type Product = Parcels[number]['products'][number];
type Preference = (typeof resolutionPreferences)[number];
type Faults = ClaimFormState['faults'];
export type FormItem = ClaimFormState['items'][number];

/** What a customer sent. If there are no faults, it makes a claim. */
export interface ClaimForm {
  values: ClaimFormState['values'];
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
  const parcel = parcelOf(values.tracking_number, parcels);
  const faults = {
    reason: reasonFault(values.reason),
    description: isTooLong(values.description) ? 'description_too_long' : undefined,
    resolution_preference: isPreference(values.resolution_preference) ? undefined : 'resolution_unknown',
    selected_items: areItems(values.selected_items, itemsOf(parcels)) ? undefined : 'items_unknown',
    tracking_number: parcel === -1 ? 'parcel_unknown' : undefined,
    images: photoFault(fields),
  } as const;
  return { values, photos: filesOf(fields, 'images'), faults: definedOf(faults), parcel };
}

const definedOf = (faults: { [Field in keyof Faults]: Faults[Field] | undefined }): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined));

/** A parcel is chosen by its number. Without one it is the first on the page that has a number, or else the first. */
function parcelOf(chosen: string | undefined, parcels: Parcels): number {
  if (chosen) return parcels.findIndex(({ tracking_number }) => tracking_number === chosen);
  const withNumber = parcels.findIndex(({ tracking_number }) => tracking_number !== null);
  return Math.max(withNumber, 0);
}

function reasonFault(reason: string) {
  if (reason === '') return 'reason_missing';
  return claimReasons.some((known) => known === reason) ? undefined : 'reason_unknown';
}

const isTooLong = (description: string): boolean =>
  // JSON Schema counts whole characters, too.
  [...cleanText(description)].length > claimLimits.descriptionCharacters;

/** Browsers send `\r\n` for every new line, and count it as one character. */
const cleanText = (text: string): string => text.replaceAll('\r\n', '\n').trim();

const isPreference = (preference: string): boolean =>
  preference === '' || resolutionPreferences.some((known) => known === preference);

const areItems = (selected: readonly string[], items: readonly FormItem[]): boolean =>
  selected.every((value) => items.some((item) => item.value === value));

function photoFault(fields: FormFields) {
  const photos = filesOf(fields, 'images');
  if (textsOf(fields, 'images').some((text) => text !== '')) return 'images_not_readable';
  if (photos.length > formLimits.files) return 'images_too_many';
  return photos.some(({ length }) => length > requestLimits.fileBytes) ? 'images_too_large' : undefined;
}

/** The products that a customer can choose. A product that comes in two parcels can be chosen for each. */
export function itemsOf(parcels: Parcels): FormItem[] {
  return parcels.flatMap(({ products, products_of }, parcel) => {
    const byValue = new Map(products.map((product) => [choiceOf(product), product]));
    return [...byValue].map(([value, product]) => ({
      value,
      title: titleOf(product),
      image_url: product.image_url,
      parcel: products_of === 'order' ? null : parcel,
    }));
  });
}

/**
 * A product is chosen by its sku. One without a sku, or with one that a form would change, has a hash of what the
 * customer sees of it: that stays the same when the order gets another parcel or product.
 */
function choiceOf({ sku, title, variant_title }: Product): string {
  if (sku && /^[^\p{Cc}\p{Cs}]+$/u.test(sku)) return sku;
  const seen = JSON.stringify([sku, title, variant_title]);
  return `product-${createHash('sha256').update(seen).digest('base64url').slice(0, 22)}`;
}

const titleOf = ({ title, variant_title }: Product): string => (variant_title ? `${title}, ${variant_title}` : title);

/** The claim that a form without faults makes. */
export function claimOf({ values, parcel }: ClaimForm, parcels: Parcels, imageUrls: string[]): ClaimCreate {
  const { reason, description, resolution_preference, selected_items } = values;
  return {
    reason: reason as ClaimCreate['reason'],
    description: cleanText(description ?? '') || null,
    resolution_preference: (resolution_preference || null) as Preference | null,
    selected_items: selected_items.map((value) => claimItem(productOf(value, parcel, parcels)!)),
    damaged_product_items: [],
    image_urls: imageUrls,
    optional_image_urls: [],
  };
}

/** A product that several parcels contain is the one of the chosen parcel. */
function productOf(value: string, parcel: number, parcels: Parcels): Product | undefined {
  const chosenFirst = [parcels[parcel]!, ...parcels];
  return chosenFirst.flatMap(({ products }) => products).find((product) => choiceOf(product) === value);
}

const claimItem = (product: Product) => ({
  sku: product.sku,
  title: [...titleOf(product)].slice(0, claimLimits.titleCharacters).join(''),
  quantity: product.quantity,
  image_urls: [],
});
