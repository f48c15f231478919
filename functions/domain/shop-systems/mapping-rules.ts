import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { fieldsOf } from '#platform/foreign-json.ts';
import { addressTexts, noteTexts, orderLimits, orderTexts } from '#schemas/catalogues/limits.ts';
import type { ShopSystem } from '#schemas/catalogues/shop-webhooks.ts';
import type { Address, OrderInput } from '#schemas/shapes/order-shapes.ts';
import type { Mappings } from '#schemas/shapes/settings-shapes.ts';
import { clip, segmentsOf } from './fields.ts';

/** A rule of `settings/mappings`: which value of a payload goes into which field of the order. */
export type MappingRule = NonNullable<Mappings['data']['shop_system_1.order']>[number];

export const mappingRulesOf = ({ mappings }: StoredSettings, system: ShopSystem): MappingRule[] =>
  mappings?.data[`${system}.order`] ?? [];

/**
 * Applies the rules in their order. A rule that finds no value, or none that fits its target, leaves the order as it
 * is. No rule may change what names the order (number, external id).
 */
export function withMappings(order: OrderInput, payload: object, rules: readonly MappingRule[]): OrderInput {
  return rules.reduce((mapped, { source, target }) => {
    const value = sourceText(payload, source);
    return value === undefined ? mapped : withTarget(mapped, target, value);
  }, order);
}

/** Some types find a value by its name. For any other type the key is the path of a field, such as `customer.id`. */
function sourceText(payload: object, { key, type }: MappingRule['source']): string | undefined {
  return textOf((Object.hasOwn(named, type) ? named[type]! : fieldAt)(payload, key));
}

/** Of shop_system_1, shop_system_2 and shop_system_3. Of several with one name the first that is not empty counts. */
const named: Record<string, (payload: object, name: string) => unknown> = {
  note_attribute: (payload, name) =>
    entriesOf(fieldAt(payload, 'note_attributes')).find((note) => note.name === name)?.value,
  custom_field: (payload, name) =>
    ['customFields', 'orderCustomer.customFields']
      .map((holder) => ownField(fieldAt(payload, holder), name))
      .find(isSomething),
  meta_data: (payload, name) =>
    entriesOf(fieldAt(payload, 'meta_data')).find(({ key, value }) => key === name && isSomething(value))?.value,
};

const isSomething = (value: unknown) => textOf(value) !== undefined;

/** PHP writes a list with gaps as an object. */
const entriesOf = (list: unknown) => (Array.isArray(list) ? list : Object.values(fieldsOf(list))).map(fieldsOf);

const ownField = (holder: unknown, name: string): unknown =>
  Object.hasOwn(fieldsOf(holder), name) ? fieldsOf(holder)[name] : undefined;

function fieldAt(payload: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isHolder ? (value as Record<string, unknown>)[name] : undefined;
  }, payload);
}

function textOf(value: unknown): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  return String(value).trim() || undefined;
}

function withTarget(order: OrderInput, target: string, value: string): OrderInput {
  if (Object.hasOwn(textBounds, target)) return { ...order, [target]: clip(value, textBounds[target]!) };
  if (numbers.has(target)) return Number.isFinite(Number(value)) ? { ...order, [target]: Number(value) } : order;
  if (target === 'segments') return { ...order, segments: segmentsOf(value) };
  const [whole, part = ''] = target.split('.');
  if (whole === 'address' && Object.hasOwn(addressTexts, part)) {
    const bound = addressTexts[part as keyof Address];
    return { ...order, address: { ...order.address, [part]: clip(value, bound) } };
  }
  return withNote(order, target, value);
}

const { order_name, email_id, external_customer_id, financial_status } = orderTexts;
const textBounds: Record<string, number> = { order_name, email_id, external_customer_id, financial_status };

const numbers = new Set(['total_order_price', 'shipping_price', 'sub_total_price', 'discount_price', 'weight']);

/** A target that is no field of an order becomes a note with that name. */
function withNote(order: OrderInput, name: string, value: string): OrderInput {
  const notes = order.order_analytics?.note_attributes ?? [];
  const note = { name: clip(name, noteTexts.name), value: clip(value, noteTexts.value) };
  const others = notes.filter((other) => other.name !== note.name).slice(0, orderLimits.noteAttributes - 1);
  return { ...order, order_analytics: { ...order.order_analytics, note_attributes: [note, ...others] } };
}
