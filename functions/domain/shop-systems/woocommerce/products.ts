import { amountOf, type Decimal, decimalOf, equalPart, rounded, sumOf } from '#domain/shop-systems/decimal.ts';
import { definedFields, entriesOf, isAbsent, plainOf, type ValueReader } from '#domain/shop-systems/fields.ts';
import { type Fields, fieldsOf, textOf } from '#platform/foreign-json.ts';
import { productTexts } from '#schemas/catalogues/limits.ts';
import type { Product } from '#schemas/shapes/order-shapes.ts';
import { decoded, withoutTags } from './values.ts';

export const maxProducts = 1000;
export const maxQuantity = 1_000_000_000;

export interface Line {
  /** By which extensions name it. */
  id: string;
  product: Product;
  /** Of all its items, after discounts. */
  total: Decimal | undefined;
}

/** How the prices of a payload are read. */
export interface Prices {
  /** The prices of the shop include tax. */
  isGross: boolean;
  /** The currency was read, or none was sent. Without it amounts would be taken for those of the default currency. */
  areTold: boolean;
  reader: ValueReader;
}

/** Undefined if the order tells no line items. */
export function linesOf(value: unknown, prices: Prices): Line[] | undefined {
  if (isAbsent(value)) return undefined;
  const items = entriesOf(value) ?? prices.reader.note('line_items');
  if (items && items.length > maxProducts) prices.reader.note('line_items');
  return items?.slice(0, maxProducts).map((item, i) => lineOf(item, `line_items.${i}`, prices));
}

function lineOf(item: Fields, field: string, prices: Prices): Line {
  const { reader } = prices;
  const subtotal = withTax(item, ['subtotal', 'subtotal_tax'], `${field}.`, prices);
  const quantity = reader.count(item.quantity, `${field}.quantity`, maxQuantity);
  const price = subtotal && quantity ? equalPart(subtotal, quantity) : netPrice(item, field, prices);
  const product = definedFields<Product>({
    ...titlesOf(item, field, reader),
    quantity,
    price: price && (amountOf(price) ?? reader.note(`${field}.price`)),
    sku: reader.text(item.sku, `${field}.sku`, productTexts.sku),
    images: picturesOf(item, field, reader),
    product_id: idOf(item.product_id, `${field}.product_id`, reader),
    variant_id: idOf(item.variation_id, `${field}.variation_id`, reader),
    type: 'product',
  });
  return { id: plainOf(item.id), product, total: withTax(item, ['total', 'total_tax'], `${field}.`, prices) };
}

/** `price` is what one item costs after discounts and without tax, not rounded. It is for lines without a subtotal. */
function netPrice(item: Fields, field: string, { areTold, reader }: Prices): Decimal | undefined {
  const price = areTold ? reader.decimal(item.price, `${field}.price`) : undefined;
  return price && rounded(price, 2);
}

/** WordPress writes false for a picture whose file is gone. */
function picturesOf({ image }: Fields, field: string, reader: ValueReader): Product['images'] {
  const { src } = fieldsOf(image);
  const picture = src === false ? undefined : reader.link(src, `${field}.image.src`);
  return picture === undefined ? undefined : [{ src: picture }];
}

/**
 * An amount as the shop tells its prices: with tax if they include it. Undefined if it is absent or cannot be read.
 * @param names of the amount without tax, and of the tax
 */
export function withTax(
  holder: Fields,
  [name, taxName]: readonly [string, string],
  prefix: string,
  { isGross, areTold, reader }: Prices,
): Decimal | undefined {
  if (!areTold) return undefined;
  const net = reader.decimal(holder[name], prefix + name);
  if (net === undefined || !isGross || isAbsent(holder[taxName])) return net;
  const tax = reader.decimal(holder[taxName], prefix + taxName);
  return tax && sumOf([net, tax]);
}

/** The name of a variation often is the name of its product, a dash and what the customer chose. */
function titlesOf(item: Fields, field: string, reader: ValueReader): Pick<Product, 'title' | 'variant_title'> {
  const name = reader.text(decoded(item.name), `${field}.name`, productTexts.title);
  if (!isVariation(item)) return { ...(name !== undefined && { title: name }) };
  const parent = reader.text(decoded(item.parent_name), `${field}.parent_name`, productTexts.title);
  const isSpelledOut = name !== undefined && parent !== undefined && name.startsWith(`${parent} - `);
  return definedFields<Product>({
    title: isSpelledOut ? parent : (name ?? parent),
    variant_title: choicesOf(item) ?? (isSpelledOut ? name.slice(parent.length + 3).trim() || undefined : undefined),
  });
}

/** Keys that begin with `_` are not shown to customers. */
function choicesOf(item: Fields): string | undefined {
  const shown = (entriesOf(item.meta_data) ?? []).filter(({ key }) => typeof key === 'string' && !key.startsWith('_'));
  const texts = shown.map(({ display_value, value }) => textOf(decoded(withoutTags(display_value ?? value))));
  return textOf(texts.filter((text) => text !== undefined).join(' / '), productTexts.variant_title);
}

/** 0 means none. */
function idOf(value: unknown, field: string, reader: ValueReader): string | undefined {
  return decimalOf(value)?.units === 0n ? undefined : reader.wholeText(value, field, 255);
}

const isVariation = ({ variation_id }: Fields): boolean =>
  !isAbsent(variation_id) && decimalOf(variation_id)?.units !== 0n;
