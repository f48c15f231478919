import { amountOf, type Decimal, sumOf } from '#domain/shop-systems/decimal.ts';
import { definedFields, isAbsent, type ValueReader } from '#domain/shop-systems/fields.ts';
import { fieldsOf } from '#platform/foreign-json.ts';
import { orderDiscountTexts, productTexts } from '#schemas/catalogues/limits.ts';
import type { OrderInput, Product } from '#schemas/shapes/order-shapes.ts';
import { decimalIn, inside, listIn, moneyIn, type Part, partOf } from './parts.ts';

/** What the shapes of an order allow. */
export const most = { products: 1000, bundled: 100, discounts: 100, quantity: 1_000_000_000 } as const;

/** The kinds of line item that are no goods: src/Core/Checkout/Cart/LineItem/LineItem.php in shopware/shopware. */
const discountTypes = new Set<unknown>(['promotion', 'discount', 'credit']);

/** Extensions have types of their own: what lowers the price is a discount, whatever it is called. */
const isDiscount = ({ fields }: Part): boolean =>
  discountTypes.has(fields.type) || (typeof fields.totalPrice === 'number' && fields.totalPrice < 0);

type Amounts = Pick<OrderInput, 'products' | 'discounts' | 'discount_price'>;

/** The goods and the discounts of an order. All of an order's items are in one list, those of a bundle beside it. */
export function lineItemsOf(read: ValueReader, items: readonly Part[] | undefined): Amounts {
  if (!items) return {};
  const sorted = [...items].sort((a, b) => placeOf(a) - placeOf(b));
  const roots = rootsOf(sorted);
  const whole = sorted.filter((item) => roots.get(item) === item);
  const discounts = whole.filter(isDiscount);
  const bundles = Map.groupBy(sorted, (item) => roots.get(item)!);
  const amounts = discounts.map((item) => decimalIn(read, item, 'totalPrice'));
  return definedFields<Amounts>({
    products: whole
      .filter((item) => !isDiscount(item))
      .slice(0, most.products)
      .map((item) => bundleOf(read, item, bundles.get(item)!)),
    discounts: discounts.slice(0, most.discounts).map((item, i) => discountOf(read, item, amounts[i])),
    discount_price: amounts.every((amount) => amount !== undefined)
      ? amountOf(sumOf(amounts.map(opposite)))
      : undefined,
  });
}

const placeOf = ({ fields }: Part): number => (typeof fields.position === 'number' ? fields.position : 0);

const opposite = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale });

/** Bundles within bundles are rare, and none is deeper. */
const deepestBundle = 20;

/** The item of the highest level that each belongs to: itself, for most. */
function rootsOf(items: readonly Part[]): Map<Part, Part> {
  const byId = new Map<unknown, Part>(items.map((item) => [item.fields.id, item]));
  const parentOf = ({ fields: { parentId } }: Part) => (isAbsent(parentId) ? undefined : byId.get(parentId));
  const rootOf = (item: Part): Part => {
    let root = item;
    for (let level = 0; level < deepestBundle; level++) {
      const parent = parentOf(root);
      if (!parent) return root;
      root = parent;
    }
    return item; // a circle has no root, and nothing of it gets lost
  };
  return new Map(items.map((item) => [item, rootOf(item)]));
}

/** @param bundle the item and, if it is a bundle, what is in it */
function bundleOf(read: ValueReader, item: Part, bundle: readonly Part[]): Product {
  const goods = bundle.filter((part) => part !== item && !isDiscount(part)).slice(0, most.bundled);
  if (goods.length === 0) return productOf(read, item);
  // The contract has no number of an article in a bundle.
  const bundled_products = goods.map((part) => productOf(read, part)).map(({ sku: _, ...rest }) => rest);
  return { ...productOf(read, item), bundled_products };
}

/** A variant is a product of its own, which names the one that it is a variant of. */
export function productOf(read: ValueReader, item: Part): Product {
  const { fields, at } = item;
  const payload = partOf(fields.payload, inside(at, 'payload'));
  const text = (name: string, bound: number) => read.text(fields[name], inside(at, name), bound);
  const type = text('type', 100);
  const ownId = text('productId', 255) ?? (type === 'product' ? text('referencedId', 255) : undefined);
  const parentId = read.text(payload.fields.parentId, inside(payload.at, 'parentId'), 255);
  return definedFields<Product>({
    title: text('label', productTexts.title),
    quantity: read.count(fields.quantity, inside(at, 'quantity'), most.quantity),
    price: moneyIn(read, item, 'unitPrice'),
    sku: read.text(payload.fields.productNumber, inside(payload.at, 'productNumber'), productTexts.sku),
    variant_title: variantOf(read, payload),
    requires_shipping: isShipped(listIn(read, item, 'states') ?? []),
    images: imagesOf(read, partOf(fields.cover, inside(at, 'cover'))),
    type,
    product_id: parentId ?? ownId,
    variant_id: parentId && ownId,
  });
}

/** The chosen options, such as `Green / M`. */
function variantOf(read: ValueReader, payload: Part): string | undefined {
  const chosen = (listIn(read, payload, 'options') ?? []).flatMap(
    (option, i) =>
      read.text(fieldsOf(option).option, inside(payload.at, `options.${i}.option`), productTexts.variant_title) ?? [],
  );
  return read.text(chosen.join(' / '), inside(payload.at, 'options'), productTexts.variant_title);
}

/** The states of a product: src/Core/Content/Product/State.php in shopware/shopware. */
function isShipped(states: readonly unknown[]): boolean | undefined {
  if (states.includes('is-physical')) return true;
  return states.includes('is-download') ? false : undefined;
}

function imagesOf(read: ValueReader, { fields, at }: Part): Product['images'] {
  const src = read.link(fields.url, inside(at, 'url'));
  if (src === undefined) return undefined;
  const alt = read.text(fieldsOf(fields.translated).alt ?? fields.alt, inside(at, 'alt'), 1000);
  return [{ src, ...(alt !== undefined && { alt }) }];
}

type OrderDiscount = NonNullable<OrderInput['discounts']>[number];

/** A promotion of the shipping costs has no amount here: a delivery has it. */
function discountOf(read: ValueReader, { fields, at }: Part, amount: Decimal | undefined): OrderDiscount {
  const payload = partOf(fields.payload, inside(at, 'payload'));
  const number = amount && amountOf(opposite(amount));
  return definedFields<OrderDiscount>({
    code: read.text(payload.fields.code, inside(payload.at, 'code'), orderDiscountTexts.code),
    amount: number ? String(number) : undefined,
    type: read.text(payload.fields.discountType ?? fields.type, inside(at, 'type'), orderDiscountTexts.type),
  });
}
