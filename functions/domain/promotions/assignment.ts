import { hash } from 'node:crypto';
import type { Variant } from './ab-test-records.ts';

interface Shares {
  uuid: string;
  campaigns: readonly Variant[];
}

/**
 * The campaign that a test gives a customer; undefined in the holdout. The hash spreads customers evenly, anew for each
 * test, and is always the same for one customer: nothing has to be remembered.
 */
export function variantOf({ uuid, campaigns }: Shares, customer: string): string | undefined {
  const place = percentile(`${uuid}#${customer}`);
  let end = 0;
  for (const { campaign_id, allocation } of campaigns) {
    end += allocation;
    if (place < end) return campaign_id;
  }
  return undefined;
}

/** A number from 0 to below 100. */
const percentile = (text: string) => (Number.parseInt(hash('sha256', text).slice(0, 12), 16) / 2 ** 48) * 100;

interface Ordered {
  uuid: string;
  external_customer_id?: string;
  email_id?: string;
}

/** By what a customer is known again: the shop's own id, else the e-mail address, else only this order. */
export function customerOf({ uuid, external_customer_id, email_id }: Ordered): string {
  return external_customer_id?.trim() || email_id?.trim().toLowerCase() || uuid;
}
