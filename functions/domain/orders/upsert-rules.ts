import { isCarrierReference } from '#domain/carriers/catalogue.ts';
import { ApiError, invalid } from '#platform/http/api-error.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type { OrderUpsert } from '#schemas/families/orders.ts';
import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import type { Order } from './model.ts';

/** Which field of an order an id stands for. */
const fieldOf = { order_number: 'order_number', external_id: 'external_id', order_name: 'order_name' } as const;

/** The order of an upsert with the id filled in; 422 where the two disagree. */
export function identified({ id, id_type, order }: OrderUpsert): OrderInput | undefined {
  if (!order || id_type === 'uuid') return order;
  const field = fieldOf[id_type];
  const given = order[field];
  if (given !== undefined && given !== id) throw disagreement(field);
  return { ...order, [field]: id };
}

/** An order number names the order for good. */
export function checkSameNumber(stored: Order, input: OrderInput): void {
  if (input.order_number !== undefined && input.order_number !== stored.order_number)
    throw disagreement('order_number');
}

/** A new order needs a number. */
export function numbered(input: OrderInput): OrderInput & { order_number: string } {
  const { order_number } = input;
  if (order_number === undefined) throw invalid(at('order_number', 'is required for a new order', 'missing'));
  return { ...input, order_number };
}

export function checkCarrierReferences(
  references: readonly (string | null | undefined)[],
  place: (i: number) => FieldError['loc'],
) {
  const errors = references.flatMap((reference, i): FieldError[] =>
    reference && !isCarrierReference(reference)
      ? [{ loc: place(i), msg: 'is not a known carrier reference', type: 'value_error' }]
      : [],
  );
  if (errors.length > 0) throw new ApiError('carrier_reference_invalid', { errors });
}

const disagreement = (field: string) => invalid(at(field, 'disagrees with the id', 'value_error'));

const at = (field: string, msg: string, type: FieldError['type']): FieldError => ({
  loc: ['body', 'order', field],
  msg,
  type,
});
