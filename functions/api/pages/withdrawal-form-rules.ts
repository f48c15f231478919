import { createHash } from 'node:crypto';
import { addressIn } from '#domain/emails/mail-address.ts';
import { cut } from '#platform/cut.ts';
import { withdrawalLimits } from '#schemas/catalogues/limits.ts';
import type { FormFields } from '#schemas/families/operation.ts';
import type { WithdrawalItem } from '#schemas/shapes/withdrawal-shapes.ts';
import { textOf, textsOf } from './form-fields.ts';
import type { WithdrawalFormState } from './views/withdrawal-view.ts';

type Faults = WithdrawalFormState['faults'];

/** What a customer sent. If there are no faults, it makes a withdrawal. */
export interface WithdrawalForm {
  values: WithdrawalFormState['values'];
  faults: Faults;
}

export type FormItem = WithdrawalFormState['items'][number] & { item: WithdrawalItem };

/**
 * What can be ticked. Its value stays the same when the order gets another product. Of an order with more products than a page
 * can list nothing can be ticked: then it is about the whole order.
 */
export function formItems(items: readonly WithdrawalItem[]): FormItem[] {
  const seen = new Map<string, number>();
  if (items.length > withdrawalLimits.items) return [];
  return items.map((item) => {
    const sight = JSON.stringify([item.sku, item.title]);
    const times = (seen.get(sight) ?? 0) + 1;
    seen.set(sight, times);
    const value = createHash('sha256').update(`${sight}${times}`).digest('base64url').slice(0, 22);
    const title = item.title === null ? null : cut(item.title, withdrawalLimits.titleCharacters);
    const sku = item.sku === null ? null : cut(item.sku, withdrawalLimits.skuCharacters);
    return { value, title: title ?? sku ?? '', quantity: item.quantity, item: { ...item, title, sku } };
  });
}

export function readWithdrawalForm(fields: FormFields, items: readonly FormItem[]): WithdrawalForm {
  const values = {
    name: cleanLine(textOf(fields, 'name')),
    email_id: cleanLine(textOf(fields, 'email_id')),
    items: [...new Set(textsOf(fields, 'items'))].filter((value) => items.some((item) => item.value === value)),
  };
  const faults = {
    name: nameFault(values.name),
    email_id: isAddress(values.email_id) ? undefined : 'email_invalid',
    items: items.length > 0 && values.items.length === 0 ? 'items_missing' : undefined,
  } as const;
  return {
    values,
    faults: Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined)) as Faults,
  };
}

const cleanLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();

function nameFault(name: string) {
  if (name === '') return 'name_missing';
  return [...name].length > withdrawalLimits.nameCharacters ? 'name_too_long' : undefined;
}

/** Only what cannot be an address is refused: the acknowledgement shows whether it is one. */
const isAddress = (text: string): boolean =>
  text.length <= withdrawalLimits.emailCharacters && addressIn(text) !== undefined;
