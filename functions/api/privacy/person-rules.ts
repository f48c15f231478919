import type { Person } from '#domain/privacy/request.ts';
import { invalidValue } from '#platform/errors.ts';
import type { PrivacyRequestCreate } from '#schemas/families/privacy.ts';

/** Who is meant. A field that is null or an empty list says nothing. */
export function personOf({ email_id, external_customer_id, order_numbers }: PrivacyRequestCreate): Person {
  const numbers = [...new Set(order_numbers ?? [])];
  const person = {
    ...(email_id != null && { email_id }),
    ...(external_customer_id != null && { external_customer_id }),
    ...(numbers.length > 0 && { order_numbers: numbers }),
  };
  if (Object.keys(person).length === 0) {
    throw invalidValue(['body'], 'must have at least one of email_id, external_customer_id and order_numbers');
  }
  return person;
}
