import type { Source } from '#domain/orders/upsert-rules.ts';
import { definedFields, isAbsent, type ValueReader } from '#domain/shop-systems/fields.ts';
import { fieldsOf } from '#platform/foreign-json.ts';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import { addressTexts } from '#schemas/catalogues/limits.ts';
import type { Address, Product, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import { most, productOf } from './line-items.ts';
import { changeOf, inside, listIn, nameOf, type Part, partOf, partsOf, stateOf } from './parts.ts';

/** A delivery of which something is shipped. */
export interface Delivery {
  part: Part;
  /** `technicalName`; undefined if the hook did not say. */
  state: string | undefined;
}

/**
 * A discount on the shipping costs is a delivery too, with negative costs and without a parcel
 * (src/Core/Checkout/Promotion/Cart/PromotionDeliveryCalculator.php in shopware/shopware).
 * @param entered the state that one of them is in now, if the hook says so. It does not say which: that is sure for one only.
 */
export function deliveriesOf(read: ValueReader, order: Part, entered: string | undefined): Delivery[] | undefined {
  const real = partsOf(read, order, 'deliveries')?.filter(({ fields }) => costsOf(fields) >= 0);
  return real?.map((part) => ({ part, state: stateOf(read, part) ?? (real.length === 1 ? entered : undefined) }));
}

const costsOf = (fields: Part['fields']): number => {
  const { totalPrice } = fieldsOf(fields.shippingCosts);
  return typeof totalPrice === 'number' ? totalPrice : 0;
};

/** Newer shops name it; of others it is the one that costs most. */
function primaryOf(order: Part, deliveries: readonly Delivery[]): Delivery | undefined {
  const { primaryOrderDeliveryId } = order.fields;
  const named = isAbsent(primaryOrderDeliveryId)
    ? undefined
    : deliveries.find(({ part }) => part.fields.id === primaryOrderDeliveryId);
  return named ?? [...deliveries].sort((a, b) => costsOf(b.part.fields) - costsOf(a.part.fields))[0];
}

/** Where the order goes. An order of downloads has no delivery, and then it is the billing address. */
export function addressOf(read: ValueReader, order: Part, deliveries: readonly Delivery[]): Address | undefined {
  const addresses = partsOf(read, order, 'addresses') ?? [];
  const byId = (id: unknown) => addresses.find(({ fields }) => !isAbsent(id) && fields.id === id);
  const primary = primaryOf(order, deliveries)?.part;
  const own = primary && partOf(primary.fields.shippingOrderAddress, inside(primary.at, 'shippingOrderAddress'));
  const found =
    own && Object.keys(own.fields).length > 0
      ? own
      : byId(primary ? primary.fields.shippingOrderAddressId : order.fields.billingAddressId);
  if (!found) return undefined;
  const address = addressIn(read, found);
  return Object.keys(address).length > 0 ? address : undefined;
}

function addressIn(read: ValueReader, address: Part): Address {
  const { fields, at } = address;
  const country = partOf(fields.country, inside(at, 'country'));
  const state = partOf(fields.countryState, inside(at, 'countryState'));
  const text = (name: string) => read.text(fields[name], inside(at, name), 500);
  const joined = (separator: string, bound: number, ...names: string[]) =>
    read.text(names.flatMap((name) => text(name) ?? []).join(separator), at, bound);
  const country_code = read.text(country.fields.iso, inside(country.at, 'iso'), addressTexts.country_code);
  return definedFields<Address>({
    name: joined(' ', addressTexts.name, 'firstName', 'lastName'),
    company: joined(', ', addressTexts.company, 'company', 'department'),
    address_line_1: text('street'),
    address_line_2: joined(', ', addressTexts.address_line_2, 'additionalAddressLine1', 'additionalAddressLine2'),
    zip_code: read.text(fields.zipcode, inside(at, 'zipcode'), addressTexts.zip_code),
    city: read.text(fields.city, inside(at, 'city'), addressTexts.city),
    province: nameOf(read, state, addressTexts.province),
    province_code: provinceCode(read, state, country_code),
    country: nameOf(read, country, addressTexts.country),
    country_code,
    phone: read.text(fields.phoneNumber, inside(at, 'phoneNumber'), addressTexts.phone),
  });
}

/** The system writes `DE-BY`, with the country before it. */
function provinceCode(read: ValueReader, { fields, at }: Part, country: string | undefined): string | undefined {
  const code = read.text(fields.shortCode, inside(at, 'shortCode'), addressTexts.province_code);
  return country !== undefined && code?.startsWith(`${country}-`) ? code.slice(country.length + 1) || code : code;
}

/** One parcel for each tracking code. A cancelled delivery has none. */
export function trackingsOf(read: ValueReader, order: Part, deliveries: readonly Delivery[]): TrackingInput[] {
  const items = new Map(partsOf(read, order, 'lineItems')?.map((item) => [item.fields.id, item]));
  const trackings = deliveries
    .filter(({ state }) => state !== 'cancelled')
    .flatMap((delivery) => trackingsOfDelivery(read, delivery, items));
  return [...new Map(trackings.map((one) => [comparableTrackingNumber(one.tracking_number), one])).values()];
}

function trackingsOfDelivery(read: ValueReader, delivery: Delivery, items: Map<unknown, Part>): TrackingInput[] {
  const { part } = delivery;
  const codes = (listIn(read, part, 'trackingCodes') ?? []).flatMap(
    (code, i) => read.wholeText(code, inside(part.at, `trackingCodes.${i}`), 255) ?? [],
  );
  const method = partOf(part.fields.shippingMethod, inside(part.at, 'shippingMethod'));
  const further = definedFields<Omit<TrackingInput, 'tracking_number'>>({
    tracking_placed_at: changeOf(read, part),
    tracking_company: nameOf(read, method, 255),
    products: codes.length === 1 ? contentsOf(read, delivery, items) : undefined,
  });
  return codes.map((tracking_number) => ({ tracking_number, ...further }));
}

/** What is in the only parcel of a delivery. A part of a delivery is somewhere, and nobody says which part. */
function contentsOf(read: ValueReader, { part, state }: Delivery, items: Map<unknown, Part>): Product[] | undefined {
  if (state === 'shipped_partially') return undefined;
  const positions = partsOf(read, part, 'positions')?.slice(0, most.products);
  const products = positions?.flatMap(({ fields, at }) => {
    const item = items.get(fields.orderLineItemId);
    if (!item) return [];
    const quantity = read.count(fields.quantity, inside(at, 'quantity'), most.quantity);
    return [{ ...productOf(read, item), ...(quantity !== undefined && { quantity }) }];
  });
  return products?.length ? products : undefined;
}

/** The states in which all of a delivery has left: src/Core/Checkout/Order/Aggregate/OrderDelivery/OrderDeliveryStates.php */
const left = new Set(['shipped', 'returned', 'returned_partially']);

export function parcelsFrom(deliveries: readonly Delivery[], count: number): Source['parcels'] {
  const states = deliveries.map(({ state }) => state).filter((state) => state !== 'cancelled');
  const hasLeft = (state: string | undefined) => state !== undefined && left.has(state);
  if (count === 0 || !states.some((state) => hasLeft(state) || state === 'shipped_partially')) return undefined;
  return { count, areAll: states.every(hasLeft) };
}
