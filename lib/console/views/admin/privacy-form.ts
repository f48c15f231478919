import type { PrivacyRequestCreate } from '#schemas/families/privacy.ts';

/** What somebody types who asks for the data of a person. */
export interface Values {
  kind: PrivacyRequestCreate['kind'];
  email_id: string;
  external_customer_id: string;
  /** One in each line, or with commas between them. */
  order_numbers: string;
  reference: string;
}

export function requestBody(values: Values, dry_run: boolean): PrivacyRequestCreate {
  const { kind, email_id, external_customer_id, order_numbers, reference } = values;
  return {
    kind,
    email_id: textOrNull(email_id),
    external_customer_id: textOrNull(external_customer_id),
    order_numbers: numbersIn(order_numbers),
    reference: textOrNull(reference),
    dry_run,
  };
}

const textOrNull = (text: string): string | null => text.trim() || null;

export const numbersIn = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map((number) => number.trim())
    .filter((number) => number !== '');
